import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { seeded } from "../support/random.ts";

/** The block size in which Node reads files. */
const blockBytes = 64 * 1024;
/** More than are ever in flight at once; a block that is overwritten too early would show in the hash. */
const ringBlocks = 32;

/** A file that is generated while it is read; no two of its blocks are alike, and the seed decides all of it. */
export interface Film {
  readonly stream: Readable;
  /** Hexadecimal SHA-256 of what has been read so far. */
  hash(): string;
}

export function openFilm(bytes: number, seed: number): Film {
  const hash = createHash("sha256");
  const stream = Readable.from(
    blocks(bytes, seed, (block) => hash.update(block)),
    {
      objectMode: false,
      highWaterMark: blockBytes,
    },
  );
  return { stream, hash: () => hash.copy().digest("hex") };
}

/** Reuses its blocks in turn, so that it adds no garbage to the reader's. */
function* blocks(bytes: number, seed: number, note: (block: Buffer) => void): Generator<Buffer> {
  const random = seeded(seed);
  const pattern = Buffer.from(Array.from({ length: 4_096 }, () => Math.floor(random() * 256)));
  const count = Math.min(ringBlocks, Math.ceil(bytes / blockBytes));
  const ring = Array.from({ length: count }, () => Buffer.alloc(blockBytes, pattern));
  for (let at = 0, turn = 0; at < bytes; at += blockBytes, turn += 1) {
    const whole = ring[turn % count] ?? Buffer.alloc(blockBytes);
    whole.writeDoubleLE(at + random(), 0);
    const block = whole.subarray(0, bytes - at);
    note(block);
    yield block;
  }
}
