import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { unzipCutout } from "../../src/images/cutout/zip.ts";

const run = promisify(execFile);

/** ImageMagick 7 and 6. On some machines, `convert` is another program. */
const programs = ["magick", "convert"] as const;

export async function findMagick(): Promise<string | undefined> {
  for (const program of programs) {
    const said = await run(program, ["-version"]).catch(() => ({ stdout: "" }));
    if (said.stdout.startsWith("Version: ImageMagick")) return program;
  }
  return undefined;
}

const joined = ["-alpha", "off", "-compose", "CopyOpacity", "-composite"];
const onColor = ["-background", "#ff8800", "-alpha", "remove", "-alpha", "off"];

/** What follows the two files on the command line, for each job of compose-job.ts. */
const ways: Readonly<Record<string, readonly string[]>> = {
  png: [...joined, "png:-"],
  webp: [...joined, "-quality", "80", "webp:-"],
  jpg: [...joined, ...onColor, "-quality", "90", "jpg:-"],
  ground: [...joined, ...onColor, "png:-"],
};

/** Whether ImageMagick has a plain way to do this job of compose-job.ts. */
export function hasMagickWay(job: string): boolean {
  return ways[job] !== undefined;
}

/** CPU in ms when ImageMagick does a job of compose-job.ts; `undefined` if it has no plain way to do it. */
export async function magickMs(
  program: string,
  job: string,
  { zip, folder }: { readonly zip: string; readonly folder: string },
): Promise<number | undefined> {
  const way = ways[job];
  if (!way) return undefined;
  const { color, alpha } = await unzipCutout(await readFile(zip));
  const files = [join(folder, "color.jpg"), join(folder, "alpha.png")] as const;
  await Promise.all([writeFile(files[0], color), writeFile(files[1], alpha)]);
  // The second line that the shell's `times` prints is for its children, user and system.
  const script = '"$@" >/dev/null && times';
  // One thread, like the others.
  const env = { ...process.env, MAGICK_THREAD_LIMIT: "1" };
  const { stdout } = await run("sh", ["-c", script, "sh", program, ...files, ...way], { env });
  return cpuOf(stdout.split("\n")[1] ?? "");
}

/** Reads a line such as `1m2.345s 0m0.500s`. */
function cpuOf(line: string): number {
  const times = [...line.matchAll(/(\d+)m([\d.]+)s/g)];
  return times.reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60_000 + Number(seconds) * 1_000,
    0,
  );
}
