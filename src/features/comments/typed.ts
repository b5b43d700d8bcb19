import { cut, join, md, type Notice, type Words } from "../../discord/index.ts";

const maxTypedChars = 2_000;

/** A refusal of what was sent with a form, together with what was typed there, so that nobody has to type it again. */
export function withTyped(refusal: Notice, typed: string, words: Words): Notice {
  const lines = cut(typed.trim(), maxTypedChars).split("\n");
  if (typed.trim() === "") return refusal;
  const quoted = lines.map((line) => (line.trim() === "" ? md`> ` : md`> ${line}`));
  const { text } = refusal;
  return {
    ...refusal,
    text: join([
      ...(text === undefined ? [] : [text, ""]),
      md`**${words.say("comments.typed")}**`,
      ...quoted,
    ]),
  };
}
