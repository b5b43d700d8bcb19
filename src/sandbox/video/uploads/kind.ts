import type { MethodSpec } from "../../../video/index.ts";
import { type Incoming, mediaType } from "../incoming.ts";
import { badParameter, Refusal } from "../refusal.ts";

/** How a request carries its media; `none` when it carries none. */
export type UploadKind = "none" | "media" | "multipart" | "resumable";

const kinds: readonly string[] = ["media", "multipart", "resumable"];

/**
 * Told by `uploadType`, else by the body. Media is taken at the plain address too, where the interface specification
 * has uploads; the service's own addresses for them are below `/upload`.
 */
export function uploadKind(row: MethodSpec, incoming: Incoming): UploadKind {
  const atUpload = /^\/(resumable\/)?upload\//.test(incoming.path);
  const given = incoming.search.get("uploadType");
  const type = mediaType(incoming.headers["content-type"]);
  const carriesMedia = incoming.hasBody && type !== "application/json";
  if (row.media?.direction !== "up") {
    if (atUpload) throw notUpload();
    const isWrite = row.effect !== "read" && /^(image|video|audio|multipart)\//.test(type ?? "");
    if (given !== null || (carriesMedia && isWrite)) throw wrongUrl();
    return "none";
  }
  if (given !== null) {
    if (!kinds.includes(given)) throw badParameter("uploadType", `Invalid value '${given}'.`);
    return given as UploadKind;
  }
  if (carriesMedia) return type?.startsWith("multipart/") === true ? "multipart" : "media";
  if (atUpload) throw notUpload();
  return "none";
}

function notUpload(): Refusal {
  const message = "The request is not an upload: send it to the address without /upload.";
  return new Refusal(400, { reason: "notUpload", message });
}

function wrongUrl(): Refusal {
  const message = "Uploads must be sent to the upload address of a method that takes them.";
  return new Refusal(400, { reason: "wrongUrlForUpload", message });
}
