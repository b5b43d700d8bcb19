import { cut, join, md, type Notice, type Words } from "../../discord/index.ts";

const maxTypedChars = 2_000;

/** Why what was sent with a form can't be done, with what was typed there, so that nobody has to type it again. */
export function withTyped(reason: Notice, typed: string, words: Words): Notice {
  const lines = cut(typed.trim(), maxTypedChars).split("\n");
  if (typed.trim() === "") return reason;
  const quoted = lines.map((line) => (line.trim() === "" ? md`> ` : md`> ${line}`));
  const { text } = reason;
  return {
    ...reason,
    text: join([
      ...(text === undefined ? [] : [text, ""]),
      md`**${words.say("comments.typed")}**`,
      ...quoted,
    ]),
  };
}
