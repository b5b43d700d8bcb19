import { Readable } from "node:stream";
import { type CheckedMedia, mediaError } from "./media.ts";

/** The source of an upload, read one chunk at a time. */
export interface UploadSource {
  readonly bytes: number;
  /**
   * Reads the bytes from `at` on: a whole chunk, or what is left. The result is valid until the next read.
   * @throws InputError `upload_source_failed` or `upload_length_mismatch`
   */
  read(at: number): Promise<Uint8Array>;
  /** Whether it can be read from there. A stream can only go back within the last chunk. */
  canRead(at: number): boolean;
}

interface SourceOptions {
  /** Named in its errors. */
  readonly method: string;
  readonly bytes: number;
  readonly chunkBytes: number;
}

export function openSource(
  { data, bytes }: CheckedMedia,
  options: Omit<SourceOptions, "bytes">,
): UploadSource {
  if (data instanceof Readable) return streamSource(data, { ...options, bytes });
  if (data instanceof Blob) return blobSource(data, { ...options, bytes });
  return {
    bytes,
    read: async (at) => data.subarray(at, Math.min(at + options.chunkBytes, bytes)),
    canRead: () => true,
  };
}

/** Reads a Blob, which may stand for a file larger than memory, through one buffer of a chunk. */
function blobSource(blob: Blob, { method, bytes, chunkBytes }: SourceOptions): UploadSource {
  let buffer: Buffer | undefined;
  return {
    bytes,
    read: async (at) => {
      buffer ??= Buffer.allocUnsafeSlow(Math.min(chunkBytes, bytes));
      const chunk = buffer.subarray(0, Math.min(chunkBytes, bytes - at));
      const copied = await copy(blob.slice(at, at + chunk.byteLength), chunk).catch((error) => {
        // A file may change or vanish.
        throw mediaError(method, "upload_source_failed", { cause: error });
      });
      if (copied !== chunk.byteLength) throw mediaError(method, "upload_length_mismatch");
      return chunk;
    },
    canRead: () => true,
  };
}

async function copy(blob: Blob, into: Buffer): Promise<number> {
  let at = 0;
  for await (const piece of blob.stream()) {
    into.set(piece, at);
    at += piece.byteLength;
    // Freed at once: until garbage collection the pieces of a large file would add up to 64 MB and more.
    piece.buffer.transfer(0);
  }
  return at;
}

/** A stream that yields nothing for this long counts as failed. */
const silenceMs = 5 * 60_000;

/** Reads a stream through one buffer of a chunk, whatever the size of the stream's own chunks. */
function streamSource(
  stream: Readable,
  { method, bytes, chunkBytes }: SourceOptions,
): UploadSource {
  // Not pooled, and allocated when first needed, so that a refused session costs no memory.
  let buffer: Buffer | undefined;
  /** The buffer holds the bytes from `start` up to `end`. */
  let start = 0;
  let end = 0;
  let unread: Uint8Array = new Uint8Array(0);
  let isRead = false;
  const nextPiece = readPieces(stream, method);

  async function fill(into: Buffer): Promise<void> {
    const goal = Math.min(start + into.byteLength, bytes);
    while (end < goal) {
      if (unread.byteLength === 0) {
        const piece = await nextPiece();
        if (piece === undefined) throw mediaError(method, "upload_length_mismatch");
        unread = piece;
      }
      const taken = unread.subarray(0, goal - end);
      into.set(taken, end - start);
      end += taken.byteLength;
      unread = unread.subarray(taken.byteLength);
    }
    if (end === bytes) await expectEnd();
  }

  /** Checked before the last chunk is sent: after it YouTube would take a truncated file for a whole one. */
  async function expectEnd(): Promise<void> {
    while (!isRead) {
      if (unread.byteLength > 0) throw mediaError(method, "upload_length_mismatch");
      const piece = await nextPiece();
      if (piece === undefined) isRead = true;
      else unread = piece;
    }
  }

  return {
    bytes,
    read: async (at) => {
      buffer ??= Buffer.allocUnsafeSlow(Math.min(chunkBytes, bytes));
      buffer.copyWithin(0, at - start, end - start);
      start = at;
      await fill(buffer);
      return buffer.subarray(0, end - start);
    },
    canRead: (at) => at >= start && at <= end,
  };
}

/** The function that reads the next piece; undefined at the end. */
function readPieces(stream: Readable, method: string) {
  const iterator: AsyncIterator<unknown> = stream[Symbol.asyncIterator]();
  return async (): Promise<Uint8Array | undefined> => {
    const timer = setTimeout(() => stream.destroy(new Error("silent source")), silenceMs);
    try {
      const { done, value } = await iterator.next();
      return done ? undefined : toBytes(value);
    } catch (error) {
      throw mediaError(method, "upload_source_failed", { cause: error });
    } finally {
      clearTimeout(timer);
    }
  };
}

function toBytes(piece: unknown): Uint8Array {
  if (piece instanceof Uint8Array) return piece;
  if (typeof piece === "string") return Buffer.from(piece);
  throw new TypeError("the stream gives no bytes");
}
