import { type PictureHead, readPictureHead } from "../images/index.ts";

export interface PictureKind {
  readonly type: "image/png" | "image/jpeg" | "image/webp";
  readonly extension: "png" | "jpg" | "webp";
}

export type PictureSize = NonNullable<PictureHead["size"]>;

const kinds = {
  png: { type: "image/png", extension: "png" },
  jpeg: { type: "image/jpeg", extension: "jpg" },
  webp: { type: "image/webp", extension: "webp" },
} as const satisfies Record<PictureHead["format"], PictureKind>;

/** By the bytes, because the declared type and the name can lie; undefined for formats that the service does not read. */
export function readPictureKind(
  bytes: Uint8Array,
): (PictureKind & Pick<PictureHead, "size">) | undefined {
  const head = readPictureHead(bytes);
  return head && { ...kinds[head.format], size: head.size };
}
