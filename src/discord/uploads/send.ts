import type { Video } from "../../video/index.ts";
import type { Ctx, OpenedAttachment } from "../command.ts";
import { type Notice, notice } from "../reply.ts";
import { cut } from "../text.ts";
import { type Draft, paramsOf } from "./draft.ts";

/** Streams the file into the service, telling how far it is; answers a notice when it was cancelled. */
export async function send(
  ctx: Ctx<unknown>,
  draft: Draft,
  { body, bytes, type }: OpenedAttachment & { readonly type: string },
): Promise<{ readonly video: Video } | { readonly cancelled: Notice }> {
  const { words, signal } = ctx;
  const title = words.say("videos.upload.sending", { title: cut(draft.title, 100) });
  let arrived = 0;
  const show = () => {
    const told = { sent: words.bytes(arrived), total: words.bytes(bytes) };
    const key = arrived === bytes ? "videos.upload.almost" : "videos.upload.sent";
    ctx.progress({ title, text: words.say(key, told), done: arrived / bytes });
  };
  const onProgress = (sent: number) => {
    arrived = sent;
    show();
  };
  show();
  const params = { ...paramsOf(draft), media: { data: body, type, bytes } };
  try {
    return { video: await ctx.own.call("videos.insert", params, { signal, onProgress }) };
  } catch (error) {
    if (!isCancelled(signal)) throw error;
    // The last piece leaves only after the file was read to its end, and without it there is no video.
    return { cancelled: cancelled(ctx, body.readableEnded) };
  }
}

/** By the person; when the time is up or the bot stops, that is told as it is. */
export function isCancelled({ aborted, reason }: AbortSignal): boolean {
  return aborted && (reason as { readonly code?: unknown } | undefined)?.code === "cancelled";
}

export function cancelled({ words }: Ctx<unknown>, isUnsure: boolean): Notice {
  return notice({
    tone: isUnsure ? "warning" : "info",
    title: words.say("videos.upload.cancelled"),
    text: words.say(`videos.upload.cancelled_${isUnsure ? "unsure" : "nothing"}`),
  });
}
