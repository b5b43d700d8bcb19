/** What the first bytes of a picture tell. */
export interface ImageSize {
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
