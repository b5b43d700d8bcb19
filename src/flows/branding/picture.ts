import type { Attachment, Ctx, ReplyFile, Words } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type { Fitted, Picture } from "../../images/index.ts";
import { mismatchOf, type PlaceName, places } from "./places.ts";

/** A picture made for its place, and what it was before. */
export interface PlacedPicture {
  readonly fitted: Fitted;
  readonly original: Picture & { readonly bytes: number };
}

/**
 * Reads what was attached and makes it fit, before any unit is spent; never larger than this answer can carry.
 * @throws InputError as `Images.fit`
 */
export async function placePicture(
  ctx: Ctx<unknown>,
  attachment: Attachment,
  name: PlaceName,
): Promise<PlacedPicture> {
  const { signal } = ctx;
  const place = places[name];
  const bytes = await ctx.fetchAttachment(attachment);
  const original = await ctx.images.inspect(bytes, { signal });
  const maxBytes = Math.min(place.maxBytes, ctx.attachmentLimit);
  const fitted = await ctx.images.fit(bytes, { ...place, maxBytes, signal });
  return { fitted, original: { ...original, bytes: bytes.length } };
}

/** What a call uploads. */
export function mediaOf({ bytes, format }: Pick<Fitted, "bytes" | "format">) {
  return { data: bytes, type: `image/${format}`, bytes: bytes.length } as const;
}

/** As a file of a message, without the name it had. */
export function fileOf({ bytes, format }: Fitted, name: string, alt: string): ReplyFile {
  return { name: `${name}.${format === "jpeg" ? "jpg" : "png"}`, data: bytes, alt };
}

/** The picture that a question showed, as it was fitted. @throws InputError `attachment_gone` */
export async function shownPicture(ctx: Ctx<unknown>) {
  const [shown] = ctx.attachments;
  if (shown === undefined) throw pictureGone();
  const bytes = await ctx.fetchAttachment(shown);
  const { format } = await ctx.images.inspect(bytes, { signal: ctx.signal });
  // What is shown was fitted before, and no place takes a WebP.
  return mediaOf({ bytes, format: format === "png" ? "png" : "jpeg" });
}

export function pictureGone(): InputError {
  return new InputError("the message carries no picture any more", {
    code: "attachment_gone",
    hint: "Discord no longer has the picture. Run the command again with it.",
  });
}

/** What became of the picture: its measures before and after, and what falls away or is filled up. */
export function fittedLines(
  { original, fitted }: PlacedPicture,
  name: PlaceName,
  words: Words,
): readonly string[] {
  const size = ({ width, height }: { width: number; height: number }) => `${width} × ${height}`;
  const before = `${size(original)}, ${words.bytes(original.bytes)}`;
  const after = `${size(fitted)}, ${fitted.format === "jpeg" ? "JPG" : "PNG"}, ${words.bytes(fitted.bytes.length)}`;
  return [
    fitted.fitted === "unchanged"
      ? words.say("branding.picture.same", { after })
      : words.say("branding.picture.becomes", { before, after }),
    ...shapeLine({ original, fitted }, name, words),
  ];
}

/** A line of rounding is not worth a word. */
const leastShare = 0.005;

function shapeLine(
  { original, fitted: { fitted } }: PlacedPicture,
  name: PlaceName,
  words: Words,
): readonly string[] {
  const { edge, share } = mismatchOf(original, places[name]);
  if (share < leastShare) return [];
  const told = { edge, share: words.percent(share) };
  if (fitted === "cropped") return [words.say("branding.picture.lost", told)];
  // Round a watermark they may be clear, and its reply shows them.
  const isBlack = fitted === "barred" && name !== "watermark";
  return isBlack ? [words.say("branding.picture.bars", told)] : [];
}
