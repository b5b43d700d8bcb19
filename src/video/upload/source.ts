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
  /** Lets go of it, whatever is left. */
  close(): void;
}

export interface SourceOptions {
  /** For what it throws. */
  readonly method: string;
  readonly chunkBytes: number;
}

export function openSource(media: CheckedMedia, options: SourceOptions): Source {
  const { data, bytes } = media;
  if (data instanceof Readable) return streamSource(data, { ...options, bytes });
  const { method, chunkBytes } = options;
  return {
    bytes,
    read: async (at) => {
      const end = Math.min(at + chunkBytes, bytes);
      if (data instanceof Uint8Array) return data.subarray(at, end);
      const chunk = await blobBytes(method, data.slice(at, end));
      if (chunk.byteLength !== end - at) throw lengthMismatch(method);
      return chunk;
    },
    canRead: () => true,
    close: () => {},
  };
}

/** A Blob may stand for a file, and files change and vanish. */
async function blobBytes(method: string, blob: Blob): Promise<Uint8Array> {
  try {
    return new Uint8Array(await blob.arrayBuffer());
  } catch (error) {
    throw sourceFailed(method, error);
  }
}
