import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locale } from "../../src/language/index.ts";

/** The folder with the message files of all languages. */
export const messagesFolder = join(import.meta.dirname, "../../src/language/messages");

export interface MessageTree {
  readonly [name: string]: string | MessageTree;
}

/** Every message below a node, with its key, such as `videos.deleted.title`. */
function* messagesIn(
  tree: MessageTree,
  prefix: string,
): Generator<readonly [key: string, message: string]> {
  for (const [name, value] of Object.entries(tree)) {
    if (typeof value === "string") yield [`${prefix}${name}`, value];
    else yield* messagesIn(value, `${prefix}${name}.`);
  }
}

/** The file names of a language, such as `videos.json` and `failures/video.json`. */
export function messageFiles(locale: Locale): readonly string[] {
  return readdirSync(join(messagesFolder, locale), { encoding: "utf8", recursive: true })
    .filter((name) => name.endsWith(".json"))
    .sort();
}

/** Every message of a language, read from its files. @throws TypeError when two files have the same key. */
export function readMessages(locale: Locale): ReadonlyMap<string, string> {
  const messages = new Map<string, string>();
  for (const file of messageFiles(locale)) {
    const tree = JSON.parse(readFileSync(join(messagesFolder, locale, file), "utf8"));
    for (const [key, message] of messagesIn(tree, `${file.replace(/(?:\/.*|\.json)$/u, "")}.`)) {
      if (messages.has(key)) throw new TypeError(`${key} stands in two files`);
      messages.set(key, message);
    }
  }
  return messages;
}
