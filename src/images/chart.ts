import { ServiceError } from "../errors.ts";
import type { ChartOptions } from "./types.ts";

/** Bars from left to right. */
export async function chart(
  _options: Omit<ChartOptions, "signal">,
): Promise<{ readonly bytes: Buffer }> {
  throw new ServiceError("chart is not there yet", {
    code: "picture_worker",
    hint: "Try again later.",
  });
}
