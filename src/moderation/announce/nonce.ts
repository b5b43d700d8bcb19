import { createHash } from "node:crypto";

/** facts/discord.md: Limits. */
const maxChars = 25;

/** The same words are the same message, whichever process sends it. */
export function nonceOf(...words: readonly string[]): string {
  return hashOf(words).slice(0, maxChars);
}

/** A handle that whoever comes after a crash arrives at again. */
export function handleOf(...words: readonly string[]): string {
  return hashOf(words).slice(0, 22);
}

function hashOf(words: readonly string[]): string {
  return createHash("sha256").update(words.join(":")).digest("base64url");
}
