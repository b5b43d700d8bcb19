import { readdirSync, readFileSync } from "node:fs";
import { InputError, ServiceError } from "../../src/errors.ts";
import type { Images, OutputFormat } from "../../src/images/index.ts";
import type { Kind } from "./bad-files.ts";

/** How one file was handled. */
export interface Verdict {
  readonly ms: number;
  /** `served`, the code of a failure that was expected, or `wrong` for anything else. */
  readonly answer: string;
  /** What was wrong. */
  readonly reason?: string;
}

const formats = ["png", "webp", "jpg", "auto"] as const satisfies readonly (
  | OutputFormat
  | "auto"
)[];
const limits = { maxBytes: 12e6, maxPixels: 50e6 };
const place = { width: 160, height: 90, shape: "cover", maxBytes: 1e6 } as const;

/** The longest that an answer may take. */
export const maxMs = 2_000;

/** Tries once more if the answer was late, because a busy machine pauses any process now and then. */
export async function judge(
  images: Images,
  file: { readonly kind: Kind; readonly bytes: Buffer },
  turn: number,
): Promise<Verdict> {
  const first = await judgeOnce(images, file, turn);
  if (first.ms <= maxMs) return first;
  const second = await judgeOnce(images, file, turn);
  return second.ms < first.ms ? second : first;
}

/** Gives a file to a job that handles files of its kind; `turn` chooses the job. */
async function judgeOnce(
  images: Images,
  { kind, bytes }: { readonly kind: Kind; readonly bytes: Buffer },
  turn: number,
): Promise<Verdict> {
  const start = performance.now();
  const answered = (rest: Omit<Verdict, "ms">) => ({ ms: performance.now() - start, ...rest });
  try {
    const made = await work(images, { kind, bytes }, turn);
    if (made.bytes.length === 0) return answered({ answer: "wrong", reason: "no bytes" });
    return answered({ answer: "served" });
  } catch (error) {
    if (isRefusal(error, kind)) return answered({ answer: error.code });
    return answered({ answer: "wrong", reason: String(error) });
  }
}

function work(
  images: Images,
  { kind, bytes }: { readonly kind: Kind; readonly bytes: Buffer },
  turn: number,
): Promise<{ readonly bytes: Buffer }> {
  if (kind === "zip") return images.compose(bytes, { format: formats[turn % 4] ?? "auto" });
  if (turn % 5 === 4) return images.fit(bytes, place);
  // Half of them have to be encoded again.
  return images.prepare(bytes, turn % 2 === 0 ? limits : { ...limits, maxPixels: 8_000 });
}

function isRefusal(error: unknown, kind: Kind): error is InputError | ServiceError {
  if (error instanceof ServiceError) return kind === "zip" && error.code === "cutout_damaged";
  return error instanceof InputError && /^(picture|png)_/u.test(error.code);
}

/** The most memory that a picture worker of this process has used so far, in MiB; Linux only. */
export function workersPeakMiB(): number {
  return Math.max(0, ...workers().map((pid) => peakMiB(pid)));
}

/** `self`, or a process id. */
export function peakMiB(pid: number | "self"): number {
  try {
    const [, kib] = /VmHWM:\s+(\d+)/u.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Number(kib ?? 0) / 1_024;
  } catch {
    return 0;
  }
}

/** The picture workers among this process's children. */
export function workers(): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/u.test(name))
    .filter((name) => {
      try {
        const parent = readFileSync(`/proc/${name}/stat`, "utf8").split(") ")[1]?.split(" ")[1];
        const line = readFileSync(`/proc/${name}/cmdline`, "utf8");
        return Number(parent) === process.pid && line.includes("images/worker/worker.ts");
      } catch {
        return false;
      }
    })
    .map(Number);
}
