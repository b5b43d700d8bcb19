import { Readable } from "node:stream";
import { type CheckedMedia, lengthMismatch, sourceFailed } from "./media.ts";
import { streamSource } from "./stream-source.ts";

/** Where an upload reads from, a chunk at a time. */
export interface Source {
  readonly bytes: number;
  /**
   * The bytes from `at` on: a whole chunk, or what is left. Valid until the next read.
   * @throws InputError `upload_source_failed` or `upload_length_mismatch`
   */
  read(at: number): Promise<Uint8Array>;
  /** Whether it can be read from there; a stream only goes back within what it has read last. */
  canRead(at: number): boolean;
}

export interface SourceOptions {
  /** For what it throws. */
  readonly method: string;
  readonly bytes: number;
  readonly chunkBytes: number;
}

export function openSource(
  { data, bytes }: CheckedMedia,
  options: Omit<SourceOptions, "bytes">,
): Source {
  if (data instanceof Readable) return streamSource(data, { ...options, bytes });
  if (data instanceof Blob) return blobSource(data, { ...options, bytes });
  return {
    bytes,
    read: async (at) => data.subarray(at, Math.min(at + options.chunkBytes, bytes)),
    canRead: () => true,
  };
}

/** Reads a Blob, which may stand for a file larger than memory, through one buffer of a chunk. */
function blobSource(blob: Blob, { method, bytes, chunkBytes }: SourceOptions): Source {
  let buffer: Buffer | undefined;
  return {
    bytes,
    read: async (at) => {
      buffer ??= Buffer.allocUnsafeSlow(Math.min(chunkBytes, bytes));
      const chunk = buffer.subarray(0, Math.min(chunkBytes, bytes - at));
      const copied = await copy(blob.slice(at, at + chunk.byteLength), chunk).catch((error) => {
        // Files change and vanish.
        throw sourceFailed(method, error);
      });
      if (copied !== chunk.byteLength) throw lengthMismatch(method);
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
    // Given back at once: left to the collector, the pieces of a large file pile up to 64 MB and more.
    piece.buffer.transfer(0);
  }
  return at;
}
