import type { Readable } from "node:stream";
import { lengthMismatch, sourceFailed } from "./media.ts";
import type { Source, SourceOptions } from "./source.ts";

/** A stream that gives nothing for so long gives nothing any more. */
const silenceMs = 5 * 60_000;

/** Reads a stream through one buffer of a chunk, whatever the size of its own pieces. */
export function streamSource(
  stream: Readable,
  { method, bytes, chunkBytes }: SourceOptions,
): Source {
  // Not pooled, and made when it is needed: a refused session then costs no memory.
  let buffer: Buffer | undefined;
  /** The buffer holds the bytes from `start` up to `end`. */
  let start = 0;
  let end = 0;
  let rest: Uint8Array = new Uint8Array(0);
  let isRead = false;
  const pieces = piecesOf(stream, method);

  async function fill(into: Buffer): Promise<void> {
    const goal = Math.min(start + into.byteLength, bytes);
    while (end < goal) {
      if (rest.byteLength === 0) rest = await nextPiece();
      const taken = rest.subarray(0, goal - end);
      into.set(taken, end - start);
      end += taken.byteLength;
      rest = rest.subarray(taken.byteLength);
    }
    if (end === bytes) await expectEnd();
  }

  async function nextPiece(): Promise<Uint8Array> {
    const piece = await pieces.next();
    if (piece === undefined) throw lengthMismatch(method);
    return piece;
  }

  /** Before the last chunk leaves: with it the service would take a shortened file for a whole one. */
  async function expectEnd(): Promise<void> {
    while (!isRead) {
      if (rest.byteLength > 0) throw lengthMismatch(method);
      const piece = await pieces.next();
      if (piece === undefined) isRead = true;
      else rest = piece;
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

interface Pieces {
  /** Undefined at the end. */
  next(): Promise<Uint8Array | undefined>;
}

function piecesOf(stream: Readable, method: string): Pieces {
  const iterator: AsyncIterator<unknown> = stream[Symbol.asyncIterator]();
  return {
    next: async () => {
      const timer = setTimeout(() => stream.destroy(new Error("silent source")), silenceMs);
      try {
        const { done, value } = await iterator.next();
        return done ? undefined : bytesOf(value);
      } catch (error) {
        throw sourceFailed(method, error);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

function bytesOf(piece: unknown): Uint8Array {
  if (piece instanceof Uint8Array) return piece;
  if (typeof piece === "string") return Buffer.from(piece);
  throw new TypeError("the stream gives no bytes");
}
