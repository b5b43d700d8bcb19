import { ServiceError } from "../errors.ts";
import type { Square, SquareOptions } from "./types.ts";

/** A square picture of the subject. */
export async function square(
  _cutout: Buffer,
  _options: Omit<SquareOptions, "signal">,
): Promise<Square> {
  throw new ServiceError("square is not there yet", {
    code: "picture_worker",
    hint: "Try again later.",
  });
}
