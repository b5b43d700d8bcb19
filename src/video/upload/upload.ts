import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { maxAnswerBytes } from "../answer.ts";
import type { Signing } from "../credentials.ts";
import { checkMedia } from "./media.ts";
import {
  createProgress,
  type OpenUpload,
  type Upload,
  type UploadServices,
  uploadUrl,
} from "./open-upload.ts";
import { uploadResumable } from "./resumable.ts";
import { openSource } from "./source.ts";

/**
 * Sends what the call carries: in one request when the row says so and one chunk holds it, else piece by piece.
 * @throws InputError before anything is sent, or `upload_source_failed` and `upload_length_mismatch` on the way
 */
export async function upload(services: UploadServices, upload: Upload): Promise<unknown> {
  const { call, spec } = upload;
  const media = checkMedia(call.method, spec, call.params.media);
  const { chunkBytes } = services;
  const source = openSource(media, { method: call.method, chunkBytes });
  const progress = createProgress(media.bytes, call.onProgress);
  const open = { ...upload, type: media.type, source, progress };
  const isWhole = spec.protocol !== "resumable" && media.bytes <= chunkBytes;
  return isWhole ? uploadWhole(services, open) : uploadResumable(services, open);
}

async function uploadWhole(services: UploadServices, upload: OpenUpload): Promise<unknown> {
  const { source, spec, type, encoded, call, run, progress } = upload;
  const bytes = await source.read(0);
  const { protocol } = spec;
  const sent =
    protocol === "multipart"
      ? multipart(encoded.body ?? "{}", { type, bytes })
      : { type, body: bytes };
  const answer = await run({
    method: call.row.verb,
    url: uploadUrl(services, encoded, protocol === "multipart" ? "multipart" : "media"),
    headers: { accept: "application/json", "content-type": sent.type },
    body: sent.body,
    retry: call.row.retry,
    maxBytes: maxAnswerBytes,
    ...patienceFor(sent.body),
  });
  progress.reach(source.bytes);
  return answer;
}

/** A slow line, 28 kB a second, must get through too; the answer and one more try are waited for as well. */
function patienceFor({ byteLength }: Uint8Array) {
  const transferMs = Math.ceil(byteLength / 28);
  return { silenceMs: 12_000 + transferMs, deadlineMs: 30_000 + 2 * transferMs };
}

/** Keeps a stream from ending the process or outliving the call, whatever becomes of either. */
export async function holdSource<Value>(
  { params, signal }: Pick<Signing, "params" | "signal">,
  work: () => Promise<Value>,
): Promise<Value> {
  const data: unknown = Object(params.media).data;
  if (!(data instanceof Readable)) return work();
  // Whoever reads it is told; an error that comes while nobody does has no other listener.
  data.on("error", () => {});
  const letGo = () => void data.destroy();
  signal?.addEventListener("abort", letGo, { once: true });
  try {
    // An abort that came before is told to nobody.
    signal?.throwIfAborted();
    return await work();
  } catch (error) {
    throw signal?.aborted ? signal.reason : error;
  } finally {
    signal?.removeEventListener("abort", letGo);
    letGo();
  }
}

interface Multipart {
  readonly type: string;
  readonly body: Uint8Array;
}

/**
 * A JSON part and a media part in one body.
 * https://developers.google.com/youtube/v3/guides/uploading_a_video and https://www.rfc-editor.org/rfc/rfc2387
 */
function multipart(json: string, media: { type: string; bytes: Uint8Array }): Multipart {
  const boundary = randomUUID();
  const head =
    `--${boundary}\r\ncontent-type: application/json; charset=UTF-8\r\n\r\n${json}\r\n` +
    `--${boundary}\r\ncontent-type: ${media.type}\r\n\r\n`;
  return {
    type: `multipart/related; boundary=${boundary}`,
    body: Buffer.concat([Buffer.from(head), media.bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  };
}
