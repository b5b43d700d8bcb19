import type { Attachment, Ctx, ReplyFile, Words } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type { FitOptions, Fitted, Picture } from "../../images/index.ts";

type Place = Omit<FitOptions, "signal">;

const mebibyte = 1024 * 1024;

const anyThumbnail = {
  maxBytes: 50 * mebibyte,
  // The colour with which the service itself fills up other shapes (interface specification, thumbnail rules).
  background: "#000000",
} as const;

// 1,280 × 720 recommended, 640 wide at least: https://support.google.com/youtube/answer/72431
const wideThumbnail = {
  ...anyThumbnail,
  width: 1280,
  height: 720,
  minWidth: 640,
  minHeight: 360,
} as const;

/** Where pictures of a channel go, and what each place takes. */
export const places = {
  // 2,048 × 1,152 at least, 16:9, 6 MB: https://developers.google.com/youtube/v3/docs/channelBanners/insert
  banner: {
    width: 2560,
    height: 1440,
    minWidth: 2048,
    minHeight: 1152,
    shape: "cover",
    maxBytes: 6 * mebibyte,
  },
  thumbnail: { ...wideThumbnail, shape: "contain" },
  croppedThumbnail: { ...wideThumbnail, shape: "cover" },
  // For Shorts, which have this size; the service's minimum is documented nowhere.
  uprightThumbnail: {
    ...anyThumbnail,
    width: 1080,
    height: 1920,
    minWidth: 360,
    minHeight: 640,
    shape: "contain",
  },
  // Square, 150 × 150 at least, under 1 MB: https://support.google.com/youtube/answer/10456525
  watermark: {
    width: 600,
    height: 600,
    minWidth: 150,
    minHeight: 150,
    shape: "contain",
    maxBytes: 1_000_000,
  },
} as const satisfies Record<string, Place>;

export type PlaceName = keyof typeof places;

type Measures = Pick<Picture, "width" | "height">;

/** How far a picture's shape is from that of a place: `edge` is what is cut off so that it covers the place. */
interface Mismatch {
  readonly edge: "sides" | "ends";
  /** Share of its width or height; the same share of the place stays empty when the picture is kept whole. */
  readonly share: number;
}

function mismatchOf({ width, height }: Measures, place: Measures): Mismatch {
  const wider = (width * place.height) / (height * place.width);
  return { edge: wider > 1 ? "sides" : "ends", share: 1 - Math.min(wider, 1 / wider) };
}

/** Whether enough pixels are left when the picture covers the place. */
export function canCover({ width, height }: Measures, place: Place): boolean {
  const { minWidth = 1, minHeight = 1 } = place;
  const ratio = place.width / place.height;
  return (
    Math.min(width, height * ratio) >= minWidth && Math.min(height, width / ratio) >= minHeight
  );
}

/** A picture made for its place, and what it was before. */
export interface PlacedPicture {
  readonly fitted: Fitted;
  readonly original: Picture & { readonly bytes: number };
}

/**
 * Reads what was attached and makes it fit, before any unit is spent; never larger than the reply can carry.
 * @throws InputError as `Images.fit`
 */
export async function placePicture(
  ctx: Ctx,
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

/** A fitted picture as a call uploads it. */
export function mediaOf({ bytes, format }: Pick<Fitted, "bytes" | "format">) {
  return { data: bytes, type: `image/${format}`, bytes: bytes.length } as const;
}

/** A fitted picture as a file of a message, under a name of our own. */
export function fileOf({ bytes, format }: Fitted, name: string, alt: string): ReplyFile {
  return { name: `${name}.${format === "jpeg" ? "jpg" : "png"}`, data: bytes, alt };
}

/** The picture that a question showed, as it was fitted. @throws InputError `attachment_gone` */
export async function shownPicture(ctx: Ctx) {
  const [shown] = ctx.attachments;
  if (shown === undefined) throw pictureGone();
  const bytes = await ctx.fetchAttachment(shown);
  const { format } = await ctx.images.inspect(bytes, { signal: ctx.signal });
  // What is shown was fitted before, and no place takes a WebP.
  return mediaOf({ bytes, format: format === "png" ? "png" : "jpeg" });
}

export function pictureGone(): InputError {
  return new InputError("the message carries no picture any more", { code: "attachment_gone" });
}

/** What was done to the picture: its size before and after, and what is cut off or filled up. */
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

/** Less than this is only rounding, and not worth saying. */
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
  // The bars of a watermark may be transparent, and its reply shows them.
  const isBlack = fitted === "barred" && name !== "watermark";
  return isBlack ? [words.say("branding.picture.bars", told)] : [];
}
