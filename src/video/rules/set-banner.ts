import { type Facts, InputError, ServiceError } from "../../errors.ts";
import { readPictureHead } from "../../images/index.ts";
import { methods } from "../methods/index.ts";
import type { Channel } from "../resources/index.ts";
import type { UploadMedia, VideoCallOptions, VideoClient } from "../types.ts";
import { foreseenError, withFacts } from "./rule-errors.ts";
import { replaceParts } from "./update-resource.ts";

interface BannerPicture {
  readonly data: Uint8Array;
}

interface NewBanner {
  readonly channel: Channel;
  /** The address that the upload answered. */
  readonly url: string;
}

/**
 * Sets the banner of the token's channel: checks the picture, uploads it, reads the channel's settings, and writes them
 * back with the new address and everything else unchanged. Costs two writes and a read.
 * @throws InputError `banner_too_large`, `banner_type`, `banner_too_small` or `banner_shape` before anything is sent; what
 * `call` throws, with the fact `step` (`upload`, `read` or `set`). Up to `upload` nothing was changed; after it the outcome
 * is `part`, because only the picture was uploaded.
 */
export async function setBanner(
  client: VideoClient,
  image: BannerPicture,
  options: VideoCallOptions = {},
): Promise<NewBanner> {
  const media = checkBanner(image);
  const url = await upload(client, media, options);
  const current = await step("read", () => readSettings(client, options));
  const change = { brandingSettings: { image: { bannerExternalUrl: url } } };
  const parts = ["brandingSettings"];
  const channel = await step("set", () =>
    replaceParts(client, "channels.update", { current: { ...current }, change, parts }, options),
  );
  return { channel, url };
}

async function upload(
  client: VideoClient,
  media: UploadMedia,
  options: VideoCallOptions,
): Promise<string> {
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

async function readSettings(client: VideoClient, { signal }: VideoCallOptions): Promise<Channel> {
  const part = ["brandingSettings", "id"] as const;
  const { items } = await client.call(
    "channels.list",
    { part, mine: true },
    { ...(signal && { signal }) },
  );
  const [channel] = items;
  if (channel?.id !== undefined) return channel;
  const method = "channels.list";
  throw foreseenError("the token has no channel", {
    reason: "authenticatedUserNotChannel",
    status: 403,
    method,
  });
}

/** Failures after the upload have the outcome `part`; before it nothing is done. */
async function step<T>(name: "read" | "set", work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw withFacts(error, { step: name }, "part");
  }
}

const maxBytes = methods["channelBanners.insert"].media.maxBytes;

/** https://developers.google.com/youtube/v3/docs/channelBanners/insert */
const minSizePx = { width: 2048, height: 1152 } as const;
const aspectRatio = { width: 16, height: 9 } as const;

/**
 * Checks a banner against what YouTube takes, before anything is uploaded. Its type is read from the bytes.
 * @throws InputError `banner_too_large`, `banner_type`, `banner_too_small` or `banner_shape`
 */
export function checkBanner({ data }: BannerPicture): UploadMedia {
  if (data.byteLength > maxBytes) throw bannerError("banner_too_large", { maxBytes });
  const head = readPictureHead(data);
  if (head?.size === undefined || head.format === "webp") throw bannerError("banner_type");
  const { width, height } = head.size;
  if (width < minSizePx.width || height < minSizePx.height) {
    const least = { minWidth: minSizePx.width, minHeight: minSizePx.height };
    throw bannerError("banner_too_small", { width, height, ...least });
  }
  // A pixel of rounding is allowed.
  if (Math.abs((width * aspectRatio.height) / aspectRatio.width - height) >= 1) {
    throw bannerError("banner_shape", { width, height });
  }
  return { data, type: head.mediaType };
}

function bannerError(code: string, facts: Facts = {}): InputError {
  return new InputError(`the banner was refused before its upload: ${code}`, { code, facts });
}
