import type { Context } from "hono";
import type { CreditCharge, RateWindowState } from "./credit-account.ts";
import type { CutoutFile, FileFormat } from "./picture/make-cutout.ts";
import type { CutoutEstimate } from "./picture-worker.ts";

const mediaTypes = {
  png: "image/png",
  jpg: "image/jpeg",
  webp: "image/webp",
  zip: "application/zip",
} as const satisfies Record<FileFormat, string>;

/** A call that went well. */
export interface RemovedBackground {
  readonly made: CutoutFile;
  readonly estimate: CutoutEstimate;
  readonly charge: CreditCharge;
  readonly rate: RateWindowState | undefined;
}

/** JSON when that is what the caller accepts first, the file itself for everybody else. */
export function chooseAnswerFormat(c: Context): "file" | "json" {
  return /^\s*application\/json\b/i.test(c.req.header("accept") ?? "") ? "json" : "file";
}

/** Sizes, type, costs and rate are in headers either way. */
export function answerCutout(
  c: Context,
  { made, estimate, charge, rate }: RemovedBackground,
): Response {
  const { box } = made;
  const isJson = chooseAnswerFormat(c) === "json";
  return c.body(
    new Uint8Array(made.bytes.buffer as ArrayBuffer, made.bytes.byteOffset, made.bytes.byteLength),
    200,
    {
      "Content-Type": isJson ? "application/json" : mediaTypes[made.format],
      ...(estimate.type !== undefined && { "X-Type": estimate.type }),
      "X-Width": `${made.width}`,
      "X-Height": `${made.height}`,
      "X-Max-Width": `${estimate.width}`,
      "X-Max-Height": `${estimate.height}`,
      "X-Credits-Charged": `${charge.credits}`,
      "X-Foreground-Top": `${box.top}`,
      "X-Foreground-Left": `${box.left}`,
      "X-Foreground-Width": `${box.width}`,
      "X-Foreground-Height": `${box.height}`,
      ...(rate !== undefined && {
        "X-Ratelimit-Limit": `${rate.limit}`,
        "X-Ratelimit-Remaining": `${rate.remaining}`,
        "X-Ratelimit-Reset": `${rate.reset}`,
      }),
    },
  );
}
