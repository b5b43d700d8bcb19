import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { maxAnswerBytes } from "../answer.ts";
import type { CallToSign } from "../credentials.ts";
import type { VideoCallDeps } from "../exchange.ts";
import { checkMedia } from "./media.ts";
import {
  createUploadProgress,
  type OpenUpload,
  type PreparedUpload,
  uploadUrl,
} from "./open-upload.ts";
import { uploadResumable } from "./resumable.ts";
import { openSource } from "./source.ts";

/**
 * Uploads the media of a call: in one request when the method allows it and it fits one chunk, else chunk by chunk.
 * @throws InputError before anything is sent, or `upload_source_failed` and `upload_length_mismatch` on the way
 */
export async function uploadMedia(
  services: VideoCallDeps,
  upload: PreparedUpload,
): Promise<unknown> {
  const { call, spec } = upload;
  const media = checkMedia(call.method, spec, call.params.media);
  const { chunkBytes } = services;
  const source = openSource(media, { method: call.method, chunkBytes });
  const reportSent = createUploadProgress(media.bytes, call.onProgress);
  const open = { ...upload, type: media.type, source, reportSent };
  const isWhole = spec.protocol !== "resumable" && media.bytes <= chunkBytes;
  return isWhole ? uploadWhole(services, open) : uploadResumable(services, open);
}

async function uploadWhole(services: VideoCallDeps, upload: OpenUpload): Promise<unknown> {
  const { source, spec, type, encoded, call, run, reportSent } = upload;
  const bytes = await source.read(0);
  const { protocol } = spec;
  const content =
    protocol === "multipart"
      ? multipart(encoded.body ?? "{}", { type, bytes })
      : { type, body: bytes };
  const transferMs = Math.ceil(content.body.byteLength / 28);
  const answer = await run({
    method: call.methodSpec.verb,
    url: uploadUrl(services, encoded, protocol === "multipart" ? "multipart" : "media"),
    headers: { accept: "application/json", "content-type": content.type },
    body: content.body,
    retry: call.methodSpec.retry,
    maxBytes: maxAnswerBytes,
    // Enough for a slow connection of 28 kB a second, for the answer, and for one more try.
    silenceMs: 12_000 + transferMs,
    deadlineMs: 30_000 + 2 * transferMs,
  });
  reportSent(source.bytes);
  return answer;
}

/** Makes sure that a stream neither ends the process by an error nor outlives the call. */
export async function holdSource<Value>(
  { params, signal }: Pick<CallToSign, "params" | "signal">,
  work: () => Promise<Value>,
): Promise<Value> {
  const data: unknown = Object(params.media).data;
  if (!(data instanceof Readable)) return work();
  // A reader gets the errors; an error while nobody reads would otherwise have no listener.
  data.on("error", () => {});
  const destroyStream = () => void data.destroy();
  signal?.addEventListener("abort", destroyStream, { once: true });
  try {
    // An abort that came earlier fires no event.
    signal?.throwIfAborted();
    return await work();
  } catch (error) {
    throw signal?.aborted ? signal.reason : error;
  } finally {
    signal?.removeEventListener("abort", destroyStream);
    destroyStream();
  }
}

interface MultipartBody {
  readonly type: string;
  readonly body: Uint8Array;
}

/**
 * A JSON part and a media part in one body.
 * https://developers.google.com/youtube/v3/guides/uploading_a_video and https://www.rfc-editor.org/rfc/rfc2387
 */
function multipart(json: string, media: { type: string; bytes: Uint8Array }): MultipartBody {
  const boundary = randomUUID();
  const head =
    `--${boundary}\r\ncontent-type: application/json; charset=UTF-8\r\n\r\n${json}\r\n` +
    `--${boundary}\r\ncontent-type: ${media.type}\r\n\r\n`;
  return {
    type: `multipart/related; boundary=${boundary}`,
    body: Buffer.concat([Buffer.from(head), media.bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  };
}
