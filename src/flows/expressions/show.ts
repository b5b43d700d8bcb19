import { action, type Ctx, type ExpressionKind, files, type Reply } from "../../discord/index.ts";
import { type CutoutSource, cutoutOf, foregroundOption, shownCutout } from "../cutout/index.ts";
import { type ExpressionChoice, forms, large, names } from "./kinds.ts";
import { pictureFile, squareOf, view, wholeOf } from "./view.ts";

/** Makes one of the result above the button. */
export const showIt = action<{ readonly kind: ExpressionKind; readonly source: CutoutSource }>({
  name: names.show,
  answer: "private",
  by: "anyone",
  run: async (ctx, { kind, source }) => {
    const { hasRim } = forms[kind];
    return viewOf(ctx, { kind, hasRim, source: fromAfar(ctx, source) });
  },
});

/** The same with or without its rim, or as the other kind. */
export const showAgain = action<ExpressionChoice>({
  name: names.again,
  answer: "update",
  by: "requester",
  run: viewOf,
});

/** The same larger, for other messengers. */
export const showLarge = action<ExpressionChoice>({
  name: names.large,
  answer: "private",
  by: "requester",
  run: async (ctx, chosen) => {
    const { words, signal } = ctx;
    const { side, maxBytes, rim } = large;
    const cutout = await cutoutOf(ctx, chosen.source);
    const looks = { ...(chosen.hasRim && { rim }), ...foregroundOption(chosen.source.found) };
    const options = { side, maxBytes, signal, ...looks };
    const { bytes } = await ctx.images.square(cutout, options);
    return files({
      title: words.say("expressions.large.title"),
      text: words.say("expressions.large.text"),
      files: [pictureFile(ctx, chosen, bytes, `${side}`)],
      footer: [`${side}×${side}`, "PNG", words.bytes(bytes.length)].join(" · "),
      isPrivate: true,
    });
  },
});

async function viewOf(ctx: Ctx, chosen: ExpressionChoice): Promise<Reply> {
  const [cutout, whole] = await Promise.all([cutoutOf(ctx, chosen.source), wholeOf(ctx, chosen)]);
  return view(ctx, chosen, await squareOf(ctx, cutout, chosen), { whole });
}

/** Names the file with the cut-out, since the reply's own buttons belong to another message. */
function fromAfar(ctx: Ctx, source: CutoutSource): CutoutSource {
  const base = shownCutout(ctx, source);
  return base === undefined ? source : { ...source, base };
}
