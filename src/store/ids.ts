import { createHash, randomBytes } from "node:crypto";
import { InputError } from "../errors.ts";

// Keys are made of these shapes only: keyv leaves a key alone that already starts with its namespace, so a text
// chosen by a person could reach another record.

/** Decimal digits of a 64-bit number, https://discord.com/developers/docs/reference#snowflakes. */
const snowflake = /^[0-9]{15,20}$/;

/** 128 bits in hex. */
const project = /^[0-9a-f]{32}$/;

/** A channel's id, https://developers.google.com/youtube/v3/docs/channels; no colon in it. */
const channel = /^[\w-]{2,64}$/;

/** Words and ids joined by colons. */
const lease = /^[\w-]+(:[\w-]+){0,5}$/;

const day = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;

/** 128 bits as base64url. */
const handle = /^[A-Za-z0-9_-]{22}$/;

export function checkGuildId(guildId: string): string {
  if (snowflake.test(guildId)) return guildId;
  throw new InputError("a guild id for the store is not a snowflake", {
    code: "guild_id",
    hint: "Use this command inside a server.",
  });
}

/** @throws TypeError, because no project comes from a person. */
export function checkProject(id: string): string {
  if (project.test(id)) return id;
  throw new TypeError("a project for the store is not 32 hex digits");
}

/** @throws TypeError, because no day comes from a person. */
export function checkDay(name: string): string {
  if (day.test(name)) return name;
  throw new TypeError("a day for the store is not written like 2026-01-31");
}

/** @throws TypeError, because Discord names people. */
export function checkUserId(id: string): string {
  if (snowflake.test(id)) return id;
  throw new TypeError("a person's id for the store is not a snowflake");
}

/** One word, or two joined by a colon. */
const row = /^[\w-]{1,64}(:[\w-]{1,64})?$/;

/** @throws TypeError, because no record is named by a person. */
export function checkRowId(id: string): string {
  if (row.test(id)) return id;
  throw new TypeError("a record's id for the store is made of letters, digits, _ and -");
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

export function checkChannelId(id: string): string {
  if (channel.test(id)) return id;
  throw new TypeError("a channel id for the store has another shape");
}

/** @throws TypeError, because no lease is named by a person. */
export function checkLeaseName(name: string): string {
  if (name.length <= 100 && lease.test(name)) return name;
  throw new TypeError("a lease's name is made of words and ids");
}
