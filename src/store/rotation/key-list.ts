import { randomBytes } from "node:crypto";
import { ConfigError } from "../../errors.ts";
import type { MasterKey } from "../seal.ts";

const idShape = /^[a-z0-9-]{1,16}$/;

export function formatKeys(keys: readonly MasterKey[]): string {
  return keys.map(({ id, key }) => `${id}:${Buffer.from(key).toString("base64")}`).join(",");
}

/**
 * The keys with a new random one at the end, where it can open records but does not seal yet. Without an id it gets the first
 * free one of k1, k2 …; ids that the store knows (`taken`) are not free.
 * @throws ConfigError `key_id` for one that is taken or has another shape.
 */
export function addKey(
  keys: readonly MasterKey[],
  { id, taken }: { readonly id: string | undefined; readonly taken: readonly string[] },
): { readonly keys: readonly MasterKey[]; readonly id: string } {
  const known = new Set([...taken, ...keys.map((key) => key.id)]);
  let number = 1;
  while (known.has(`k${number}`)) number += 1;
  const chosen = id ?? `k${number}`;
  if (!idShape.test(chosen)) {
    throw keyIdError(`"${chosen}" can't be a key's id`, "Take 1 to 16 characters of a-z 0-9 -.");
  }
  if (known.has(chosen)) {
    throw keyIdError(
      `the id "${chosen}" is taken`,
      "Take an id that this store has never had, or none.",
    );
  }
  return { keys: [...keys, { id: chosen, key: randomBytes(32) }], id: chosen };
}

/** The same keys with that one first, so that it seals. @throws ConfigError `key_id` for an unknown one. */
export function putKeyFirst(keys: readonly MasterKey[], id: string): readonly MasterKey[] {
  const first = keys.find((key) => key.id === id);
  if (first === undefined) throw createUnknownKeyError(keys, id);
  return [first, ...keys.filter((key) => key !== first)];
}

/** The keys without that one. @throws ConfigError `key_id` for the first, which seals. */
export function removeKey(keys: readonly MasterKey[], id: string): readonly MasterKey[] {
  if (keys[0]?.id === id) {
    throw keyIdError(
      `key "${id}" encrypts everything new`,
      "Put another key first: npm run keys -- promote <id>.",
    );
  }
  return keys.filter((key) => key.id !== id);
}

export function createUnknownKeyError(keys: readonly MasterKey[], id: string): ConfigError {
  const ids = keys.map((key) => key.id).join(", ");
  return keyIdError(`there is no key "${id}"`, `The keys here are: ${ids}.`);
}

function keyIdError(message: string, hint: string): ConfigError {
  return new ConfigError(message, { code: "key_id", hint });
}
