import { ServiceError } from "../errors.ts";
import type { Thumbnail, ThumbnailOptions } from "./types.ts";

/** A cut-out and a title on a backdrop. */
export async function thumbnail(
  _cutout: Buffer,
  _options: Omit<ThumbnailOptions, "signal">,
): Promise<Thumbnail> {
  throw new ServiceError("thumbnail is not there yet", {
    code: "picture_worker",
    hint: "Try again later.",
  });
}
