import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from "node:crypto";
import { ConfigError, ServiceError } from "../errors.ts";

export interface MasterKey {
  /** 1 to 16 characters of a-z, 0-9 and `-`. */
  readonly id: string;
  /** 32 bytes. */
  readonly key: Uint8Array;
}

/** What a sealed text belongs to; it opens only for the same four words. */
export interface SealContext {
  readonly purpose: SealedKind | "canary" | "file";
  readonly guildId: string;
  readonly kind: string;
  readonly field: string;
}

/** Every kind of record that a master key seals, except files and a key's own canary. */
export const sealedKinds = ["credential", "token", "ticket", "revocation", "interaction"] as const;

export type SealedKind = (typeof sealedKinds)[number];

/**
 * What a stored record belongs to, by its key. Keys of credentials and tokens name their server; that of a ticket does not, so
 * `ticketGuildId` does.
 */
export function sealContextFor(kind: SealedKind, key: string, ticketGuildId = ""): SealContext {
  const [guildId = "", owned = ""] = key.split(":");
  switch (kind) {
    case "credential":
    case "token":
      return { purpose: kind, guildId, kind: owned, field: "record" };
    case "ticket":
      return { purpose: kind, guildId: ticketGuildId, kind, field: key };
    case "revocation":
      return { purpose: kind, guildId: "", kind: "token", field: key };
    case "interaction":
      return { purpose: kind, guildId: "", kind: "request", field: key };
  }
}

export interface Keyring {
  /** Id of the key that seals. */
  readonly sealingId: string;
  /** Every key that may open, by id. */
  readonly keys: ReadonlyMap<string, KeyObject>;
}

const algorithm = "aes-256-gcm";
const keyBytes = 32;
// 96-bit nonces and full 128-bit tags, as NIST SP 800-38D recommends for GCM.
const nonceBytes = 12;
const tagBytes = 16;
const boxOverhead = nonceBytes + tagBytes;
const wrappedBytes = boxOverhead + keyBytes;

/** Version 1 is `1.<master key id>.<base64url of the wrapped data key and the sealed text>`. */
const format = /^1\.([a-z0-9-]{1,16})\.([A-Za-z0-9_-]+)$/;
const bytesHead = /^1\.([a-z0-9-]{1,16})\./;
const maxHeadBytes = 19;

/** Makes each key's `KeyObject` once. */
export function createKeyring(keys: readonly MasterKey[]): Keyring {
  const first = keys[0];
  if (first === undefined) throw createKeysError("there is no master key");
  const made = new Map(keys.map(({ id, key }) => [id, createSecretKey(key)]));
  if (made.size < keys.length) throw createKeysError("a master key id is used twice");
  if (keys.some(({ key }) => key.length !== keyBytes)) {
    throw createKeysError(`a master key is not ${keyBytes} bytes`);
  }
  return { sealingId: first.id, keys: made };
}

/** Seals under a fresh data key, which the keyring's first master key wraps. */
export function seal(keyring: Keyring, context: SealContext, text: string): string {
  const { id, box } = sealBox(keyring, context, Buffer.from(text, "utf8"));
  return `1.${id}.${box.toString("base64url")}`;
}

/** The same for bytes: version 1 is `1.<master key id>.` and the wrapped data key and the sealed bytes as they are. */
export function sealBytes(keyring: Keyring, context: SealContext, bytes: Uint8Array): Buffer {
  const { id, box } = sealBox(keyring, context, bytes);
  return Buffer.concat([Buffer.from(`1.${id}.`, "latin1"), box]);
}

function sealBox(keyring: Keyring, context: SealContext, plain: Uint8Array) {
  const id = keyring.sealingId;
  const bound = bindContext(id, context);
  const dataKey = randomBytes(keyBytes);
  const wrapped = encrypt(masterKey(keyring, id), bound, dataKey);
  const sealed = encrypt(createSecretKey(dataKey), bound, plain);
  dataKey.fill(0);
  return { id, box: Buffer.concat([wrapped, sealed]) };
}

/**
 * Opens what `seal` made for the same context.
 * @throws ConfigError `store_keys` for a key id that is not in the keyring.
 * @throws ServiceError `store_record` for a changed, moved or malformed text.
 */
export function openSealed(keyring: Keyring, context: SealContext, sealed: string): string {
  const [, id = "", encoded = ""] = format.exec(sealed) ?? [];
  return openBox(keyring, context, { id, box: Buffer.from(encoded, "base64url") }).toString("utf8");
}

/** Opens what `sealBytes` made for the same context. @throws as `openSealed`. */
export function openSealedBytes(
  keyring: Keyring,
  context: SealContext,
  sealed: Uint8Array,
): Buffer {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  const [head = "", id = ""] = bytesHead.exec(bytes.toString("latin1", 0, maxHeadBytes)) ?? [];
  return openBox(keyring, context, { id, box: bytes.subarray(head.length) });
}

function openBox(
  keyring: Keyring,
  context: SealContext,
  { id, box }: { readonly id: string; readonly box: Buffer },
): Buffer {
  if (box.length < wrappedBytes + boxOverhead) throw recordError();
  const bound = bindContext(id, context);
  const master = masterKey(keyring, id);
  try {
    const dataKey = decrypt(master, bound, box.subarray(0, wrappedBytes));
    const plain = decrypt(createSecretKey(dataKey), bound, box.subarray(wrappedBytes));
    dataKey.fill(0);
    return plain;
  } catch (cause) {
    throw recordError(cause);
  }
}

/** Id of the master key that wraps this text's data key, or undefined when it is not a sealed text. */
export function readSealingKeyId(sealed: string): string | undefined {
  return format.exec(sealed)?.[1];
}

const everyKey =
  "Put every master key that encrypted rows of this store into SECRET_KEYS, under its own id.";

export function createKeysError(what: string, hint = everyKey): ConfigError {
  return new ConfigError(`the store's master keys do not fit: ${what}`, {
    code: "store_keys",
    hint,
  });
}

function masterKey(keyring: Keyring, id: string): KeyObject {
  const key = keyring.keys.get(id);
  if (key === undefined) throw createKeysError(`key id "${id}" is unknown`);
  return key;
}

/** JSON, because joining words with a separator would let two contexts read the same. */
function bindContext(id: string, { purpose, guildId, kind, field }: SealContext): Buffer {
  return Buffer.from(JSON.stringify(["greenroom", 1, id, purpose, guildId, kind, field]), "utf8");
}

// Both take a `KeyObject`, for data keys too: as measured, each use of a raw key costs five times as much.

function encrypt(key: KeyObject, bound: Buffer, plain: Uint8Array): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce);
  cipher.setAAD(bound);
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}

function decrypt(key: KeyObject, bound: Buffer, box: Buffer): Buffer {
  const nonce = box.subarray(0, nonceBytes);
  const decipher = createDecipheriv(algorithm, key, nonce);
  decipher.setAAD(bound);
  decipher.setAuthTag(box.subarray(nonceBytes, boxOverhead));
  const plain = decipher.update(box.subarray(boxOverhead));
  // In this mode it returns no more text, but throws if the tag does not fit.
  decipher.final();
  return plain;
}

/** Whether a record exists but does not open, as opposed to a database that does not answer. */
export function isUnreadable(error: unknown): boolean {
  return error instanceof ServiceError && error.code === "store_record";
}

/** For lists: a damaged record is left out, because the others must not wait for it. */
export function ifReadable<T>(read: () => readonly T[]): readonly T[] {
  try {
    return read();
  } catch (error) {
    if (isUnreadable(error)) return [];
    throw error;
  }
}

function recordError(cause?: unknown): ServiceError {
  return new ServiceError("a sealed record does not open: it was changed, moved or damaged", {
    code: "store_record",
    cause,
  });
}
