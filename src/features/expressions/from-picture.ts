import type { Attachment, Reply, ReplyFile } from "../../discord/index.ts";
import type { ServiceReadyPicture } from "../../images/index.ts";
import type { Ctx, CtxFor } from "../context/index.ts";
import {
  addChargeToError,
  alreadyTransparent,
  cutOutOne,
  describeCharge,
  keepCutout,
  prepareOne,
  readFoundSubject,
  removeAnywayButton,
  sourceEngine,
} from "../cutout/index.ts";
import { action, option } from "../declarations/index.ts";
import { drawExpression, makeSquare } from "./draw-expression.ts";
import { type ExpressionChoice, expressionForms } from "./kinds.ts";

export const expressionOptions = {
  image: option.attachment({ required: true }),
  kind: option.choice({ group: "expressionKind", values: ["sticker", "emoji"] }),
  rim: option.flag({}),
};

/**
 * Makes a sticker or an emoji from any picture. A transparent one costs nothing. Any other is cut out first, and the
 * reply includes the whole cut-out, because it was paid for.
 */
export async function makeExpression(ctx: CtxFor<typeof expressionOptions>): Promise<Reply> {
  const { image: picture, kind = "sticker", rim } = ctx.options;
  const looks = { kind, hasRim: rim ?? expressionForms[kind].hasRim };
  const bytes = await ctx.fetchAttachment(picture);
  const prepared = await prepareOne(ctx, bytes);
  if (!prepared.isCutOut) return cutOutFirst(ctx, { picture, prepared }, looks);
  const source = { name: picture.filename, at: 0, base: picture, isOwn: true } as const;
  const chosen = { ...looks, source };
  const anyway = removeAnywayButton(ctx, removeAnyway.press(chosen), {
    megapixels: (prepared.width * prepared.height) / 1e6,
  });
  return drawExpression(ctx, chosen, await makeSquare(ctx, bytes, looks), {
    lines: [alreadyTransparent(ctx)],
    buttons: ctx.has("background-key") ? [anyway] : [],
  });
}

/** Cuts a picture out that was transparent already, because somebody wants to pay for it. */
export const removeAnyway = action<ExpressionChoice>({
  name: "expressions.remove-anyway",
  isOnce: true,
  needs: ["background-key"],
  run: async (ctx, { source, ...looks }) => {
    const picture = source.base;
    if (picture === undefined) throw new TypeError("the picture is not known");
    const prepared = await prepareOne(ctx, await ctx.fetchAttachment(picture));
    return cutOutFirst(ctx, { picture, prepared }, looks);
  },
});

async function cutOutFirst(
  ctx: Ctx,
  { picture, prepared }: { readonly picture: Attachment; readonly prepared: ServiceReadyPicture },
  looks: Pick<ExpressionChoice, "kind" | "hasRim">,
): Promise<Reply> {
  const removal = await cutOutOne(ctx, prepared);
  const { image: cutout } = removal;
  try {
    const found = readFoundSubject(removal);
    const source = {
      name: picture.filename,
      at: 1,
      kept: await keepCutout(ctx, removal),
      found,
      original: picture,
      ...sourceEngine(ctx),
    };
    const [square, whole] = await Promise.all([
      makeSquare(ctx, cutout, { ...looks, source }),
      wholeFile(ctx, cutout, picture),
    ]);
    return drawExpression(ctx, { ...looks, source }, square, {
      whole,
      cost: describeCharge(removal, ctx.words),
    });
  } catch (error) {
    throw addChargeToError(ctx, error, removal);
  }
}

/** The whole cut-out, because it was paid for. */
async function wholeFile(ctx: Ctx, cutout: Buffer, { filename }: Attachment): Promise<ReplyFile> {
  const { attachmentLimit: maxBytes, signal, words } = ctx;
  const { bytes, format } = await ctx.images.compose(cutout, { format: "auto", maxBytes, signal });
  const name = filename.slice(0, 200);
  const alt = words.say("background.alt", { name });
  return { name: `${name.replace(/\.[^.]*$/u, "")}-cutout.${format}`, data: bytes, alt };
}
