import type { Attachment, Ctx } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type { FoundSubject } from "./found-subject.ts";

/** A finished cut-out that buttons start from. Their states hold it: small and JSON-shaped. */
export interface CutoutSource {
  /** File name that the picture had. */
  readonly name: string;
  /** Which attachment of the message shows the result. */
  readonly at: number;
  /** Where the transparent cut-out is in this process's memory; needed when the result itself is not transparent. */
  readonly kept?: string;
  /** A file of another message that has the cut-out, for when it is no longer kept. */
  readonly base?: Attachment;
  /** The service itself put the result on a background: it is `base`, or the message's own file. */
  readonly isWhole?: true;
  /** What the service said of the subject, in pixels of the cut-out. */
  readonly found?: FoundSubject;
  /** The result can't serve as the cut-out: it has a background, was cropped here, or is inside an archive. */
  readonly isFlat?: true;
  /** The picture as it was given; Discord forgets it after a while. */
  readonly original?: Attachment;
  /** Who posted the picture, when it was not the person who had it cut out. */
  readonly postedBy?: string;
}

/**
 * The cut-out with its transparency: from memory, from another message, or the message's own file.
 * @throws InputError `attachment_gone`, `cutout_gone`; what `fetchAttachment` throws.
 */
export async function cutoutOf(ctx: Ctx, source: CutoutSource): Promise<Uint8Array> {
  const kept = source.kept === undefined ? undefined : ctx.kept(source.kept);
  if (kept !== undefined) return kept;
  const file = source.isWhole === true ? undefined : shownCutout(ctx, source);
  if (file !== undefined) return ctx.fetchAttachment(file);
  throw source.isFlat === true
    ? new InputError("the cut-out is no longer kept", { code: "cutout_gone" })
    : new InputError("the picture is no longer there", { code: "attachment_gone" });
}

/** The file that has the cut-out with its transparency: of another message, or of this one. */
export function shownCutout(ctx: Ctx, { base, isFlat, at }: CutoutSource): Attachment | undefined {
  return base ?? (isFlat === true ? undefined : ctx.attachments[at]);
}
