import { Readable } from "node:stream";
import { type Facts, InputError } from "../../errors.ts";
import { methods } from "../methods/index.ts";
import type { Media } from "../types.ts";

const maxBytes = methods["channelBanners.insert"].media.maxBytes;

/** Smallest banner and its shape (specification, section 8). */
const smallest = { width: 2048, height: 1152 } as const;
const shape = { width: 16, height: 9 } as const;

/**
 * Reads a banner whole and holds it against what the service takes, before anything is uploaded. The bytes tell what it
 * is, not what it is declared as.
 * @throws InputError `banner_too_large`, `banner_type`, `banner_too_small` or `banner_shape`
 */
export async function readBanner(media: Media): Promise<Media> {
  const data = await bytesOf(media);
  const size = imageSize(data);
  if (size === undefined) throw refused("banner_type");
  const { type, width, height } = size;
  if (width < smallest.width || height < smallest.height) {
    const least = { minWidth: smallest.width, minHeight: smallest.height };
    throw refused("banner_too_small", { width, height, ...least });
  }
  // A pixel of rounding is forgiven.
  if (Math.abs((width * shape.height) / shape.width - height) >= 1) {
    throw refused("banner_shape", { width, height });
  }
  return { data, type, bytes: data.byteLength };
}

async function bytesOf({ data, bytes }: Media): Promise<Buffer> {
  if (data instanceof Readable) {
    if ((bytes ?? 0) > maxBytes) throw tooLarge();
    return collect(data);
  }
  const size = data instanceof Blob ? data.size : data.byteLength;
  if (size > maxBytes) throw tooLarge();
  if (data instanceof Blob) return Buffer.from(await data.arrayBuffer());
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
}

/** Leaving the loop early closes the stream. */
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
  return refused("banner_too_large", { maxBytes });
}

function refused(code: string, facts: Facts = {}): InputError {
  return new InputError(`the banner was refused before its upload: ${code}`, { code, facts });
}

/** What the first bytes of a picture tell. */
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
    } else if (isFrame(marker)) {
      const [height, width] = [bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7)];
      return { type: "image/jpeg", width, height };
    } else {
      at += 2 + bytes.readUInt16BE(at + 2);
    }
  }
  return undefined;
}

/** SOF0 to SOF15, without DHT, JPG and DAC that lie between. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}
