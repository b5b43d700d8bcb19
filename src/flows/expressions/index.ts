import type { Action, Button, Ctx } from "../../discord/index.ts";
import type { CutoutSource } from "../cutout/source.ts";

/** Stickers and emoji made of a cut-out. */
export const expressions = {
  /** What the reply with a cut-out offers, as far as the person may. */
  buttons: (_ctx: Ctx<unknown>, _source: CutoutSource): readonly Button[] => [],
  actions: [] as readonly Action<never>[],
} as const;
