import { once } from "node:events";
import type { Readable } from "node:stream";
import { isCancelled, type OpenedAttachment } from "../../discord/index.ts";
import { type Facts, InputError } from "../../errors.ts";
import type { Ctx } from "../context/index.ts";
import {
  fetchCaptions,
  fetchThumbnail,
  type ReadyCaptionsAndThumbnail,
} from "./captions-and-thumbnail.ts";
import type { UploadDraft, UploadFile } from "./draft.ts";

/** More than Discord takes today; YouTube takes far more. */
const maxVideoBytes = 2 * 1024 ** 3;

/** A file that can't be used, and why: another one can be chosen in its place. */
export interface RefusedFile {
  readonly refused: UploadFile;
  readonly error: InputError;
}

interface OpenedFiles {
  readonly video: OpenedAttachment & { readonly type: string };
  readonly rest: ReadyCaptionsAndThumbnail;
}

/** Opens the video and reads the other files, before anything is sent. */
export async function openFiles(ctx: Ctx, draft: UploadDraft): Promise<OpenedFiles | RefusedFile> {
  const video = await unlessRefused(ctx, "video", () => openVideo(ctx, draft));
  if ("refused" in video) return video;
  const rest = await readRest(ctx, draft).catch((error: unknown) => {
    video.body.destroy();
    throw error;
  });
  if (!("refused" in rest)) return { video, rest };
  video.body.destroy();
  return rest;
}

async function readRest(
  ctx: Ctx,
  draft: UploadDraft,
): Promise<ReadyCaptionsAndThumbnail | RefusedFile> {
  const read = await unlessRefused(ctx, "captions", async () => ({
    captions: await fetchCaptions(ctx, draft.captions),
  }));
  if ("refused" in read) return read;
  const placed = await unlessRefused(ctx, "thumbnail", async () => ({
    thumbnail: await fetchThumbnail(ctx, draft.thumbnail),
  }));
  return "refused" in placed ? placed : { ...read, ...placed };
}

async function unlessRefused<T>(
  { signal }: Ctx,
  refused: UploadFile,
  read: () => Promise<T>,
): Promise<T | RefusedFile> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof InputError) || isCancelled(signal)) throw error;
    return { refused, error };
  }
}

/** Opens the file and checks its first bytes. */
async function openVideo(ctx: Ctx, { video }: UploadDraft): Promise<OpenedFiles["video"]> {
  const { bytes, body } = await ctx.openAttachment(video, maxVideoBytes);
  try {
    const type = await detectVideoType(await peekBytes(body, bytes), video.filename);
    return { bytes, body, type };
  } catch (error) {
    body.destroy();
    throw error;
  }
}

/** Enough to recognise the containers of videos. */
const headBytes = 4096;

/** Containers of videos whose types are not called `video/…`. */
const alsoVideo: ReadonlySet<string> = new Set([
  "application/mxf",
  "application/vnd.ms-asf",
  "application/vnd.rn-realmedia",
  "application/x-ms-asf",
]);

/**
 * The stream's first bytes; they stay in the stream.
 * @throws what the stream fails with
 */
export async function peekBytes(body: Readable, bytes: number): Promise<Buffer> {
  const wanted = Math.min(headBytes, bytes);
  const taken: Buffer[] = [];
  // `read(size)` with more than there is would return at once, again and again, and nothing could arrive meanwhile.
  for (let length = 0; length < wanted; ) {
    const piece = body.read() as Buffer | null;
    if (piece !== null) {
      taken.push(piece);
      length += piece.length;
    } else if (body.errored) throw body.errored;
    else if (isOver(body)) break;
    else await more(body);
  }
  const all = Buffer.concat(taken);
  if (all.length > 0 && !isOver(body)) body.unshift(all);
  return all.subarray(0, wanted);
}

function isOver(body: Readable): boolean {
  return body.readableEnded || body.destroyed;
}

/** @throws what the stream fails with */
async function more(body: Readable): Promise<void> {
  const settled = new AbortController();
  const on = (name: string) => once(body, name, { signal: settled.signal });
  try {
    await Promise.race([on("readable"), on("end"), on("close")]);
  } finally {
    settled.abort();
  }
}

/**
 * The media type of a video, from its bytes.
 * @throws InputError `upload_file_empty`, `video_is_picture`, `video_is_audio`, `video_is_text`, `video_is_other`,
 * `video_unknown`
 */
export async function detectVideoType(head: Uint8Array, name: string): Promise<string> {
  if (head.length === 0) {
    throw videoFileError("upload_file_empty", "The file is empty. Choose another one.", { name });
  }
  const { fileTypeFromBuffer } = await import("file-type");
  const found = await fileTypeFromBuffer(head);
  if (found === undefined) {
    throw isPlainText(head)
      ? videoFileError("video_is_text", "The file holds text, not a video.", { name })
      : videoFileError("video_unknown", "The file is no video that can be recognised.", { name });
  }
  const { mime, ext } = found;
  const kind = ext.toUpperCase();
  if (mime.startsWith("video/")) return mime.toLowerCase();
  if (alsoVideo.has(mime)) return "application/octet-stream";
  if (mime.startsWith("image/")) {
    throw videoFileError("video_is_picture", `The file holds a picture (${kind}).`, {
      name,
      format: kind,
    });
  }
  if (mime.startsWith("audio/")) {
    throw videoFileError("video_is_audio", `The file holds sound alone (${kind}).`, {
      name,
      format: kind,
    });
  }
  throw videoFileError("video_is_other", `The file is no video but ${kind}.`, {
    name,
    format: kind,
  });
}

/** Whether it is UTF-8 without control characters. The last character may be incomplete. */
function isPlainText(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes).slice(0, -1);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: text has none of these
  return !/[\u0000-\u0008\u000e-\u001a\ufffd]/u.test(text);
}

function videoFileError(code: string, message: string, facts: Facts): InputError {
  return new InputError(message, { code, facts });
}
