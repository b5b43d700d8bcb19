import type { Ctx, ReplyFile } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type { Chosen } from "./chosen.ts";

/** The picture of the message that was pressed: what was seen is what is added. */
export async function pictureIn(ctx: Ctx<unknown>): Promise<Uint8Array> {
  const [shown] = ctx.attachments;
  if (shown !== undefined) return ctx.fetchAttachment(shown);
  throw new InputError("the picture is no longer there", {
    code: "attachment_gone",
    hint: "Discord no longer has the picture. Run the command again with it.",
  });
}

/** The whole cut-out, where it came with the picture and would go with it. */
export async function wholeIn(
  ctx: Ctx<unknown>,
  { source }: Chosen,
): Promise<ReplyFile | undefined> {
  const whole = source.at === 0 ? undefined : ctx.attachments[source.at];
  if (source.base !== undefined || whole === undefined) return undefined;
  return { name: whole.filename, data: await ctx.fetchAttachment(whole) };
}
