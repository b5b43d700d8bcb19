import {
  type Attachment,
  type Ctx,
  type ExpressionKind,
  notConnected,
  type Reply,
  type ReplyFile,
} from "../../discord/index.ts";
import { BotError } from "../../errors.ts";
import type { Square } from "../../images/index.ts";
import { afterCharge, cutOutOne, foundSubject } from "../cutout/index.ts";
import type { ExpressionChoice } from "./kinds.ts";
import { forms } from "./kinds.ts";
import { squareOf, view } from "./view.ts";

interface ExpressionOptions {
  readonly kind?: ExpressionKind | undefined;
  readonly rim?: boolean | undefined;
}

/**
 * Makes a sticker or an emoji of any picture. One with transparency costs nothing; any other is cut out first, and
 * the whole cut-out comes along, because it was paid for.
 */
export async function fromPicture(
  ctx: Ctx,
  picture: Attachment,
  { kind = "sticker", rim }: ExpressionOptions,
): Promise<Reply> {
  const { words } = ctx;
  const chosen = { kind, hasRim: rim ?? forms[kind].hasRim };
  const bytes = await ctx.fetchAttachment(picture);
  const asItIs = await withoutService(ctx, bytes, chosen);
  if (asItIs !== undefined) {
    const source = { name: picture.filename, at: 0, base: picture };
    return view(ctx, { ...chosen, source }, asItIs, { lines: [words.say("expressions.free")] });
  }
  return cutOutFirst(ctx, { picture, bytes }, chosen);
}

type Looks = Pick<ExpressionChoice, "kind" | "hasRim">;

/** Undefined when the picture has a background. */
async function withoutService(ctx: Ctx, bytes: Buffer, looks: Looks): Promise<Square | undefined> {
  const { signal } = ctx;
  const { format } = await ctx.images.inspect(bytes, { signal });
  // A JPEG has no transparency, and may be too large to try.
  if (format === "jpeg") return undefined;
  try {
    return await squareOf(ctx, bytes, looks);
  } catch (error) {
    if (error instanceof BotError && error.code === "picture_opaque") return undefined;
    throw error;
  }
}

interface Fetched {
  readonly picture: Attachment;
  readonly bytes: Buffer;
}

async function cutOutFirst(ctx: Ctx, { picture, bytes }: Fetched, looks: Looks): Promise<Reply> {
  if (!ctx.has("background-key")) throw notConnected("background-key", ctx.rank);
  const removal = await cutOutOne(ctx, bytes);
  const { image: cutout } = removal;
  try {
    const found = foundSubject(removal);
    const source = { name: picture.filename, at: 1, kept: ctx.keep(cutout), found };
    const [square, whole] = await Promise.all([
      squareOf(ctx, cutout, { ...looks, source }),
      wholeFile(ctx, cutout, picture),
    ]);
    return view(ctx, { ...looks, source }, square, { whole, cost: costOf(ctx, removal) });
  } catch (error) {
    throw afterCharge(error, removal);
  }
}

/** The whole cut-out, as it was paid for. */
async function wholeFile(ctx: Ctx, cutout: Buffer, { filename }: Attachment): Promise<ReplyFile> {
  const { attachmentLimit: maxBytes, signal, words } = ctx;
  const { bytes, format } = await ctx.images.compose(cutout, { format: "auto", maxBytes, signal });
  const name = filename.slice(0, 200);
  const alt = words.say("background.alt", { name });
  return { name: `${name.replace(/\.[^.]*$/u, "")}-cutout.${format}`, data: bytes, alt };
}

/** Undefined when the service did not say; absent is not zero. */
function costOf(
  { words }: Ctx,
  { creditsCharged: count }: { readonly creditsCharged?: number | undefined },
): string | undefined {
  return count === undefined ? undefined : words.say("background.credits", { count });
}
