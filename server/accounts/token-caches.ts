/**
 * Returns a function that caches the result of `make` for each configuration (“Keys are derived
 * once” in bench/results.md).
 */
export function perConfig<C extends object, T>(make: (config: C) => T): (config: C) => T {
  const made = new WeakMap<C, T>();
  return (config) => {
    const known = made.get(config);
    if (known !== undefined) return known;
    const fresh = make(config);
    made.set(config, fresh);
    return fresh;
  };
}

/** A full cache holds up to twice this many tokens, of about 600 bytes each. */
const CACHED_MIN = 10_000;

/**
 * A cache of token claims (“The claims of a token are cached” in bench/results.md). It calls
 * `verify` for an unknown token.
 */
export function claimsCache<Claims>(): (token: string, verify: () => Claims) => Claims {
  let recent = new Map<string, Claims>();
  let older = new Map<string, Claims>();
  return (token, verify) => {
    const known = recent.get(token);
    if (known !== undefined) return known;
    const found = older.get(token) ?? verify();
    if (recent.size >= CACHED_MIN) {
      older = recent;
      recent = new Map();
    }
    recent.set(token, found);
    return found;
  };
}
