import {
  endOfImage,
  firstArithmetic,
  isFrameMarker,
  isProgressive,
  type JpegFrame,
  readJpegFrame,
  startOfScan,
  unsupportedIn,
  walkJpeg,
} from "./jpeg.ts";
import {
  findScanEnd,
  readHuffmanTables,
  readScanComponents,
  type ScanTables,
} from "./jpeg-scan.ts";

/** Markers of ITU-T T.81, table B.1. */
const huffmanTables = 0xc4;
const restartInterval = 0xdd;
const endMarker = Buffer.from([0xff, endOfImage]);
const zeroBytes = 16;

/** Far more segments than a picture has: a profile of 16 MB takes 256. */
const maxSegments = 1_000;
/** ITU-T T.81, B.2.2 and B.2.3. */
const maxComponents = 4;
const maxFactor = 4;

/**
 * The file with an end marker behind the last pixel, for cameras that write none: undefined if pixels are missing. For
 * several passes the end is where the next marker is, so that only decoding tells whether pixels are missing.
 */
export function endJpeg(bytes: Buffer): Buffer | undefined {
  const tables: ScanTables = { huffman: new Map(), restartInterval: 0 };
  let segments = 0;
  let frame: JpegFrame | undefined;
  let missing: ReturnType<typeof createMissing> | undefined;
  for (const { marker, start, end, next } of walkJpeg(bytes)) {
    if (++segments > maxSegments) return undefined;
    const body = bytes.subarray(start + 4, end);
    if (marker === huffmanTables) {
      if (!readHuffmanTables(body, tables.huffman)) return undefined;
    } else if (marker === restartInterval && body.length >= 2) {
      tables.restartInterval = body.readUInt16BE(0);
    } else if (isFrameMarker(marker)) {
      if (frame || body.length < 6) return undefined;
      frame = readJpegFrame(marker, body);
      if (frame.marker >= firstArithmetic || unsupportedIn(frame)) return undefined;
      const factors = frame.components.map(({ across, down }) => Math.max(across, down));
      if (factors.length > maxComponents || Math.max(...factors) > maxFactor) return undefined;
      missing = createMissing(frame);
    } else if (marker === startOfScan) {
      if (!frame || !missing) return undefined;
      const scan = { head: body, start: end };
      const scanEnd = isProgressive(frame) ? next : findScanEnd(bytes, scan, frame, tables);
      if (scanEnd === undefined || isInZeros(bytes, scanEnd)) return undefined;
      missing.take(body);
      if (missing.isNone()) return Buffer.concat([bytes.subarray(0, scanEnd), endMarker]);
    }
  }
  return undefined;
}

/** Whether zeros lie on both sides: a download that broke off has them for its last pixels, and they read like flat ones. */
function isInZeros(bytes: Buffer, at: number): boolean {
  const around = bytes.subarray(at - zeroBytes, at + zeroBytes);
  return around.length === 2 * zeroBytes && around.every((byte) => byte === 0);
}

/** The coefficients of each component that no scan has brought in full yet: ITU-T T.81, B.2.3 and G.1.1. */
function createMissing(frame: JpegFrame) {
  const missing = new Map(frame.components.map(({ id }) => [id, new Set(Array(64).keys())]));
  return {
    take(head: Buffer) {
      const [first = 0, last = 0, approximation = 0] = head.subarray(1 + 2 * (head[0] ?? 0));
      if (isProgressive(frame) && (approximation & 15) > 0) return;
      for (const { id } of readScanComponents(head, frame)) {
        if (!isProgressive(frame)) missing.delete(id);
        for (let at = first; at <= Math.min(last, 63); at++) missing.get(id)?.delete(at);
        if (missing.get(id)?.size === 0) missing.delete(id);
      }
    },
    isNone: () => missing.size === 0,
  };
}
