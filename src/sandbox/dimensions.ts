export interface Dimensions {
  readonly type: string;
  readonly width: number;
  readonly height: number;
}

/** https://developers.google.com/speed/webp/docs/riff_container: simple, lossless and extended files. */
const webpSizes: Readonly<Record<string, (bytes: Buffer) => readonly [number, number]>> = {
  "VP8 ": (bytes) => [bytes.readUInt16LE(26) & 0x3f_ff, bytes.readUInt16LE(28) & 0x3f_ff],
  VP8L: (bytes) => {
    const packed = bytes.readUInt32LE(21);
    return [(packed & 0x3f_ff) + 1, ((packed >>> 14) & 0x3f_ff) + 1];
  },
  VP8X: (bytes) => [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1],
};

/** Walks the segments to the first frame: ITU-T T.81, annex B. */
function readJpeg(bytes: Buffer): Dimensions | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xff_d8) return undefined;
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes.readUInt8(at + 1);
    // SOF0 to SOF15, without DHT, JPG and DAC that lie between.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      const [height, width] = [bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7)];
      return { type: "image/jpeg", width, height };
    }
    // Any number of fill bytes may come before a marker.
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

export function readDimensions(data: Uint8Array): Dimensions | undefined {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const { length } = bytes;
  if (length >= 24 && bytes.readUInt32BE(0) === 0x89_50_4e_47) {
    return { type: "image/png", width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  }
  if (length >= 10 && bytes.toString("latin1", 0, 4) === "GIF8") {
    return { type: "image/gif", width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  }
  const jpeg = readJpeg(bytes);
  const isWebp = length >= 30 && bytes.toString("latin1", 8, 12) === "WEBP";
  if (jpeg !== undefined || !isWebp) return jpeg;
  const size = webpSizes[bytes.toString("latin1", 12, 16)]?.(bytes);
  return size && { type: "image/webp", width: size[0], height: size[1] };
}
