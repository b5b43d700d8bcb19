import { once } from "node:events";
import type { Readable } from "node:stream";
import { InputError } from "../../errors.ts";

/** As much as the containers of films need to be told apart. */
const headBytes = 4096;

/** Containers that hold films and are not called `video/…`. */
const alsoVideo: ReadonlySet<string> = new Set([
  "application/mxf",
  "application/vnd.ms-asf",
  "application/vnd.rn-realmedia",
  "application/x-ms-asf",
]);

/**
 * The stream's first bytes, which stay in it for whoever reads it next.
 * @throws what the stream fails with
 */
export async function peek(body: Readable, bytes: number): Promise<Buffer> {
  const wanted = Math.min(headBytes, bytes);
  if (wanted === 0) return Buffer.alloc(0);
  for (;;) {
    const head = body.read(wanted) as Buffer | null;
    if (head !== null) {
      body.unshift(head);
      return head;
    }
    if (body.errored) throw body.errored;
    await once(body, "readable");
  }
}

/**
 * The media type of a film, told by its bytes alone.
 * @throws InputError `upload_file_empty`, `video_is_picture`, `video_is_audio`, `video_is_text`, `video_is_other`, `video_unknown`
 */
export async function judgeVideo(head: Uint8Array, name: string): Promise<string> {
  if (head.length === 0) {
    throw refused("upload_file_empty", "The file is empty. Choose another one.", { name });
  }
  const { fileTypeFromBuffer } = await import("file-type");
  const found = await fileTypeFromBuffer(head);
  if (found === undefined) {
    throw isText(head)
      ? refused("video_is_text", "The file holds text, not a video.", { name })
      : refused("video_unknown", "The file is no video that can be recognised.", { name });
  }
  const { mime, ext } = found;
  const kind = ext.toUpperCase();
  if (mime.startsWith("video/")) return mime.toLowerCase();
  if (alsoVideo.has(mime)) return "application/octet-stream";
  if (mime.startsWith("image/")) {
    throw refused("video_is_picture", `The file holds a picture (${kind}).`, { name, kind });
  }
  if (mime.startsWith("audio/")) {
    throw refused("video_is_audio", `The file holds sound alone (${kind}).`, { name, kind });
  }
  throw refused("video_is_other", `The file is no video but ${kind}.`, { name, kind });
}

/** UTF-8 without control characters; the last letter may be cut. */
export function isText(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes).slice(0, -1);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what text does not have
  return !/[\u0000-\u0008\u000e-\u001a\ufffd]/u.test(text);
}

function refused(code: string, hint: string, facts: Readonly<Record<string, string>>): InputError {
  return new InputError(hint, { code, hint, facts });
}
