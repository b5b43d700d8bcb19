import type { MethodSpec } from "../../../video/index.ts";
import { type Body, checkJsonType, maxJsonBytes, parseJson, readJson, tooLarge } from "../body.ts";
import type { UploadedMedia } from "../call.ts";
import { type Incoming, mediaType } from "../incoming.ts";
import { badParameter, Refusal } from "../refusal.ts";
import { createMultipartReader, type PartSink, readBoundary } from "./multipart.ts";
import { checkSize, checkType, createSink, type Sink } from "./sink.ts";

export interface Received {
  readonly body: Body;
  /** Undefined when nothing was sent. */
  readonly media: UploadedMedia | undefined;
}

/** The whole of a request that is not resumable. */
export function receive(
  row: MethodSpec,
  kind: Exclude<UploadKind, "resumable">,
  incoming: Incoming,
): Promise<Received> {
  if (kind === "media") return receiveMedia(row, incoming);
  return kind === "multipart" ? receiveMultipart(row, incoming) : receiveBody(row, incoming);
}

/** A body that the row does not know is left unread. */
async function receiveBody(row: MethodSpec, incoming: Incoming): Promise<Received> {
  const body = row.body === undefined ? {} : await readJson(incoming);
  return { body, media: undefined };
}

async function receiveMedia(row: MethodSpec, incoming: Incoming): Promise<Received> {
  const spec = uploadOf(row);
  const type = checkType(spec, incoming.headers["content-type"]);
  checkSize(spec, Number(incoming.headers["content-length"] ?? 0));
  const sink = createSink(spec, type);
  if (incoming.hasBody) for await (const chunk of incoming.chunks()) sink.write(chunk);
  return { body: {}, media: finished(sink) };
}

async function receiveMultipart(row: MethodSpec, incoming: Incoming): Promise<Received> {
  const spec = uploadOf(row);
  const metadata: Buffer[] = [];
  let sink: Sink | undefined;
  const reader = createMultipartReader({
    boundary: readBoundary(incoming.headers["content-type"] ?? ""),
    onPart(index, type) {
      if (index === 0) {
        checkJsonType(type);
        return metadataSink(metadata);
      }
      if (index > 1) throw tooManyParts();
      sink = createSink(spec, checkType(spec, type));
      return sink;
    },
  });
  for await (const chunk of incoming.chunks()) reader.write(chunk);
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
      if (size > maxJsonBytes) throw tooLarge(maxJsonBytes);
      chunks.push(Buffer.from(chunk));
    },
  };
}

function finished(sink: Sink): UploadedMedia | undefined {
  return sink.size() === 0 ? undefined : sink.finish();
}

/** `uploadKind` names an upload for such rows only. */
export function uploadOf(row: MethodSpec) {
  if (row.media?.direction !== "up") throw new TypeError(`${row.path} takes no media`);
  return row.media;
}

function tooManyParts(): Refusal {
  const message = "A multipart upload has two parts: the resource and the file.";
  return new Refusal(400, { reason: "badContent", message });
}

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
