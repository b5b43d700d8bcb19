import type { Button } from "../../discord/index.ts";
import type { Ctx } from "../context/index.ts";
import type { CutoutSource } from "../cutout/index.ts";
import type { FeatureAction } from "../declarations/index.ts";
import { addExpression, nameExpression } from "./add.ts";
import { showExpression, showLargeSticker, showOtherForm } from "./draw-expression.ts";
import { expressionOptions, makeExpression, removeAnyway } from "./from-picture.ts";

/** Stickers and emoji made from a cut-out. */
export const expressions = {
  /** The buttons below a cut-out: everybody may have the file. */
  buttons: ({ words }: Ctx, source: CutoutSource): readonly Button[] =>
    (["sticker", "emoji"] as const).map((kind) => ({
      label: words.say(`expressions.${kind}`),
      press: showExpression.press({ kind, source }),
    })),
  options: expressionOptions,
  fromPicture: makeExpression,
  actions: [
    showExpression,
    showOtherForm,
    showLargeSticker,
    nameExpression,
    addExpression,
    removeAnyway,
  ] as readonly FeatureAction<never>[],
} as const;
