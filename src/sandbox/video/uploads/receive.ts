import type { MethodSpec } from "../../../video/index.ts";
import type { UploadedMedia } from "../call.ts";
import {
  bodyTooLarge,
  checkJsonType,
  type JsonBody,
  maxJsonBytes,
  parseJson,
  readJson,
} from "../json-body.ts";
import { badParameter, refusal } from "../refusal.ts";
import { type ApiRequest, mediaType } from "../video-request.ts";
import { createMultipartReader, type PartSink, readBoundary } from "./multipart.ts";
import { checkSize, checkType, createUploadSink, type UploadSink } from "./sink.ts";

export interface ReceivedUpload {
  readonly body: JsonBody;
  /** Undefined when nothing was sent. */
  readonly media: UploadedMedia | undefined;
}

/** The whole of a request that is not resumable. */
export function receiveUpload(
  methodSpec: MethodSpec,
  kind: Exclude<UploadKind, "resumable">,
  request: ApiRequest,
): Promise<ReceivedUpload> {
  if (kind === "media") return receiveMedia(methodSpec, request);
  return kind === "multipart"
    ? receiveMultipart(methodSpec, request)
    : receiveBody(methodSpec, request);
}

/** A body that the method does not know is left unread. */
async function receiveBody(methodSpec: MethodSpec, request: ApiRequest): Promise<ReceivedUpload> {
  const body = methodSpec.body === undefined ? {} : await readJson(request);
  return { body, media: undefined };
}

async function receiveMedia(methodSpec: MethodSpec, request: ApiRequest): Promise<ReceivedUpload> {
  const spec = readUploadSpec(methodSpec);
  const type = checkType(spec, request.headers["content-type"]);
  checkSize(spec, Number(request.headers["content-length"] ?? 0));
  const sink = createUploadSink(spec, type);
  if (request.hasBody) for await (const chunk of request.chunks()) sink.write(chunk);
  return { body: {}, media: finished(sink) };
}

async function receiveMultipart(
  methodSpec: MethodSpec,
  request: ApiRequest,
): Promise<ReceivedUpload> {
  const spec = readUploadSpec(methodSpec);
  const metadata: Buffer[] = [];
  let sink: UploadSink | undefined;
  const reader = createMultipartReader({
    boundary: readBoundary(request.headers["content-type"] ?? ""),
    onPart(index, type) {
      if (index === 0) {
        checkJsonType(type);
        return metadataSink(metadata);
      }
      if (index > 1) throw refusal("tooManyParts");
      sink = createUploadSink(spec, checkType(spec, type));
      return sink;
    },
  });
  for await (const chunk of request.chunks()) reader.write(chunk);
  reader.end();
  const bytes = Buffer.concat(metadata);
  const body = bytes.length === 0 ? {} : parseJson(bytes);
  return { body, media: sink && finished(sink) };
}

function metadataSink(chunks: Buffer[]): PartSink {
  let size = 0;
  return {
    write(chunk) {
      size += chunk.length;
      if (size > maxJsonBytes) throw bodyTooLarge(maxJsonBytes);
      chunks.push(Buffer.from(chunk));
    },
  };
}

function finished(sink: UploadSink): UploadedMedia | undefined {
  return sink.size() === 0 ? undefined : sink.finish();
}

/** Only for methods that take uploads does `uploadKind` say anything but `none`. */
export function readUploadSpec(methodSpec: MethodSpec) {
  if (methodSpec.media?.direction !== "up")
    throw new TypeError(`${methodSpec.path} takes no media`);
  return methodSpec.media;
}

/** How a request carries its media; `none` when it carries none. */
type UploadKind = "none" | "media" | "multipart" | "resumable";

const kinds: readonly string[] = ["media", "multipart", "resumable"];

/**
 * Told by `uploadType`, else by the body. Media is taken at the plain address too: docs/services/youtube.md#addresses
 */
export function uploadKind(methodSpec: MethodSpec, request: ApiRequest): UploadKind {
  const atUpload = /^\/(resumable\/)?upload\//.test(request.path);
  const uploadType = request.search.get("uploadType");
  const type = mediaType(request.headers["content-type"]);
  const carriesMedia = request.hasBody && type !== "application/json";
  if (methodSpec.media?.direction !== "up") {
    if (atUpload) throw refusal("notUpload");
    const isWrite =
      methodSpec.effect !== "read" && /^(image|video|audio|multipart)\//.test(type ?? "");
    if (uploadType !== null || (carriesMedia && isWrite)) throw refusal("wrongUrl");
    return "none";
  }
  if (uploadType !== null) {
    if (!kinds.includes(uploadType))
      throw badParameter("uploadType", `Invalid value '${uploadType}'.`);
    return uploadType as UploadKind;
  }
  if (carriesMedia) return type?.startsWith("multipart/") === true ? "multipart" : "media";
  if (atUpload) throw refusal("notUpload");
  return "none";
}
