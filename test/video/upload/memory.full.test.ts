import { openAsBlob } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, it, onTestFinished } from "vitest";
import { startUploadWorker } from "../../support/upload-worker.ts";
import { rig, video } from "./rig.ts";

const MiB = 1024 * 1024;
const size = 40 * MiB;
const chunkBytes = 8 * MiB;

/** A stream of that many bytes, made from one small piece, and the number of bytes read so far. */
function generated(length: number) {
  const piece = Buffer.alloc(64 * 1024, 7);
  let taken = 0;
  const stream = new Readable({
    highWaterMark: piece.length,
    read() {
      const next = Math.min(length - taken, piece.length);
      taken += next;
      this.push(next === 0 ? null : piece.subarray(0, next));
    },
  });
  return { stream, taken: () => taken };
}

/** A file of that length that takes no space on the disk. */
async function sparse(length: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "greenroom-upload-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "video.mp4");
  const file = await open(path, "w");
  await file.truncate(length);
  await file.close();
  return path;
}

async function opened() {
  const service = await startUploadWorker();
  onTestFinished(() => void service.close());
  const { send } = await rig({ services: { chunkBytes, uploadBaseUrl: service.url } });
  return { service, send };
}

describe("an upload", () => {
  it("takes no more than two chunks of a stream ahead of what the service has", async () => {
    const { service, send } = await opened();
    const { stream, taken } = generated(size);
    let ahead = 0;
    const onProgress = (sent: number) => {
      ahead = Math.max(ahead, taken() - sent);
    };

    await send({ media: video(stream, size), onProgress });

    expect(await service.receivedBytes()).toBe(size);
    expect(ahead).toBeLessThanOrEqual(2 * chunkBytes);
  });

  it("reads a Blob a chunk at a time", async () => {
    const { service, send } = await opened();
    const blob = await openAsBlob(await sparse(size));
    const slices: number[] = [];
    const slice = blob.slice.bind(blob);
    blob.slice = (from = 0, to = blob.size) => {
      slices.push(to - from);
      return slice(from, to);
    };

    await send({ media: video(blob) });

    expect(await service.receivedBytes()).toBe(size);
    expect(Math.max(...slices)).toBeLessThanOrEqual(chunkBytes);
  });
});
