import { ownChannel } from "../access.ts";
import { etagOf } from "../answer.ts";
import type { Call, Handler } from "../call.ts";
import { badBody } from "../refusal.ts";
import { mintId } from "../world/index.ts";
import { readPicture } from "./thumbnails.ts";

const kind = "youtube#channelBannerResource";

/** Specification, section 8; the size of the album is the stand-in's own. */
const limits = { width: 2048, height: 1152, ratio: 16 / 9, album: 100 } as const;

export const channelBanners = {
  "channelBanners.insert": (call) => {
    const { world, media } = call;
    if (media === undefined) throw badBody("channelBanner", "mediaBodyRequired");
    const channelId = ownChannel(call).id;
    const album = [...world.banners.values()].filter((banner) => banner.channelId === channelId);
    if (album.length >= limits.album) throw badBody("channelBanner", "bannerAlbumFull");
    const read = readPicture(media);
    if (read === undefined || !isBanner(read)) throw badBody("channelBanner", "badRequest");
    const id = mintId(world, "banner", 32);
    world.banners.set(id, { ...read.picture, channelId });
    const content = { kind, url: bannerUrl(call, id) };
    return { kind, etag: etagOf(content), url: content.url };
  },
} as const satisfies Record<string, Handler>;

function isBanner({ width, height }: { width: number; height: number }): boolean {
  const isLargeEnough = width >= limits.width && height >= limits.height;
  return isLargeEnough && Math.abs(width / height / limits.ratio - 1) < 0.01;
}

function bannerUrl({ origin }: Pick<Call, "origin">, id: string): string {
  return `${origin}/banners/${id}`;
}

/** Whether an address is one that this channel was given for a banner of its own. */
export function isOwnBanner(call: Call, url: string): boolean {
  const own = [...call.world.banners].filter(([, { channelId }]) => channelId === call.viewer);
  return own.some(([id]) => new URL(bannerUrl(call, id)).pathname === pathOf(url));
}

function pathOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).pathname : undefined;
}
