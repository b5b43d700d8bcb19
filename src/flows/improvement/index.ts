import type { Action, Button, Ctx } from "../../discord/index.ts";
import type { CutoutSource } from "../cutout/source.ts";

/** Handing a picture that was cut badly over to the service. */
export const improvement = {
  /** What the reply with a cut-out offers, as far as the person may. */
  buttons: (_ctx: Ctx<unknown>, _source: CutoutSource): readonly Button[] => [],
  actions: [] as readonly Action<never>[],
} as const;
