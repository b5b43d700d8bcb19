import { ask, notice, type Reply } from "../../discord/index.ts";
import { presses } from "../cards/index.ts";
import type { Ctx, CtxFor } from "../context/index.ts";
import { action, actionFor } from "../declarations/index.ts";
import { captionsField } from "./draw.ts";
import { type captionsChoice, findOwnCaptions, type NamedCaptions } from "./find-captions.ts";

const remove = action<CaptionsToDelete>({
  name: "captions.delete",
  isOnce: true,
  method: "captions.delete",
  run: async (ctx, { id, name, videoId, title }) => {
    ctx.named(id, { title: name, videoId });
    if (videoId !== undefined) ctx.named(videoId, { title });
    await ctx.own.call("captions.delete", { id }, { signal: ctx.signal });
    return notice({ tone: "good", title: ctx.words.say("captions.delete.done"), text: name });
  },
});

/** Pressed in a list, whose title names the video. */
const askDeleteListed = actionFor(presses.captions.remove, {
  method: "captions.delete",
  run: question,
});

/** @throws as `findOwnCaptions` */
export async function askDeleteCaptions(ctx: CtxFor<typeof captionsChoice>): Promise<Reply> {
  const { video, captions: id } = ctx.options;
  const { name, title } = await findOwnCaptions(ctx, video, id);
  return question(ctx, { id, name, videoId: video, title });
}

interface CaptionsToDelete extends NamedCaptions {
  /** Absent where the captions were chosen in a list. */
  readonly videoId?: string;
  readonly title?: string;
}

async function question(ctx: Ctx, captions: CaptionsToDelete): Promise<Reply> {
  const { name, title } = captions;
  const { words } = ctx;
  return ask({
    title: words.say("captions.delete.ask"),
    text: [words.say("captions.delete.text"), await ctx.price(["captions.delete"])].join("\n"),
    fields: [
      captionsField(words, "captions.delete.lost", name),
      ...(title === undefined ? [] : [captionsField(words, "captions.fields.video", title)]),
    ],
    confirm: {
      label: words.say("cards.delete"),
      style: "danger",
      press: remove.press(captions),
    },
  });
}

export const captionsDeleteActions = [remove, askDeleteListed] as const;
