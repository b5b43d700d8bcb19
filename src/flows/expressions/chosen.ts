import type { ExpressionKind, Press } from "../../discord/index.ts";
import type { CutoutSource } from "../cutout/source.ts";

/** What is shown, and what buttons start from. */
export interface Chosen {
  readonly kind: ExpressionKind;
  readonly hasRim: boolean;
  readonly source: CutoutSource;
}

/** The actions by their names, because replies offer them and they make replies. */
export const names = {
  show: "expressions.show",
  again: "expressions.again",
  large: "expressions.large",
  name: "expressions.name",
  add: "expressions.add",
} as const;

/** What hangs on the buttons of a reply that shows the picture. */
export function pressOf(what: Exclude<keyof typeof names, "show">, chosen: Chosen): Press {
  return { action: names[what], state: chosen };
}
