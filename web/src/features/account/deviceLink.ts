// The link that adds another device. Its code follows a `#`, so it never reaches a server.
const MARK = "#device=";

/** The link that contains a code. */
export function deviceLink(code: string): string {
  return `${location.origin}/${MARK}${code}`;
}

/** The code in the part of an address behind `#`; null without one. */
export function codeInHash(hash: string): string | null {
  const code = hash.startsWith(MARK) ? hash.slice(MARK.length) : "";
  return /^[0-9A-Za-z-]{8,64}$/.test(code) ? code : null;
}

/** Takes the code out of the page's address, so that neither history nor a screenshot keeps it. */
export function takeCodeFromAddress(): string | null {
  const code = codeInHash(location.hash);
  if (code !== null) history.replaceState(history.state, "", location.pathname + location.search);
  return code;
}
