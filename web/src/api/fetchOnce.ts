/**
 * A function that fetches what belongs to a key once, however often it is called. After a failure, with which
 * its promise rejects, the next call tries again.
 */
export function fetchOnce<K, T>(fetch: (key: K) => Promise<T>): (key: K) => Promise<T> {
  const asked = new Map<K, Promise<T>>();
  return (key) => {
    const known = asked.get(key);
    if (known) return known;
    const found = fetch(key);
    asked.set(key, found);
    found.catch(() => asked.delete(key));
    return found;
  };
}
