import { openAsBlob } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { startUploadWorker } from "../../support/upload-worker.ts";
import { rig, video } from "./rig.ts";

const MiB = 1024 * 1024;
const size = 96 * MiB;

/** A stream of that many bytes out of one small piece. */
function generated(length: number): Readable {
  const piece = Buffer.alloc(64 * 1024, 7);
  let left = length;
  return new Readable({
    highWaterMark: piece.length,
    read() {
      const next = Math.min(left, piece.length);
      left -= next;
      this.push(next === 0 ? null : piece.subarray(0, next));
    },
  });
}

/** A file that takes no room. */
async function sparse(length: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "greenroom-upload-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "video.mp4");
  const file = await open(path, "w");
  await file.truncate(length);
  await file.close();
  return path;
}

/** The most that buffers grew by while the work went on. */
async function growth(work: () => Promise<unknown>): Promise<number> {
  const used = () => process.memoryUsage().arrayBuffers;
  const before = used();
  let peak = before;
  let isDone = false;
  const watch = async () => {
    while (!isDone) {
      peak = Math.max(peak, used());
      await delay(5);
    }
  };
  const watching = watch();
  await work();
  isDone = true;
  await watching;
  return peak - before;
}

describe("memory of an upload", () => {
  it.each([
    ["a stream", async () => video(generated(size), size)],
    ["a Blob", async () => video(await openAsBlob(await sparse(size)))],
  ])("does not grow with the size of %s", async (_what, open) => {
    const service = await startUploadWorker();
    onTestFinished(() => void service.close());
    const { send } = await rig({
      services: { chunkBytes: 8 * MiB, uploadBaseUrl: service.url },
    });
    const media = await open();

    const grown = await growth(() => send({ media }));

    expect(await service.receivedBytes()).toBe(size);
    expect(grown).toBeLessThan(64 * MiB);
  });
});
