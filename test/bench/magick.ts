import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { unzipCutout } from "../../src/images/cutout/zip.ts";

const run = promisify(execFile);

/** ImageMagick 7 and 6. Some machines have a `convert` that is something else. */
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

/** What follows the two entries, by the job of compose-job.ts. */
const ways: Readonly<Record<string, readonly string[]>> = {
  png: [...joined, "png:-"],
  webp: [...joined, "-quality", "80", "webp:-"],
  jpg: [...joined, ...onColor, "-quality", "90", "jpg:-"],
  ground: [...joined, ...onColor, "png:-"],
};

/** Whether it has a plain way to do a job of compose-job.ts. */
export function hasMagickWay(job: string): boolean {
  return ways[job] !== undefined;
}

/** CPU in ms of doing a job of compose-job.ts with it; `undefined` for one that it has no plain way to do. */
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
  // The shell's second line of `times` is what its children took, user and system.
  const script = '"$@" >/dev/null && times';
  // One thread, as the others have.
  const env = { ...process.env, MAGICK_THREAD_LIMIT: "1" };
  const { stdout } = await run("sh", ["-c", script, "sh", program, ...files, ...way], { env });
  return cpuOf(stdout.split("\n")[1] ?? "");
}

/** `1m2.345s 0m0.500s` */
function cpuOf(line: string): number {
  const times = [...line.matchAll(/(\d+)m([\d.]+)s/g)];
  return times.reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60_000 + Number(seconds) * 1_000,
    0,
  );
}
