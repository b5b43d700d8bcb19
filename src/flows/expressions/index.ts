import type { Action, Button, Ctx } from "../../discord/index.ts";
import type { CutoutSource } from "../cutout/index.ts";
import { addIt, nameIt } from "./add.ts";
import { fromPicture } from "./from-picture.ts";
import { showAgain, showIt, showLarge } from "./show.ts";

/** Stickers and emoji made of a cut-out. */
export const expressions = {
  /** Those below a cut-out: everybody may have the file. */
  buttons: ({ words }: Ctx, source: CutoutSource): readonly Button[] =>
    (["sticker", "emoji"] as const).map((kind) => ({
      label: words.say(`expressions.${kind}`),
      press: showIt.press({ kind, source }),
    })),
  fromPicture,
  actions: [showIt, showAgain, showLarge, nameIt, addIt] as readonly Action<never>[],
} as const;
