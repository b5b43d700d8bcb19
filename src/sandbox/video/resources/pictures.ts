import { readDimensions } from "../../dimensions.ts";
import { requireOwnChannel, requireOwnVideo } from "../access.ts";
import { badBody, forbidden } from "../api-error.ts";
import type { ApiCall, Handler } from "../call.ts";
import { mintId, type StoredPicture } from "../data/index.ts";
import { objectAt, textAt } from "../json-body.ts";
import { withEtag } from "../resource.ts";
import { videoThumbnails } from "../thumbnails/addresses.ts";

/** docs/services/youtube.md#banners-and-watermarks; the size of the album is the stand-in's own. */
const bannerLimits = { width: 2048, height: 1152, ratio: 16 / 9, album: 100 } as const;
/** The stand-in's own: YouTube names the reasons and not the limits. */
const maxWatermarkSide = 2_048;

export const pictureHandlers = {
  "thumbnails.set": (call) => {
    const { query, origin } = call;
    const video = requireOwnVideo(call, query.text("videoId") ?? "", "videoId");
    video.thumbnail = readPicture(call, "thumbnail", "invalidImage").picture;
    return withEtag("thumbnailSetResponse", { items: [videoThumbnails(origin, video)] });
  },
  "channelBanners.insert": (call) => {
    const { state } = call;
    checkMedia(call, "channelBanner");
    const channelId = requireOwnChannel(call).id;
    const album = [...state.banners.values()].filter((banner) => banner.channelId === channelId);
    if (album.length >= bannerLimits.album) throw badBody("channelBanner", "bannerAlbumFull");
    const { picture, width, height } = readPicture(call, "channelBanner", "badRequest");
    const isLargeEnough = width >= bannerLimits.width && height >= bannerLimits.height;
    if (!isLargeEnough || Math.abs(width / height / bannerLimits.ratio - 1) >= 0.01) {
      throw badBody("channelBanner", "badRequest");
    }
    const id = mintId(state, "banner", 32);
    state.banners.set(id, { ...picture, channelId });
    return withEtag("channelBannerResource", { url: `${call.origin}/banners/${id}` });
  },
  "watermarks.set": (call) => {
    const { body, state } = call;
    const channelId = requireNamedChannel(call);
    const { picture, width, height } = readPicture(call, "watermark", "imageFormatUnsupported");
    if (height > maxWatermarkSide) throw badBody("watermark", "imageTooTall");
    if (width > maxWatermarkSide) throw badBody("watermark", "imageTooWide");
    state.watermarks.set(channelId, {
      picture,
      timing: objectAt(body, "timing") ?? {},
      targetChannelId: textAt(body, "targetChannelId"),
    });
    return undefined;
  },
  "watermarks.unset": (call) => {
    call.state.watermarks.delete(requireNamedChannel(call));
    return undefined;
  },
} as const satisfies Record<string, Handler>;

function checkMedia({ media }: ApiCall, resource: string): void {
  if (media === undefined) throw badBody(resource, "mediaBodyRequired");
}

/** A JPEG or PNG, whatever its declared type, with its size; anything else is refused with the reason. */
function readPicture(
  call: ApiCall,
  resource: string,
  reason: string,
): { readonly picture: StoredPicture; readonly width: number; readonly height: number } {
  checkMedia(call, resource);
  const { bytes, hash = "" } = call.media ?? {};
  const read = bytes && readDimensions(bytes);
  if (bytes === undefined || (read?.type !== "image/png" && read?.type !== "image/jpeg")) {
    throw badBody(resource, reason);
  }
  const { type, width, height } = read;
  return { picture: { type, bytes, hash }, width, height };
}

function requireNamedChannel(call: ApiCall): string {
  const { id } = requireOwnChannel(call);
  if (call.query.text("channelId") !== id) throw forbidden("watermark");
  return id;
}
