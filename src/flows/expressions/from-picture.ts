import type { Attachment, ExpressionKind, Reply, ReplyFile } from "../../discord/index.ts";
import type { SquarePicture } from "../../images/index.ts";
import { type Ctx, credentialMissing } from "../context/index.ts";
import {
  addChargeToError,
  cutOutOne,
  keepCutout,
  readFoundSubject,
  unlessOpaque,
} from "../cutout/index.ts";
import { drawExpression, makeSquare } from "./draw-expression.ts";
import { type ExpressionChoice, expressionForms } from "./kinds.ts";

interface ExpressionOptions {
  readonly kind?: ExpressionKind | undefined;
  readonly rim?: boolean | undefined;
}

/**
 * Makes a sticker or an emoji from any picture. A transparent one costs nothing. Any other is cut out first, and the
 * reply includes the whole cut-out, because it was paid for.
 */
export async function makeExpression(
  ctx: Ctx,
  picture: Attachment,
  { kind = "sticker", rim }: ExpressionOptions,
): Promise<Reply> {
  const { words } = ctx;
  const chosen = { kind, hasRim: rim ?? expressionForms[kind].hasRim };
  const bytes = await ctx.fetchAttachment(picture);
  const asItIs = await squareWithoutService(ctx, bytes, chosen);
  if (asItIs !== undefined) {
    const source = { name: picture.filename, at: 0, base: picture };
    return drawExpression(ctx, { ...chosen, source }, asItIs, {
      lines: [words.say("expressions.free")],
    });
  }
  return cutOutFirst(ctx, { picture, bytes }, chosen);
}

type ExpressionLook = Pick<ExpressionChoice, "kind" | "hasRim">;

/** Undefined if the picture has a background. */
async function squareWithoutService(
  ctx: Ctx,
  bytes: Buffer,
  looks: ExpressionLook,
): Promise<SquarePicture | undefined> {
  const { signal } = ctx;
  const { format } = await ctx.images.inspect(bytes, { signal });
  // A JPEG is never transparent, and may be too large to try.
  if (format === "jpeg") return undefined;
  return unlessOpaque(makeSquare(ctx, bytes, looks));
}

interface FetchedPicture {
  readonly picture: Attachment;
  readonly bytes: Buffer;
}

async function cutOutFirst(
  ctx: Ctx,
  { picture, bytes }: FetchedPicture,
  looks: ExpressionLook,
): Promise<Reply> {
  if (!ctx.has("background-key")) throw credentialMissing("background-key", ctx.rank);
  const removal = await cutOutOne(ctx, bytes);
  const { image: cutout } = removal;
  try {
    const found = readFoundSubject(removal);
    const source = { name: picture.filename, at: 1, kept: await keepCutout(ctx, removal), found };
    const [square, whole] = await Promise.all([
      makeSquare(ctx, cutout, { ...looks, source }),
      wholeFile(ctx, cutout, picture),
    ]);
    return drawExpression(ctx, { ...looks, source }, square, { whole, cost: costOf(ctx, removal) });
  } catch (error) {
    throw addChargeToError(error, removal);
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

/** Undefined if the service did not say, which does not mean that it was free. */
function costOf(
  { words }: Ctx,
  { creditsCharged: count }: { readonly creditsCharged?: number | undefined },
): string | undefined {
  return count === undefined ? undefined : words.say("background.credits", { count });
}
