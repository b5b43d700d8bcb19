import { estimatePrice, type ResultSize } from "../../background/index.ts";
import type { Button, Press, Words } from "../../discord/index.ts";

/** A button that sends pictures which are transparent already, and says what that costs. */
export function removeAnywayButton(
  words: Words,
  press: Press,
  {
    count = 1,
    size,
    megapixels,
  }: {
    readonly count?: number;
    readonly size?: ResultSize | undefined;
    readonly megapixels?: number | undefined;
  } = {},
): Button {
  const credits = count * estimatePrice(size, megapixels);
  return { label: words.say("background.already.anyway", { count, credits }), press };
}

/** Says that nothing was sent, as a sentence of its own. */
export function alreadyTransparent(words: Words): string {
  const [first = "", ...rest] = words.say("background.already.text");
  return `${first.toLocaleUpperCase(words.tag)}${rest.join("")}`;
}
