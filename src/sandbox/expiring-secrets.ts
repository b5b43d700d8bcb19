import { randomBytes } from "node:crypto";

const sweepAt = 10_000;

export type ExpiringSecrets<T extends { readonly expiresAt: number }> = ReturnType<
  typeof createExpiringSecrets<T>
>;

/** Values by texts that nobody can guess, until they expire: tokens, codes, open consent pages. */
export function createExpiringSecrets<T extends { readonly expiresAt: number }>(
  now: () => number,
  randomByteCount = 48,
) {
  const all = new Map<string, T>();

  function dropWhere(matches: (value: T) => boolean): void {
    for (const [text, value] of all) if (matches(value)) all.delete(text);
  }

  return {
    add(prefix: string, value: T): string {
      if (all.size >= sweepAt) dropWhere(({ expiresAt }) => expiresAt <= now());
      // From the system's own randomness, not from the seed of faults: nothing on this machine may guess it.
      const text = prefix + randomBytes(randomByteCount).toString("base64url");
      all.set(text, value);
      return text;
    },
    find(text: string): T | undefined {
      const found = all.get(text);
      return found !== undefined && found.expiresAt > now() ? found : undefined;
    },
    /** Those that have not expired, oldest first. */
    list: (): readonly (readonly [string, T])[] =>
      [...all].filter(([, { expiresAt }]) => expiresAt > now()),
    drop: (text: string): void => void all.delete(text),
    dropWhere,
  };
}
