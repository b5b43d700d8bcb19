import { createHash } from "node:crypto";
import type { MediaSpec } from "../../../video/index.ts";
import type { UploadedMedia } from "../call.ts";
import { bodyTooLarge } from "../json-body.ts";
import { ApiRefusal } from "../refusal.ts";
import { mediaType } from "../video-request.ts";

type UploadMediaSpec = Extract<MediaSpec, { direction: "up" }>;

/** Takes a file in as it comes: counts and hashes it, and keeps it when it may be shown again. */
export interface UploadSink {
  readonly size: () => number;
  write(chunk: Uint8Array): void;
  /** The whole file; call once. */
  finish(): UploadedMedia;
}

/** Videos are not kept: they may be larger than memory. */
export function createUploadSink(media: UploadMediaSpec, type: string): UploadSink {
  const hash = createHash("sha256");
  const chunks: Uint8Array[] | undefined = media.accept.includes("video/*") ? undefined : [];
  let size = 0;
  return {
    size: () => size,
    write(chunk) {
      size += chunk.length;
      if (size > media.maxBytes) throw bodyTooLarge(media.maxBytes);
      hash.update(chunk);
      // A slice of what the socket reads into would keep the whole of it alive.
      chunks?.push(Uint8Array.from(chunk));
    },
    finish: () => ({
      type,
      size,
      hash: hash.digest("hex"),
      bytes: chunks && new Uint8Array(Buffer.concat(chunks)),
    }),
  };
}

/** The declared type of a file, checked against the spec; `application/octet-stream` when there is none. */
export function checkType(media: UploadMediaSpec, declared: string | undefined): string {
  const type = mediaType(declared) ?? "application/octet-stream";
  const fits = media.accept.some(
    (known) =>
      known === "*/*" || known === type || (known === "video/*" && type.startsWith("video/")),
  );
  if (fits) return type;
  const message = `Media type '${type}' is not supported. Valid media types: [${media.accept.join(", ")}]`;
  throw new ApiRefusal(400, { reason: "badContent", message });
}

export function checkSize(media: UploadMediaSpec, size: number): void {
  if (size > media.maxBytes) throw bodyTooLarge(media.maxBytes);
}
