import { ServiceError } from "../errors.ts";
import type { SheetOptions } from "./types.ts";

/** Several pictures on one. */
export async function sheet(
  _pictures: readonly Buffer[],
  _options: Omit<SheetOptions, "signal">,
): Promise<{ readonly bytes: Buffer }> {
  throw new ServiceError("sheet is not there yet", {
    code: "picture_worker",
    hint: "Try again later.",
  });
}
