import { dimensionsOf } from "../dimensions.ts";
import type { UploadedMedia } from "./call.ts";
import type { Picture } from "./world/index.ts";

/** A picture with its size, as its first bytes tell. */
export interface ReadPicture {
  readonly picture: Picture;
  readonly width: number;
  readonly height: number;
}

/** A JPEG or PNG, whatever its declared type; undefined for anything else. */
export function readPicture({ bytes, hash }: UploadedMedia): ReadPicture | undefined {
  if (bytes === undefined) return undefined;
  const read = dimensionsOf(bytes);
  if (read === undefined) return undefined;
  const { type, width, height } = read;
  if (type !== "image/png" && type !== "image/jpeg") return undefined;
  return { picture: { type, bytes, hash }, width, height };
}
