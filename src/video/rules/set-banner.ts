import { Readable } from "node:stream";
import { type Facts, InputError, ServiceError } from "../../errors.ts";
import { methods } from "../methods/index.ts";
import type { Channel } from "../resources/index.ts";
import type { UploadMedia, VideoCallOptions, VideoClient } from "../types.ts";
import { asPartlyDone, foreseenError, withFacts } from "./rule-errors.ts";
import { replaceParts } from "./update-resource.ts";

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
  image: UploadMedia,
  options: VideoCallOptions = {},
): Promise<NewBanner> {
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
    throw asPartlyDone(error, { step: name });
  }
}

const maxBytes = methods["channelBanners.insert"].media.maxBytes;

/** https://developers.google.com/youtube/v3/docs/channelBanners/insert */
const minSizePx = { width: 2048, height: 1152 } as const;
const aspectRatio = { width: 16, height: 9 } as const;

/**
 * Reads a whole banner and checks it against what YouTube takes, before anything is uploaded. Its type is read from
 * the bytes, whatever was declared.
 * @throws InputError `banner_too_large`, `banner_type`, `banner_too_small` or `banner_shape`
 */
export async function readBanner(media: UploadMedia): Promise<UploadMedia> {
  const data = await readBytes(media);
  const size = imageSize(data);
  if (size === undefined) throw bannerError("banner_type");
  const { type, width, height } = size;
  if (width < minSizePx.width || height < minSizePx.height) {
    const least = { minWidth: minSizePx.width, minHeight: minSizePx.height };
    throw bannerError("banner_too_small", { width, height, ...least });
  }
  // A pixel of rounding is allowed.
  if (Math.abs((width * aspectRatio.height) / aspectRatio.width - height) >= 1) {
    throw bannerError("banner_shape", { width, height });
  }
  return { data, type, bytes: data.byteLength };
}

async function readBytes({ data, bytes }: UploadMedia): Promise<Buffer> {
  if (data instanceof Readable) {
    if ((bytes ?? 0) > maxBytes) throw tooLarge();
    return collect(data);
  }
  const size = data instanceof Blob ? data.size : data.byteLength;
  if (size > maxBytes) throw tooLarge();
  if (data instanceof Blob) return Buffer.from(await data.arrayBuffer());
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
}

/** Reads a stream to its end. Leaving the loop early closes the stream. */
async function collect(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk as Uint8Array); // a byte stream yields bytes
    size += bytes.byteLength;
    if (size > maxBytes) throw tooLarge();
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

function tooLarge(): InputError {
  return bannerError("banner_too_large", { maxBytes });
}

function bannerError(code: string, facts: Facts = {}): InputError {
  return new InputError(`the banner was refused before its upload: ${code}`, { code, facts });
}

interface ImageSize {
  readonly type: "image/png" | "image/jpeg";
  readonly width: number;
  readonly height: number;
}

const pngSignature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");

/** Reads type and size from the bytes, whatever the file is called; undefined when it is neither PNG nor JPEG. */
export function imageSize(bytes: Buffer): ImageSize | undefined {
  if (bytes.length < 24) return undefined;
  if (bytes.subarray(0, 8).equals(pngSignature)) return pngSize(bytes);
  return bytes.readUInt16BE(0) === 0xffd8 ? jpegSize(bytes) : undefined;
}

/** IHDR comes first: https://www.w3.org/TR/png-3/#5ChunkOrdering */
function pngSize(bytes: Buffer): ImageSize | undefined {
  if (bytes.toString("latin1", 12, 16) !== "IHDR") return undefined;
  return { type: "image/png", width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** Walks the segments to the first frame: ITU-T T.81, annex B. */
function jpegSize(bytes: Buffer): ImageSize | undefined {
  let at = 2;
  while (at + 9 < bytes.length) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      // Any number of these may come before a marker.
      at += 1;
    } else if (isFrameMarker(marker)) {
      const [height, width] = [bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7)];
      return { type: "image/jpeg", width, height };
    } else {
      at += 2 + bytes.readUInt16BE(at + 2);
    }
  }
  return undefined;
}

/** SOF0 to SOF15, without DHT, JPG and DAC, which lie between. */
function isFrameMarker(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}
