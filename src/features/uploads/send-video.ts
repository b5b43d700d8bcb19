import { Readable } from "node:stream";
import {
  cut,
  isCancelled,
  type Notice,
  notice,
  type OpenedAttachment,
} from "../../discord/index.ts";
import type { Video } from "../../video/index.ts";
import type { Ctx } from "../context/index.ts";
import { type UploadDraft, uploadParams } from "./draft.ts";

/** Streams the file to YouTube and shows the progress. Returns a notice if it was cancelled. */
export async function sendVideo(
  ctx: Ctx,
  draft: UploadDraft,
  { body, bytes, type }: OpenedAttachment & { readonly type: string },
): Promise<{ readonly video: Video } | { readonly cancelled: Notice }> {
  const { signal } = ctx;
  const way = createProgress(ctx, draft, bytes);
  const data = Readable.from(countBytes(body, way.fetched), { objectMode: false });
  const params = { ...uploadParams(draft), media: { data, type, bytes } };
  try {
    const onProgress = way.arrived;
    return { video: await ctx.own.call("videos.insert", params, { signal, onProgress }) };
  } catch (error) {
    if (!isCancelled(signal)) throw error;
    // The last piece is sent after the file was read to its end. Before that, there can be no video.
    return { cancelled: cancelledUploadNotice(ctx, way.isFetched()) };
  } finally {
    body.destroy();
  }
}

async function* countBytes(body: Readable, onBytes: (bytes: number) => void) {
  for await (const chunk of body) {
    onBytes((chunk as Buffer).byteLength);
    yield chunk as Buffer;
  }
}

/** Most files are sent in one or two pieces, so half of the progress is what came from Discord. */
function createProgress(ctx: Ctx, draft: UploadDraft, bytes: number) {
  const { words } = ctx;
  const title = words.say("videos.upload.sending", { title: cut(draft.title, 100) });
  const total = words.bytes(bytes);
  let fetched = 0;
  let arrived = 0;
  let shown = -1;
  const show = () => {
    const done = (fetched + arrived) / (2 * bytes);
    // An update for every percent is enough, and costs less than one for every chunk.
    if (Math.floor(done * 100) === shown) return;
    shown = Math.floor(done * 100);
    const key = arrived > 0 ? "videos.upload.sent" : "videos.upload.fetched";
    const text =
      arrived === bytes
        ? words.say("videos.upload.almost")
        : words.say(key, { sent: words.bytes(arrived > 0 ? arrived : fetched), total });
    ctx.progress({ title, text, done });
  };
  show();
  return {
    fetched: (more: number) => {
      fetched += more;
      show();
    },
    arrived: (sent: number) => {
      arrived = sent;
      show();
    },
    isFetched: () => fetched >= bytes,
  };
}

export function cancelledUploadNotice({ words }: Ctx, isUnsure: boolean): Notice {
  return notice({
    tone: isUnsure ? "warning" : "neutral",
    title: words.say("videos.upload.cancelled"),
    text: words.say(`videos.upload.cancelled_${isUnsure ? "unsure" : "nothing"}`),
  });
}
