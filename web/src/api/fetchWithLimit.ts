// A fetch that does not wait for ever: a server or a line that is silent for some seconds counts as gone.

/** The longest silence before an answer and between its parts, in milliseconds. */
export const SILENCE_LIMIT_MS = 8_000;

/**
 * Fetches a resource with its whole body. Rejects as `fetch` does, and when nothing arrives for `limit`
 * milliseconds; a slow line that delivers something has the time it needs.
 */
export async function fetchWithLimit(
  path: string,
  init: RequestInit = {},
  limit = SILENCE_LIMIT_MS,
): Promise<Response> {
  const abort = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => abort.abort(), limit);
  };
  wait();
  try {
    const response = await fetch(path, { ...init, signal: abort.signal });
    const { status, statusText, headers } = response;
    const parts: BlobPart[] = [];
    const reader = response.body?.getReader();
    for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
      parts.push(read.value as Uint8Array<ArrayBuffer>);
      wait();
    }
    const body = parts.length > 0 ? new Blob(parts, { type: headers.get("Content-Type") ?? "" }) : null;
    return new Response(body, { status, statusText, headers });
  } finally {
    clearTimeout(timer);
  }
}
