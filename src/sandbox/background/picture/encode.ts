import { zipSync } from "fflate";
import { writePixels } from "../../../images/index.ts";
import type { Job } from "../request/job.ts";
import { layOn } from "./backdrop.ts";
import type { Cutout } from "./cutout.ts";

export type FileFormat = Exclude<Job["format"], "auto">;

const white = { color: Uint8Array.of(255, 255, 255), alpha: 255 };

/** PNG when anything is transparent, JPG otherwise. */
export function settleFormat({ format, channels }: Job, { alpha }: Cutout): FileFormat {
  if (format !== "auto") return format;
  return channels === "alpha" || alpha.some((value) => value < 255) ? "png" : "jpg";
}

/** A ZIP always has both, and the matte alone is grey in every other format. JPG without a backdrop is on white. */
export async function encode(cutout: Cutout, format: FileFormat, job: Job): Promise<Uint8Array> {
  if (format === "zip") return toZip(cutout);
  const { width, height, color, alpha } = cutout;
  if (job.channels === "alpha") {
    return writePixels({ data: alpha, width, height, channels: 1 }, { format });
  }
  if (format === "jpg") {
    layOn(cutout, white);
    return writePixels({ data: color, width, height, channels: 3 }, { format });
  }
  clearColor(cutout);
  return writePixels({ data: color, width, height, channels: 3 }, { format, alpha });
}

/** Stored, as the service sends them: both files are compressed already. */
async function toZip({ width, height, color, alpha }: Cutout): Promise<Uint8Array> {
  const colors = { data: color, width, height, channels: 3 } as const;
  const matte = { data: alpha, width, height, channels: 1 } as const;
  const files = {
    "color.jpg": await writePixels(colors, { format: "jpg" }),
    "alpha.png": await writePixels(matte, { format: "png" }),
  };
  return zipSync(files, { level: 0 });
}

/** Clear pixels hold no colour, so that the removed background can't be read back. */
function clearColor({ color, alpha }: Cutout): void {
  for (let i = 0; i < alpha.length; i++) {
    if (alpha[i] === 0) color.fill(0, i * 3, i * 3 + 3);
  }
}
