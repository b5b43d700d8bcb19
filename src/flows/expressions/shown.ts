import type { Ctx, ReplyFile } from "../../discord/index.ts";
import { cutoutOf } from "../cutout/source.ts";
import type { Chosen } from "./chosen.ts";
import { squareOf } from "./view.ts";

/** What was seen is what is added; a form that was given back comes from a message without the picture. */
export async function pictureOf(ctx: Ctx<unknown>, chosen: Chosen): Promise<Uint8Array> {
  const [shown] = ctx.attachments;
  if (shown !== undefined) return ctx.fetchAttachment(shown);
  const { bytes } = await squareOf(ctx, await cutoutOf(ctx, chosen.source), chosen);
  return bytes;
}

/** The whole cut-out, where it came with the picture and would go with it. */
export async function wholeOf(
  ctx: Ctx<unknown>,
  { source }: Chosen,
): Promise<ReplyFile | undefined> {
  const whole = source.at === 0 ? undefined : ctx.attachments[source.at];
  if (source.base !== undefined || whole === undefined) return undefined;
  const alt = ctx.words.say("background.alt", { name: source.name.slice(0, 200) });
  return { name: whole.filename, data: await ctx.fetchAttachment(whole), alt };
}
