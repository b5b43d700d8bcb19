import { InputError } from "../errors.ts";

// Keys are made of these shapes only: keyv leaves a key alone that already starts with its namespace, so a text
// chosen by a person could reach another record.

/** Decimal digits of a 64-bit number, https://discord.com/developers/docs/reference#snowflakes. */
const snowflake = /^[0-9]{15,20}$/;

/** 128 bits as base64url. */
const handle = /^[A-Za-z0-9_-]{22}$/;

export function checkGuildId(guildId: string): string {
  if (snowflake.test(guildId)) return guildId;
  throw new InputError("a guild id for the store is not a snowflake", {
    code: "guild_id",
    hint: "Use this command inside a server.",
  });
}

export function isHandle(text: string): boolean {
  return handle.test(text);
}
