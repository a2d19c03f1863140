// The addresses of what the page asks for first, which app/preload.ts asks for before the scripts have come.

export const IDENTITY_PATH = "/api/identity";
export const PUBLIC_TABLES_PATH = "/api/tables";

export function cataloguePath(locale: string, version: string): string {
  return `/api/catalogue/${locale}?v=${version}`;
}

export function gamePath(game: string): string {
  return `/api/games/${game}`;
}

export function gameTextsPath(game: string, locale: string, version: string): string {
  return `/api/words/${locale}/${game}?v=${version}`;
}
