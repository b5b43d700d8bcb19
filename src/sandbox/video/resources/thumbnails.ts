import { readDimensions } from "../../dimensions.ts";
import { editableVideo, ownChannel } from "../access.ts";
import type { ApiCall, Handler, UploadedMedia } from "../call.ts";
import { mintId, type StoredPicture } from "../data/index.ts";
import { objectAt, textAt } from "../json-body.ts";
import { badBody, forbidden } from "../refusal.ts";
import { etagFor } from "../resource.ts";
import { videoThumbnails } from "../thumbnails/index.ts";

const thumbnailKind = "youtube#thumbnailSetResponse";

export const thumbnailHandlers = {
  "thumbnails.set": (call) => {
    const { media, query, origin } = call;
    const video = editableVideo(call, query.text("videoId") ?? "", "videoId");
    if (media === undefined) throw badBody("thumbnail", "mediaBodyRequired");
    const read = readUploadedPicture(media);
    if (read === undefined) throw badBody("thumbnail", "invalidImage");
    video.thumbnail = read.picture;
    const content = { kind: thumbnailKind, items: [videoThumbnails(origin, video)] };
    return { kind: thumbnailKind, etag: etagFor(content), items: content.items };
  },
} as const satisfies Record<string, Handler>;

/** A picture with its size, read from its first bytes. */
interface ReadPicture {
  readonly picture: StoredPicture;
  readonly width: number;
  readonly height: number;
}

/** A JPEG or PNG, whatever its declared type; undefined for anything else. */
function readUploadedPicture({ bytes, hash }: UploadedMedia): ReadPicture | undefined {
  if (bytes === undefined) return undefined;
  const read = readDimensions(bytes);
  if (read === undefined) return undefined;
  const { type, width, height } = read;
  if (type !== "image/png" && type !== "image/jpeg") return undefined;
  return { picture: { type, bytes, hash }, width, height };
}

const bannerKind = "youtube#channelBannerResource";

/** docs/services/youtube.md#banners-and-watermarks; the size of the album is the stand-in's own. */
const bannerLimits = { width: 2048, height: 1152, ratio: 16 / 9, album: 100 } as const;

export const channelBannerHandlers = {
  "channelBanners.insert": (call) => {
    const { state, media } = call;
    if (media === undefined) throw badBody("channelBanner", "mediaBodyRequired");
    const channelId = ownChannel(call).id;
    const album = [...state.banners.values()].filter((banner) => banner.channelId === channelId);
    if (album.length >= bannerLimits.album) throw badBody("channelBanner", "bannerAlbumFull");
    const read = readUploadedPicture(media);
    if (read === undefined || !isBanner(read)) throw badBody("channelBanner", "badRequest");
    const id = mintId(state, "banner", 32);
    state.banners.set(id, { ...read.picture, channelId });
    const content = { kind: bannerKind, url: bannerUrl(call, id) };
    return { kind: bannerKind, etag: etagFor(content), url: content.url };
  },
} as const satisfies Record<string, Handler>;

function isBanner({ width, height }: { width: number; height: number }): boolean {
  const isLargeEnough = width >= bannerLimits.width && height >= bannerLimits.height;
  return isLargeEnough && Math.abs(width / height / bannerLimits.ratio - 1) < 0.01;
}

function bannerUrl({ origin }: Pick<ApiCall, "origin">, id: string): string {
  return `${origin}/banners/${id}`;
}

/** Whether an address is one that this channel was given for a banner of its own. */
export function isOwnBanner(call: ApiCall, url: string): boolean {
  const own = [...call.state.banners].filter(([, { channelId }]) => channelId === call.viewer);
  return own.some(([id]) => new URL(bannerUrl(call, id)).pathname === readPath(url));
}

function readPath(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).pathname : undefined;
}

/** The stand-in's own: YouTube names the reasons and not the limits. */
const maxWatermarkSide = 2_048;

export const watermarkHandlers = {
  "watermarks.set": (call) => {
    const { media, body, state } = call;
    const channelId = checkChannel(call);
    if (media === undefined) throw badBody("watermark", "mediaBodyRequired");
    const read = readUploadedPicture(media);
    if (read === undefined) throw badBody("watermark", "imageFormatUnsupported");
    if (read.height > maxWatermarkSide) throw badBody("watermark", "imageTooTall");
    if (read.width > maxWatermarkSide) throw badBody("watermark", "imageTooWide");
    state.watermarks.set(channelId, {
      picture: read.picture,
      timing: objectAt(body, "timing") ?? {},
      targetChannelId: textAt(body, "targetChannelId"),
    });
    return undefined;
  },
  "watermarks.unset": (call) => {
    call.state.watermarks.delete(checkChannel(call));
    return undefined;
  },
} as const satisfies Record<string, Handler>;

function checkChannel(call: ApiCall): string {
  const { id } = ownChannel(call);
  if (call.query.text("channelId") !== id) throw forbidden("watermark");
  return id;
}
