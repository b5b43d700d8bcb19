import { createHash, randomBytes } from "node:crypto";

// Keys consist only of these shapes. Keyv adds no namespace to a key that already starts with one, so a text chosen by a
// person could otherwise reach another record.

/** Decimal digits of a 64-bit number, https://discord.com/developers/docs/reference#snowflakes. */
const snowflake = /^[0-9]{15,20}$/;

/** A channel's id, https://developers.google.com/youtube/v3/docs/channels; no colon in it. */
const channel = /^[\w-]{2,64}$/;

/** 128 bits as base64url. */
const handle = /^[A-Za-z0-9_-]{22}$/;

/** @throws TypeError, not InputError, because the id comes from Discord. */
export function checkUserId(id: string): string {
  if (snowflake.test(id)) return id;
  throw new TypeError("a person's id for the store is not a snowflake");
}

export function checkChannelId(id: string): string {
  if (channel.test(id)) return id;
  throw new TypeError("a channel id for the store has another shape");
}

/** An id for a record about something whose own id may have any shape: the first hex digits of its hash. */
export function hashToRecordId(id: string, digits = 32): string {
  return createHash("sha256").update(id).digest("hex").slice(0, digits);
}

export function isHandle(text: string): boolean {
  return handle.test(text);
}

/** A handle that nobody can guess. */
export function newHandle(): string {
  return randomBytes(16).toString("base64url");
}

/** A handle made of these words, so that the same one is found again after a crash. */
export function deriveHandle(...words: readonly string[]): string {
  return createHash("sha256").update(words.join(":")).digest("base64url").slice(0, 22);
}
