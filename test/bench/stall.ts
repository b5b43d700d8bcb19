import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createImages, type Images } from "../../src/images/index.ts";
import { answering } from "./acknowledge.ts";
import { withInputs } from "./compose-inputs.ts";
import type { BenchRow, BenchRows } from "./row.ts";

const run = promisify(execFile);
const idleScript = fileURLToPath(new URL("./compose-idle.ts", import.meta.url));

/** `dispatch.ack.busy` measures how much longer answers take because of pictures. */
const maxStallMs = 20;

/** How long pictures hold up the process that has them worked on. */
export const rows: BenchRows = { "compose.stall": stallRows };

async function stallRows(): Promise<readonly BenchRow[]> {
  const queue = await ofQueue();
  const quiet = await answering("quiet");
  const busy = await answering("busy");
  return [
    row("compose.stall", queue.stallMs, queue.floorMs),
    // By CPU: the clock would include the machine's other processes; the first row compares by the clock.
    row("compose.stall.bot", busy.stallMs, quiet.stallMs),
  ];
}

function row(name: string, value: number, floor: number): BenchRow {
  return { name, value, unit: "ms", floor, goal: maxStallMs, ok: value <= maxStallMs };
}

/**
 * This process waits for jobs of every kind, including the start of the workers; its floor is a process that only
 * waits.
 */
function ofQueue(): Promise<{ readonly stallMs: number; readonly floorMs: number }> {
  return withInputs(["10mp", "50mp", "40mp", "photo.10mp"], async (files) => {
    const [small, large, camera, photo] = await Promise.all(files.map((file) => readFile(file)));
    if (!small || !large || !camera || !photo) throw new TypeError("an input is missing");
    const idle = run(process.execPath, [idleScript]);
    const images = createImages();
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    await Promise.all(jobsOn(images, { small, large, camera, photo }));
    delay.disable();
    await images.close();
    idle.child.stdin?.end();
    return { stallMs: delay.max / 1e6, floorMs: Number((await idle).stdout) };
  });
}

interface Inputs {
  /** ZIPs of 10 and 50 megapixels. */
  readonly small: Buffer;
  readonly large: Buffer;
  /** JPEGs of 40 and 10 megapixels. */
  readonly camera: Buffer;
  readonly photo: Buffer;
}

function jobsOn(images: Images, { small, large, camera, photo }: Inputs) {
  const service = { maxBytes: 12_000_000, maxPixels: 50_000_000 };
  return [
    images.compose(small, { format: "png" }),
    images.prepare(camera, service),
    images.compose(large, { format: "jpg" }),
    images.thumbnail(small, {
      width: 1280,
      height: 720,
      backdrop: { kind: "gradient", from: "#112233", to: "#8899aa" },
      title: { text: "A title of some length" },
      maxBytes: 2_000_000,
    }),
    images.sheet([photo, camera], { maxBytes: 2_000_000 }),
    images.compose(large, { format: "auto", maxBytes: 25_000_000 }),
    images.square(small, { side: 512, maxBytes: 512_000 }),
    images.fit(camera, { width: 480, height: 480, shape: "inside", maxBytes: 1_000_000 }),
    images.compose(small, { format: "auto", backdrop: { kind: "blur" } }),
    images.prepare(photo, service),
    images.compose(small, { format: "png" }),
  ];
}
