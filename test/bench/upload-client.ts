/** Uploads a film and prints what it took: `node upload-client.ts ours|bare URL TITLE BYTES SEED`. */
import { readFileSync, writeFileSync } from "node:fs";
import { request } from "undici";
import { createHttp } from "../../src/http/index.ts";
import { createVideoClient } from "../../src/video/index.ts";
import { openFilm } from "./film.ts";
import { hurry } from "./haste.ts";

export interface UploadCost {
  /** More than the idle process that has loaded everything. */
  readonly peakMiB: number;
  readonly wallMs: number;
  readonly hash: string;
  /** As the last progress report said. */
  readonly reported: number;
}

interface Upload {
  readonly title: string;
  readonly bytes: number;
  readonly seed: number;
}

type Way = (upload: Upload) => Promise<Pick<UploadCost, "hash" | "reported">>;

const [way = "", url = "", title = "", bytes = "", seed = ""] = process.argv.slice(2);
// The waits after a cut are not what is measured, so they are a hundred times shorter.
const http = createHttp(hurry(100));
const client = createVideoClient({ baseUrl: `${url}/youtube/v3`, token: "bench-token", http });

const ours: Way = async ({ title, bytes, seed }) => {
  const film = openFilm(bytes, seed);
  let reported = 0;
  await client.call(
    "videos.insert",
    {
      part: ["snippet", "status"],
      body: { snippet: { title, categoryId: "22" }, status: { privacyStatus: "private" } },
      media: { data: film.stream, type: "video/mp4", bytes },
    },
    {
      onProgress: (sent) => {
        reported = sent;
      },
    },
  );
  return { hash: film.hash(), reported };
};

/** The whole file in one request without any cut: the least that streaming takes. */
const bare: Way = async ({ title, bytes, seed }) => {
  const film = openFilm(bytes, seed);
  const start = await request(`${url}/youtube/v3/videos?uploadType=resumable`, {
    method: "POST",
    headers: { "x-upload-content-length": String(bytes) },
    body: JSON.stringify({ snippet: { title } }),
  });
  await start.body.dump();
  const answer = await request(String(start.headers.location), {
    method: "PUT",
    headers: {
      "content-length": String(bytes),
      "content-range": `bytes 0-${bytes - 1}/${bytes}`,
    },
    body: film.stream,
  });
  await answer.body.dump();
  return { hash: film.hash(), reported: bytes };
};

const run = way === "ours" ? ours : bare;
await run({ title: `${title} warm-up`, bytes: 100_000, seed: 1 });
globalThis.gc?.();
const idle = process.memoryUsage.rss();
forgetPeak();
const started = performance.now();
const done = await run({ title, bytes: Number(bytes), seed: Number(seed) });
const wallMs = performance.now() - started;
const cost: UploadCost = { peakMiB: (peak() - idle) / 1_048_576, wallMs, ...done };
console.log(JSON.stringify(cost));
await http.close();
process.exit();

/** Makes the kernel count the peak from here on (https://man7.org/linux/man-pages/man5/proc_pid_clear_refs.5.html). */
function forgetPeak(): void {
  if (process.platform === "linux") writeFileSync("/proc/self/clear_refs", "5");
}

function peak(): number {
  if (process.platform !== "linux") return process.resourceUsage().maxRSS * 1_024;
  const [, kib] = /VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
  return Number(kib) * 1_024;
}
