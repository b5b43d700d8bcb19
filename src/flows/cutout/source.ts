import type { Attachment, Ctx } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";

/** A finished cut-out that buttons start from. It lies in their state, so it is small and JSON-shaped. */
export interface CutoutSource {
  /** File name that the picture had. */
  readonly name: string;
  /** Which attachment of the message shows the result. */
  readonly at: number;
  /** Where the transparent cut-out is in this process's memory; needed when the result itself is not transparent. */
  readonly kept?: string;
  /** The picture as it was given; Discord forgets it after a while. */
  readonly original?: Attachment;
  /** Who posted the picture, when it was not the person who had it cut out. */
  readonly postedBy?: string;
}

/**
 * The cut-out with its transparency: from memory, or the message's own file. A file that is not transparent is what
 * `Images.compose` refuses as `picture_opaque`.
 * @throws InputError `attachment_gone`.
 */
export async function cutoutOf(ctx: Ctx<unknown>, source: CutoutSource): Promise<Uint8Array> {
  const kept = source.kept === undefined ? undefined : ctx.kept(source.kept);
  if (kept !== undefined) return kept;
  const shown = ctx.attachments[source.at];
  if (shown === undefined) throw pictureGone();
  return ctx.fetchAttachment(shown);
}

/** The picture as it was given. @throws InputError `attachment_gone`; what `fetchAttachment` throws when it is too old. */
export async function originalOf(ctx: Ctx<unknown>, { original }: CutoutSource): Promise<Buffer> {
  if (original === undefined) throw pictureGone();
  return ctx.fetchAttachment(original);
}

function pictureGone(): InputError {
  return new InputError("the picture is no longer there", {
    code: "attachment_gone",
    hint: "Discord no longer has the picture. Run the command again with it.",
  });
}
