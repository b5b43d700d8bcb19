import { isCancelled, type OpenedAttachment } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type { Ctx } from "../context/index.ts";
import {
  fetchCaptions,
  fetchThumbnail,
  type ReadyCaptionsAndThumbnail,
} from "./captions-and-thumbnail.ts";
import type { UploadDraft, UploadFile } from "./draft.ts";
import { detectVideoType, peekBytes } from "./video-bytes.ts";

/** More than Discord takes today; the service takes far more. */
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
