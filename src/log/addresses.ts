import { mark } from "./secrets.ts";

const slash = "(?:/|%2F)";
/** Behind another piece, where a run of backslashes is looked at only once. */
const escapedSlash = String.raw`(?:\\*/|%2F)`;
const piece = String.raw`[^/?#&\s"'\\<>%]`;

// Interaction and webhook tokens stand in the path,
// https://discord.com/developers/docs/interactions/receiving-and-responding#endpoints.
const tokenInPath = new RegExp(
  `(${slash}(?:interactions|webhooks)${escapedSlash}\\d+${escapedSlash})${piece}+`,
  "gi",
);

const names = "(?:api[_-]?)?key|(?:access_|refresh_|id_)?token|client_secret";
const keyInQuery = new RegExp(
  `((?:(?<![\\w-])|%3F|%26|\\\\u0026)(?:${names})(?:=|%3D))[^&#\\s"'\\\\<>]+`,
  "gi",
);

/** Hides the parts of addresses that let a reader act: tokens in Discord's paths, keys and tokens in queries. */
export function maskAddresses(text: string): string {
  return text.replace(tokenInPath, `$1${mark}`).replace(keyInQuery, `$1${mark}`);
}
