import { Readable } from "node:stream";
import {
  type Ctx,
  cut,
  isCancelled,
  type Notice,
  notice,
  type OpenedAttachment,
} from "../../discord/index.ts";
import type { Video } from "../../video/index.ts";
import { type Draft, paramsOf } from "./draft.ts";

/** Streams the file to the service and shows how far it is; answers a notice when it was cancelled. */
export async function send(
  ctx: Ctx,
  draft: Draft,
  { body, bytes, type }: OpenedAttachment & { readonly type: string },
): Promise<{ readonly video: Video } | { readonly cancelled: Notice }> {
  const { signal } = ctx;
  const way = createProgress(ctx, draft, bytes);
  const data = Readable.from(countBytes(body, way.fetched), { objectMode: false });
  const params = { ...paramsOf(draft), media: { data, type, bytes } };
  try {
    const onProgress = way.arrived;
    return { video: await ctx.own.call("videos.insert", params, { signal, onProgress }) };
  } catch (error) {
    if (!isCancelled(signal)) throw error;
    // The last piece is sent only after the file was read to its end, and without it there is no video.
    return { cancelled: cancelledNotice(ctx, way.isFetched()) };
  } finally {
    body.destroy();
  }
}

async function* countBytes(body: Readable, tell: (bytes: number) => void) {
  for await (const chunk of body) {
    tell((chunk as Buffer).byteLength);
    yield chunk as Buffer;
  }
}

/** Most files are sent in one or two pieces, so that what came from Discord counts as half of the progress. */
function createProgress(ctx: Ctx, draft: Draft, bytes: number) {
  const { words } = ctx;
  const title = words.say("videos.upload.sending", { title: cut(draft.title, 100) });
  const total = words.bytes(bytes);
  let fetched = 0;
  let arrived = 0;
  let shown = -1;
  const show = () => {
    const done = (fetched + arrived) / (2 * bytes);
    // Every hundredth is enough, and costs less than every chunk.
    if (Math.floor(done * 100) === shown) return;
    shown = Math.floor(done * 100);
    ctx.progress({ title, text: textOf(), done });
  };
  const textOf = () => {
    if (arrived === bytes) return words.say("videos.upload.almost");
    const key = arrived > 0 ? "videos.upload.sent" : "videos.upload.fetched";
    return words.say(key, { sent: words.bytes(arrived > 0 ? arrived : fetched), total });
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

export function cancelledNotice({ words }: Ctx, isUnsure: boolean): Notice {
  return notice({
    tone: isUnsure ? "warning" : "info",
    title: words.say("videos.upload.cancelled"),
    text: words.say(`videos.upload.cancelled_${isUnsure ? "unsure" : "nothing"}`),
  });
}
