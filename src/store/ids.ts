import { createHash, randomBytes } from "node:crypto";

// Keys are made of these shapes only: keyv leaves a key alone that already starts with its namespace, so a text
// chosen by a person could reach another record.

/** Decimal digits of a 64-bit number, https://discord.com/developers/docs/reference#snowflakes. */
const snowflake = /^[0-9]{15,20}$/;

/** A channel's id, https://developers.google.com/youtube/v3/docs/channels; no colon in it. */
const channel = /^[\w-]{2,64}$/;

/** 128 bits as base64url. */
const handle = /^[A-Za-z0-9_-]{22}$/;

/** @throws TypeError, because Discord names people. */
export function checkUserId(id: string): string {
  if (snowflake.test(id)) return id;
  throw new TypeError("a person's id for the store is not a snowflake");
}

export function checkChannelId(id: string): string {
  if (channel.test(id)) return id;
  throw new TypeError("a channel id for the store has another shape");
}

/** How a record is called after something whose own id may have any shape: so many hex digits of its hash. */
export function rowIdOf(id: string, digits = 32): string {
  return createHash("sha256").update(id).digest("hex").slice(0, digits);
}

export function isHandle(text: string): boolean {
  return handle.test(text);
}

/** A handle that nobody can guess. */
export function newHandle(): string {
  return randomBytes(16).toString("base64url");
}

/** A handle that whoever comes after a crash arrives at again. */
export function handleOf(...words: readonly string[]): string {
  return createHash("sha256").update(words.join(":")).digest("base64url").slice(0, 22);
}
