import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { enableCompileCache, getCompileCacheDir } from "node:module";
import { join } from "node:path";
import sharp from "sharp";
import { afterEach, describe, expect, it, vi } from "vitest";
import { InputError } from "../../src/errors.ts";
import { type CreateImagesOptions, createImages, type Images } from "../../src/images/index.ts";
import { workers } from "./campaign.ts";
import { codeOf, cutoutZip, grey, photo, zipOf } from "./pictures.ts";

const opened: Images[] = [];

function open(options?: CreateImagesOptions): Images {
  const images = createImages(options);
  opened.push(images);
  return images;
}

afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(opened.splice(0).map((images) => images.close()));
});

const kill = (signal: NodeJS.Signals) => {
  const [pid] = workers();
  if (pid === undefined) throw new Error("no worker to kill");
  process.kill(pid, signal);
};

/**
 * CPU that the worker has used, in hundredths of a second (https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html).
 */
function usedTicks(): number {
  const [pid] = workers();
  const fields = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1]?.split(" ");
  return Number(fields?.[11]);
}

/** Flat colours: a small file that takes long to encode. */
async function largeZip(width: number, height: number): Promise<Buffer> {
  const color = await sharp({ create: { width, height, channels: 3, background: "#369" } })
    .jpeg()
    .toBuffer();
  const alpha = await grey(Buffer.alloc(width * height, 200), width, height);
  return zipOf({ name: "color.jpg", data: color }, { name: "alpha.png", data: alpha });
}

const small = await cutoutZip(60, 40);
const medium = await largeZip(1_600, 1_250);
const large = await largeZip(4_000, 2_500);

describe.runIf(process.platform === "linux")("createImages", () => {
  it("starts no process before the first job and ends it when idle", async () => {
    const images = open({ idleMs: 50 });
    expect(workers()).toEqual([]);

    await images.compose(small, { format: "png" });
    expect(workers()).toHaveLength(1);

    await vi.waitFor(() => expect(workers()).toEqual([]), { timeout: 60_000 });
    expect(await images.compose(small, { format: "png" })).toMatchObject({ width: 60 });
  });

  it("keeps what a worker compiled for the next one", async () => {
    enableCompileCache();
    const folder = join(getCompileCacheDir() ?? "", "pictures");
    rmSync(folder, { recursive: true, force: true });
    const images = open({ workers: 1 });

    await images.compose(small, { format: "png" });

    const compiled = () => readdirSync(folder, { recursive: true }).length;
    await vi.waitFor(() => expect(compiled()).toBeGreaterThan(20), { timeout: 60_000 });
  });

  it("inspects, prepares and composes in the same worker", async () => {
    const images = open({ workers: 1 });
    const picture = await photo(60, 40).jpeg().toBuffer();

    expect(await images.inspect(picture)).toEqual({
      format: "jpeg",
      width: 60,
      height: 40,
      frames: 1,
    });
    const [first] = workers();
    const prepared = await images.prepare(picture, { maxBytes: 12e6, maxPixels: 50e6 });
    const composed = await images.compose(small, { format: "webp" });

    expect([prepared.bytes.equals(picture), prepared.fitted]).toEqual([true, "unchanged"]);
    expect((await sharp(composed.bytes).metadata()).format).toBe("webp");
    expect(composed).toMatchObject({ format: "webp", width: 60, height: 40, fitted: "asked" });
    expect(workers()).toEqual([first]);
  });

  it("fits in the worker, and hands the very same bytes back where nothing had to change", async () => {
    const images = open({ workers: 1 });
    const picture = await photo(160, 90).jpeg().toBuffer();
    const place = { width: 160, height: 90, shape: "cover", maxBytes: 1e6 } as const;

    const same = await images.fit(picture, place);
    const square = await images.fit(picture, { ...place, width: 80, height: 80 });
    const refused = await images
      .fit(picture, { ...place, minWidth: 161, minHeight: 91 })
      .catch((error: unknown) => error);

    expect(same.bytes.buffer).toBe(picture.buffer);
    expect(same).toMatchObject({ format: "jpeg", fitted: "unchanged", width: 160, height: 90 });
    expect(square).toMatchObject({ fitted: "cropped", width: 80, height: 80 });
    expect((await sharp(square.bytes).metadata()).width).toBe(80);
    expect(refused).toBeInstanceOf(InputError);
    expect(refused).toMatchObject({
      code: "picture_too_small",
      facts: { width: 160, height: 90, minWidth: 161, minHeight: 91 },
    });
  });

  it("stops fitting when its signal aborts", async () => {
    const images = open({ workers: 1 });
    const picture = await photo(60, 40).resize(5_000, 4_000).png().toBuffer();
    const abort = new AbortController();
    const place = { width: 4_000, height: 4_000, shape: "cover", maxBytes: 1e6 } as const;
    const running = images.fit(picture, { ...place, signal: abort.signal });
    await vi.waitFor(() => expect(workers()).toHaveLength(1));

    abort.abort(new Error("changed my mind"));

    await expect(running).rejects.toThrow("changed my mind");
    expect(images.load()).toEqual({ running: 0, waiting: 0 });
  });

  it("hands refusals over as they are", async () => {
    const images = open();

    const refused = images.inspect(Buffer.from("%PDF-1.7"));

    await expect(refused).rejects.toBeInstanceOf(InputError);
    await expect(refused).rejects.toMatchObject({
      code: "picture_type",
      facts: { found: "pdf" },
    });
    expect(await codeOf(images.compose(Buffer.from("PK"), { format: "png" }))).toBe(
      "cutout_damaged",
    );
  });

  it("fails the job whose worker is killed and does the next one", async () => {
    const warn = vi.fn();
    const images = open({ workers: 1, log: { warn } });
    const killed = codeOf(images.compose(large, { format: "webp" }));
    await vi.waitFor(() => expect(workers()).toHaveLength(1));
    const next = images.compose(small, { format: "png" });

    kill("SIGKILL");

    expect(await killed).toBe("picture_worker");
    expect(await next).toMatchObject({ width: 60 });
    expect(warn.mock.calls).toEqual([
      ["picture worker ended", { job: "compose", end: "died", detail: "SIGKILL" }],
    ]);
  });

  it("ends a worker that passes its memory and does the next job", async () => {
    const images = open({ workers: 1, maxWorkerBytes: 170e6 });

    const refused = images.compose(large, { format: "webp" });

    await expect(refused).rejects.toMatchObject({
      code: "picture_worker",
      facts: { end: "memory" },
    });
    expect(await images.compose(small, { format: "png" })).toMatchObject({ width: 60 });
  });

  it("ends a job that takes too long and does the next one", async () => {
    const images = open({ workers: 1, jobMs: 60_000 });
    await images.compose(small, { format: "png" });
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    const refused = images.compose(large, { format: "webp" });
    kill("SIGSTOP");

    // Pictures that were paid for may take five times as long.
    vi.advanceTimersByTime(300_000);
    vi.useRealTimers();

    await expect(refused).rejects.toMatchObject({ code: "picture_worker", facts: { end: "time" } });
    expect(await images.compose(small, { format: "png" })).toMatchObject({ width: 60 });
  });

  it("takes a waiting job back", async () => {
    const images = open({ workers: 1 });
    const running = images.compose(small, { format: "png" });
    const abort = new AbortController();
    const waiting = images.compose(small, { format: "png", signal: abort.signal });
    expect(images.load()).toEqual({ running: 1, waiting: 1 });

    abort.abort(new Error("changed my mind"));

    await expect(waiting).rejects.toThrow("changed my mind");
    expect(images.load()).toEqual({ running: 1, waiting: 0 });
    expect(await running).toMatchObject({ width: 60 });
  });

  it("stops a running job at once and does the next one", async () => {
    const images = open({ workers: 1 });
    await images.compose(small, { format: "png" });
    const before = usedTicks();
    const abort = new AbortController();
    const running = images.compose(large, { format: "webp", signal: abort.signal });
    await vi.waitFor(() => expect(usedTicks()).toBeGreaterThan(before + 5), { timeout: 60_000 });

    abort.abort(new Error("changed my mind"));

    await expect(running).rejects.toThrow("changed my mind");
    expect(images.load()).toEqual({ running: 0, waiting: 0 });
    expect(await images.compose(small, { format: "png" })).toMatchObject({ width: 60 });
  });

  it("does not begin what is already aborted", async () => {
    const images = open();

    const refused = images.compose(small, { format: "png", signal: AbortSignal.abort() });

    await expect(refused).rejects.toThrow(/abort/);
    expect(workers()).toEqual([]);
  });

  it("takes turns between servers, and between their people", async () => {
    const images = open({ workers: 1 });
    const done: string[] = [];
    const places: (number | undefined)[] = [];
    const job = (name: string, onQueued = (_: number | undefined) => {}) =>
      images
        .of({ tenant: name.slice(0, 1), person: name.slice(0, 2), onQueued })
        .compose(small, { format: "png" })
        .then(() => done.push(name));

    await Promise.all([
      ...["a1 first", "a1 second", "a1 third", "a1 fourth"].map((name) => job(name)),
      job("a2", (ahead) => places.push(ahead)),
      job("b1"),
    ]);

    expect(done).toEqual(["a1 first", "a1 second", "b1", "a2", "a1 third", "a1 fourth"]);
    expect(places).toEqual([1, 2, 1, 0, undefined]);
  });

  it("admits by estimated bytes, in order", async () => {
    const images = open({ workers: 3, budgetBytes: 60e6 });
    const done: string[] = [];
    const job = (name: string, zip: Buffer) =>
      images.compose(zip, { format: "webp" }).then(() => done.push(name));

    const jobs = [job("first", medium), job("second", medium), job("small", small)];

    // 2 megapixels as WebP need an estimated 44 MB: two do not fit, and the small one must not overtake.
    expect(images.load()).toEqual({ running: 1, waiting: 2 });
    await Promise.all(jobs);
    expect(done[0]).toBe("first");
    expect(new Set(done.slice(1))).toEqual(new Set(["second", "small"]));
  });

  it("runs small jobs side by side", () => {
    const images = open({ workers: 2, budgetBytes: 300e6 });

    const jobs = [1, 2, 3].map(() => codeOf(images.compose(small, { format: "webp" })));

    expect(images.load()).toEqual({ running: 2, waiting: 1 });
    return Promise.all(jobs);
  });

  it("leaves the work of composing 10 megapixels to another process", async () => {
    const images = open({ workers: 1 });
    await images.compose(small, { format: "png" });
    const order: string[] = [];

    const composing = images.compose(large, { format: "png" }).then(() => order.push("composed"));
    for (let turn = 0; turn < 20; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      order.push("turn");
    }
    await composing;

    expect(order).toEqual([...Array(20).fill("turn"), "composed"]);
    expect(workers()).toHaveLength(1);
  });

  it("composes the largest result there is as a WebP, which takes the most memory", async () => {
    const [width, height] = [8_660, 5_773];
    const grain = randomBytes(width * 3 * 13).map((byte) => 112 + (byte % 32));
    const pixels = Buffer.alloc(width * height * 3, grain);
    const color = await sharp(pixels, { raw: { width, height, channels: 3 } })
      .jpeg()
      .toBuffer();
    const slope = Buffer.from(Array.from({ length: width }, (_, x) => (x * 255) / width));
    const alpha = await grey(Buffer.alloc(width * height, slope), width, height);
    const zip = zipOf({ name: "color.jpg", data: color }, { name: "alpha.png", data: alpha });

    const result = await open().compose(zip, { format: "webp" });

    expect(result).toMatchObject({ format: "webp", width: 8_660, height: 5_773 });
  });

  it("hands no secret of the environment to its workers", async () => {
    vi.stubEnv("DISCORD_TOKEN", "CANARY-TOKEN");
    const images = open();
    await images.compose(small, { format: "png" });
    vi.unstubAllEnvs();

    expect(readFileSync(`/proc/${workers()[0]}/environ`, "utf8")).not.toContain("CANARY");
  });

  it("ends waiting and running jobs when it is closed, and takes none afterwards", async () => {
    const images = open({ workers: 1 });
    const running = codeOf(images.compose(large, { format: "webp" }));
    const waiting = codeOf(images.compose(small, { format: "png" }));

    await images.close();

    expect(await Promise.all([running, waiting])).toEqual(["picture_worker", "picture_worker"]);
    expect(await codeOf(images.compose(small, { format: "png" }))).toBe("picture_worker");
    expect(workers()).toEqual([]);
  });
});
