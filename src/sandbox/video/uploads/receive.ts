import { createHash } from "node:crypto";
import type { MediaSpec, MethodSpec } from "../../../video/index.ts";
import { ApiError, badParameter, bodyTooLarge, fixedError } from "../api-error.ts";
import type { UploadedMedia } from "../call.ts";
import { type JsonBody, parseJson } from "../json-body.ts";
import { type ApiRequest, mediaType, readBytes } from "../video-request.ts";
import { parseMultipart } from "./multipart.ts";

type UploadMediaSpec = Extract<MediaSpec, { direction: "up" }>;

/** No resource comes near it; a body that does is a mistake. */
const maxJsonBytes = 1024 * 1024;

export interface ReceivedUpload {
  readonly body: JsonBody;
  /** Undefined when no file, or an empty one, was sent. */
  readonly media: UploadedMedia | undefined;
}

/** The JSON of a request; a body that the method does not know is left unread. */
export async function receiveJson(hasBody: boolean, request: ApiRequest): Promise<JsonBody> {
  if (!hasBody || !request.hasBody) return {};
  const bytes = await readBytes(request, maxJsonBytes);
  if (bytes.length === 0) return {};
  checkJsonType(request.headers["content-type"]);
  return parseJson(bytes);
}

function checkJsonType(value: string | undefined): void {
  const type = mediaType(value);
  if (type === "application/json" || type?.endsWith("+json") === true) return;
  const message =
    type === undefined ? "Content-Type unset" : `Unsupported content with type: ${type}`;
  throw new ApiError(400, { reason: "badContent", message });
}

/** The whole of a request that is not resumable. */
export async function receiveUpload(
  methodSpec: MethodSpec,
  kind: Exclude<UploadKind, "resumable">,
  request: ApiRequest,
): Promise<ReceivedUpload> {
  if (kind === "none") {
    const body = await receiveJson(methodSpec.body !== undefined, request);
    return { body, media: undefined };
  }
  const media = requireMediaSpec(methodSpec);
  if (kind === "multipart") return receiveMultipart(media, request);
  const type = checkType(media, request.headers["content-type"]);
  if (Number(request.headers["content-length"] ?? 0) > media.maxBytes) {
    throw bodyTooLarge(media.maxBytes);
  }
  const sink = createUploadSink(media, type);
  if (request.hasBody) for await (const chunk of request.chunks()) sink.write(chunk);
  return { body: {}, media: sink.finish() };
}

/** Read as a whole: who sends files that are larger than memory uses the other protocols. */
async function receiveMultipart(
  media: UploadMediaSpec,
  request: ApiRequest,
): Promise<ReceivedUpload> {
  const bytes = await readBytes(request, media.maxBytes + maxJsonBytes);
  const parts = parseMultipart(bytes, request.headers["content-type"] ?? "");
  const [resource, file] = parts;
  if (resource !== undefined) checkJsonType(resource.type);
  const type = file && checkType(media, file.type);
  if (parts.length > 2) throw fixedError("tooManyParts");
  const json = resource?.bytes ?? Buffer.alloc(0);
  if (json.length > maxJsonBytes) throw bodyTooLarge(maxJsonBytes);
  const sink = type === undefined ? undefined : createUploadSink(media, type);
  if (file !== undefined) sink?.write(file.bytes);
  return { body: json.length === 0 ? {} : parseJson(json), media: sink?.finish() };
}

/** `findUploadKind` names an upload only for methods that take media. */
export function requireMediaSpec({ media, path }: MethodSpec): UploadMediaSpec {
  if (media?.direction !== "up") throw new TypeError(`${path} takes no media`);
  return media;
}

/** Takes a file in as it comes: counts and hashes it, and keeps it when it may be shown again. */
export interface UploadSink {
  readonly size: () => number;
  write(chunk: Uint8Array): void;
  /** The whole file, undefined when it is empty; call once. */
  finish(): UploadedMedia | undefined;
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
    finish() {
      if (size === 0) return undefined;
      const bytes = chunks && new Uint8Array(Buffer.concat(chunks));
      return { type, size, hash: hash.digest("hex"), bytes };
    },
  };
}

/** The declared type of a file, checked against the spec; `application/octet-stream` when there is none. */
export function checkType({ accept }: UploadMediaSpec, declared: string | undefined): string {
  const type = mediaType(declared) ?? "application/octet-stream";
  const known = ["*/*", type, ...(type.startsWith("video/") ? ["video/*"] : [])];
  if (accept.some((one) => known.includes(one))) return type;
  const message = `Media type '${type}' is not supported. Valid media types: [${accept.join(", ")}]`;
  throw new ApiError(400, { reason: "badContent", message });
}

const kinds = ["media", "multipart", "resumable"] as const;

/** How a request carries its media; `none` when it carries none. */
type UploadKind = "none" | (typeof kinds)[number];

/**
 * Told by `uploadType`, else by the body. Media is taken at the plain address too: docs/services/youtube.md#addresses
 */
export function findUploadKind(methodSpec: MethodSpec, request: ApiRequest): UploadKind {
  const isUploadAddress = /^\/(resumable\/)?upload\//.test(request.path);
  const uploadType = request.search.get("uploadType");
  const type = mediaType(request.headers["content-type"]) ?? "";
  const carriesMedia = request.hasBody && type !== "application/json";
  const takesMedia = methodSpec.media?.direction === "up";
  if (isUploadAddress && (!takesMedia || (uploadType === null && !carriesMedia))) {
    throw fixedError("notUpload");
  }
  if (!takesMedia) {
    const isMedia = carriesMedia && /^(image|video|audio|multipart)\//.test(type);
    if (uploadType === null && !(isMedia && methodSpec.effect !== "read")) return "none";
    throw fixedError("wrongUrl");
  }
  if (uploadType !== null) {
    const kind = kinds.find((known) => known === uploadType);
    if (kind !== undefined) return kind;
    throw badParameter("uploadType", `Invalid value '${uploadType}'.`);
  }
  if (!carriesMedia) return "none";
  return type.startsWith("multipart/") ? "multipart" : "media";
}
