import type { Attachment, ReplyFile, Words } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type { FitOptions, FittedPicture, PictureInfo, PreviewOptions } from "../../images/index.ts";
import type { Ctx } from "../context/index.ts";

type PicturePlace = Omit<FitOptions, "signal">;

const mebibyte = 1024 * 1024;

const anyThumbnail = {
  maxBytes: 50 * mebibyte,
  // YouTube itself fills other shapes up with this colour: docs/services/youtube.md#thumbnails
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

/** The places for pictures of a channel and its videos, and what each accepts. */
export const picturePlaces = {
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
  // The size of Shorts; YouTube's minimum is not documented.
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
} as const satisfies Record<string, PicturePlace>;

export type PicturePlaceName = keyof typeof picturePlaces;

type PictureMeasures = Pick<PictureInfo, "width" | "height">;

/** Whether enough pixels are left when the picture covers the place. */
export function canCover({ width, height }: PictureMeasures, place: PicturePlace): boolean {
  const { minWidth = 1, minHeight = 1 } = place;
  const ratio = place.width / place.height;
  return (
    Math.min(width, height * ratio) >= minWidth && Math.min(height, width / ratio) >= minHeight
  );
}

/** A picture made for its place, and what it was before. */
export interface PlacedPicture {
  readonly fitted: FittedPicture;
  readonly original: PictureInfo & { readonly bytes: number };
}

/**
 * Reads what was attached and makes it fit, before any unit is spent; never larger than the reply can carry.
 * @throws InputError as `Images.fit`
 */
export async function fitPictureToPlace(
  ctx: Ctx,
  attachment: Attachment,
  name: PicturePlaceName,
): Promise<PlacedPicture> {
  const { signal } = ctx;
  const place = picturePlaces[name];
  const bytes = await ctx.fetchAttachment(attachment);
  const original = await ctx.images.inspect(bytes, { signal });
  const maxBytes = Math.min(place.maxBytes, ctx.attachmentLimit);
  const fitted = await ctx.images.fit(bytes, { ...place, maxBytes, signal });
  return { fitted, original: { ...original, bytes: bytes.length } };
}

/** A fitted picture as the upload of a call. */
export function pictureMedia({ bytes, format }: Pick<FittedPicture, "bytes" | "format">) {
  return { data: bytes, type: `image/${format}`, bytes: bytes.length } as const;
}

/** A fitted picture as a file of a message. */
export function fittedFile({ bytes, format }: FittedPicture, name: string, alt: string): ReplyFile {
  return { name: `${name}.${format === "jpeg" ? "jpg" : "png"}`, data: bytes, alt };
}

const previewName = "preview.webp";

/** The picture as it will be seen in its place. */
export async function previewFile(
  ctx: Ctx,
  { bytes }: FittedPicture,
  options: Omit<PreviewOptions, "signal"> & { readonly alt: string },
): Promise<ReplyFile> {
  const { alt, place } = options;
  const data = await ctx.images.preview(bytes, { place, signal: ctx.signal });
  return { name: previewName, data, alt };
}

/** The fitted picture that a question shows beside its preview. @throws InputError `attachment_gone` */
export async function readShownPicture(ctx: Ctx) {
  const shown = ctx.attachments.find(({ filename }) => filename !== previewName);
  if (shown === undefined) throw pictureGoneError();
  const bytes = await ctx.fetchAttachment(shown);
  const { format } = await ctx.images.inspect(bytes, { signal: ctx.signal });
  // The shown picture was fitted before, and no place accepts a WebP.
  return pictureMedia({ bytes, format: format === "png" ? "png" : "jpeg" });
}

export function pictureGoneError(): InputError {
  return new InputError("the message carries no picture any more", { code: "attachment_gone" });
}

/** What was done to the picture: its size before and after, and what is cut off or filled up. */
export function describeFitting(
  { original, fitted }: PlacedPicture,
  name: PicturePlaceName,
  words: Words,
): readonly string[] {
  const before = `${original.width} × ${original.height}, ${words.bytes(original.bytes)}`;
  const after = `${fitted.width} × ${fitted.height}, ${fitted.format === "jpeg" ? "JPG" : "PNG"}, ${words.bytes(fitted.bytes.length)}`;
  return [
    fitted.fitted === "unchanged"
      ? words.say("branding.picture.same", { after })
      : words.say("branding.picture.becomes", { before, after }),
    ...shapeLine({ original, fitted }, name, words),
  ];
}

/** Less than this is rounding, and not worth mentioning. */
const leastShare = 0.005;

function shapeLine(
  { original, fitted: { fitted } }: PlacedPicture,
  name: PicturePlaceName,
  words: Words,
): readonly string[] {
  const place = picturePlaces[name];
  const wider = (original.width * place.height) / (original.height * place.width);
  /** Of its width or height; if the picture is kept whole, the same share of the place stays empty. */
  const share = 1 - Math.min(wider, 1 / wider);
  if (share < leastShare) return [];
  const facts = { edge: wider > 1 ? "sides" : "ends", share: words.percent(share) };
  if (fitted === "cropped") return [words.say("branding.picture.lost", facts)];
  // The bars of a watermark may be transparent, and its reply shows them.
  const isBlack = fitted === "barred" && name !== "watermark";
  return isBlack ? [words.say("branding.picture.bars", facts)] : [];
}
