import { ServiceError } from "../../errors.ts";
import type { Channel } from "../resources/index.ts";
import type { CallOptions, Media, VideoClient } from "../types.ts";
import { readBanner } from "./banner-image.ts";
import { afterPart, refusal, withFacts } from "./refusal.ts";
import { replaceParts } from "./update-resource.ts";

export interface BannerSet {
  readonly channel: Channel;
  /** Address that the upload answered. */
  readonly url: string;
}

/**
 * Gives the token's channel a banner: checks the picture, uploads it, reads the channel's settings, and writes them back
 * with the new address, all else kept. Costs two writes and a read (specification, section 4, rule 1).
 * @throws InputError `banner_too_large`, `banner_type`, `banner_too_small` or `banner_shape` before anything is sent; what
 * `call` throws, with the fact `step` (`upload`, `read` or `set`): up to `upload` nothing was changed, after it the
 * outcome is `part` because only the picture was uploaded.
 */
export async function setBanner(
  client: VideoClient,
  image: Media,
  options: CallOptions = {},
): Promise<BannerSet> {
  const media = await readBanner(image);
  const url = await upload(client, media, options);
  const current = await step("read", () => readSettings(client, options));
  const change = { brandingSettings: { image: { bannerExternalUrl: url } } };
  const parts = ["brandingSettings"];
  const channel = await step("set", () =>
    replaceParts(client, "channels.update", { current: { ...current }, change, parts }, options),
  );
  return { channel, url };
}

async function upload(client: VideoClient, media: Media, options: CallOptions): Promise<string> {
  const { url } = await client
    .call("channelBanners.insert", { media }, options)
    .catch((error: unknown) => {
      throw withFacts(error, { step: "upload" });
    });
  if (url) return url;
  throw new ServiceError("channelBanners.insert answered without an address", {
    code: "unreadable_answer",
    outcome: "part",
    facts: { method: "channelBanners.insert", step: "upload" },
  });
}

async function readSettings(client: VideoClient, { signal }: CallOptions): Promise<Channel> {
  const part = ["brandingSettings", "id"] as const;
  const { items } = await client.call(
    "channels.list",
    { part, mine: true },
    { ...(signal && { signal }) },
  );
  const [channel] = items;
  if (channel?.id !== undefined) return channel;
  const method = "channels.list";
  throw refusal("the token has no channel", {
    reason: "authenticatedUserNotChannel",
    status: 403,
    method,
  });
}

/** Only the upload is told as it went: nothing lies behind it. */
async function step<T>(name: "read" | "set", work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw afterPart(error, { step: name });
  }
}
