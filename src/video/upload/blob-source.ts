import { lengthMismatch, sourceFailed } from "./media.ts";
import type { Source, SourceOptions } from "./source.ts";

/** Reads a Blob, which may stand for a file larger than memory, through one buffer of a chunk. */
export function blobSource(blob: Blob, { method, bytes, chunkBytes }: SourceOptions): Source {
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
