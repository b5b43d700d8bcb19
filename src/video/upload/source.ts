import { Readable } from "node:stream";
import { blobSource } from "./blob-source.ts";
import type { CheckedMedia } from "./media.ts";
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
