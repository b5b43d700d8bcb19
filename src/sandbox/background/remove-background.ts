import { readBackdrop } from "./backdrop.ts";
import type { Cutter } from "./cutter.ts";
import { checkDimensions } from "./dimensions.ts";
import { readForm } from "./form.ts";
import { readInput } from "./input.ts";
import { type Job, readJob } from "./job.ts";
import type { Ledger, Rate } from "./ledger.ts";
import { toPixels } from "./lengths.ts";
import type { Made } from "./make-cutout.ts";
import { refuse } from "./refusals.ts";

export interface Removed extends Made {
  /** What the service takes the foreground for; absent when it was told not to say. */
  readonly type: string | undefined;
  readonly credits: number;
  readonly rate: Rate;
}

/** POST /removebg from the body to the file; a call that fails in the end costs nothing. */
export async function removeBackground(
  request: Request,
  { ledger, cutter }: { readonly ledger: Ledger; readonly cutter: Cutter },
): Promise<Removed> {
  const form = await readForm(request);
  const job = readJob(form);
  const bytes = await readInput(form);
  const { width, height } = checkDimensions(bytes);
  checkRegion(job, width, height);
  const backdrop = await readBackdrop(form);
  const rate = ledger.admit(width * height);
  const credits = ledger.charge(job.size, width * height);
  try {
    const made = await cutter.cut({ bytes, job, backdrop });
    return { ...made, type: foundType(job), credits, rate };
  } catch (cause) {
    ledger.refund(credits);
    throw cause;
  }
}

function checkRegion({ region }: Job, width: number, height: number): void {
  const [left, top, right, bottom] = region;
  const [x1, x2] = [toPixels(left, width), toPixels(right, width)];
  const [y1, y2] = [toPixels(top, height), toPixels(bottom, height)];
  if (Math.max(x1, x2) > width || Math.max(y1, y2) > height) throw refuse("roi_exceeds_bounds");
  if (x2 <= x1 || y2 <= y1) throw refuse("roi_region_empty");
}

/** The network tells no classes apart, so the answer is the caller's own word, or `other`. */
function foundType({ type, typeLevel }: Job): string | undefined {
  if (typeLevel === "none") return undefined;
  const classes = ["person", "product", "animal", "car"];
  if (classes.includes(type)) return type;
  // Asked for in the singular, reported in the plural, and only from level 2 on.
  const finer: Readonly<Record<string, string>> = {
    graphic: "graphics",
    transportation: "transportation",
  };
  return (typeLevel === "1" ? undefined : finer[type]) ?? "other";
}
