import type { Attachment, Field, Words } from "../../discord/index.ts";
import type { MessageKey } from "../../language/index.ts";
import type { CaptionFormat } from "./format.ts";

export function field(words: Words, key: MessageKey, value: string): Field {
  return { name: words.say(key), value, inline: true };
}

export function fileField(words: Words, file: Attachment, format: CaptionFormat): Field {
  const facts = [file.filename, words.say(`choices.tfmt.${format}`), words.bytes(file.size)];
  return field(words, "captions.fields.file", facts.join(" · "));
}
