import { ask, channelMention, join, notice, type Reply, type Words } from "../../discord/index.ts";
import type { Watch } from "../../moderation/index.ts";
import { action, type FeatureAction } from "../declarations/index.ts";
import { deleteButtons } from "./delete-messages.ts";
import { withWatch } from "./find-watch.ts";
import { askAboutPlaceAgain } from "./set-up.ts";

export const pauseWatch = withWatch(async ({ words, moderation, userId }, watch) => {
  await moderation.watches.pause(watch.id, userId);
  return changeNotice(words, watch, "paused");
});

export const resumeWatch = withWatch(async ({ words, moderation }, watch) => {
  await moderation.watches.resume(watch.id);
  return changeNotice(words, watch, "resumed");
});

/** Posts a sample card; asks first where everyone would read it. @throws what posting a message throws */
export const testWatch = withWatch(async (ctx, watch) => {
  const question = await askAboutPlaceAgain(ctx, watch);
  if (question !== undefined) return question;
  await ctx.moderation.watches.test(watch.id, ctx.userId);
  return changeNotice(ctx.words, watch, "tested");
});

function changeNotice(words: Words, watch: Watch, what: "paused" | "resumed" | "tested"): Reply {
  return notice({
    tone: what === "paused" ? "neutral" : "good",
    title: words.say(`watch.${what}.title`),
    text: words.md(`watch.${what}.text`, { place: channelMention(watch.channelId) }),
  });
}

/** Asks first, because the watch's queue is deleted with it. */
export const askToStop = withWatch(async ({ words, moderation }, watch) => {
  const { waiting, decided } = await moderation.queue.counts(watch.id);
  return ask({
    title: words.say("watch.stop.title"),
    text: join([
      words.md("watch.stop.text", { place: channelMention(watch.channelId) }),
      words.say("watch.stop.queue", { count: waiting }),
      decided > 0 && words.say("watch.stop.decided", { count: decided }),
    ]),
    confirm: {
      label: words.say("watch.stop.confirm"),
      style: "danger",
      press: stop.press({ watchId: watch.id, channelId: watch.channelId }),
    },
  });
});

const stop = action<{ readonly watchId: string; readonly channelId: string }>({
  name: "watch.stop",
  rank: "manager",
  isOnce: true,
  run: async ({ words, moderation }, { watchId, channelId }) => {
    const count = await moderation.watches.countMessages(watchId);
    const wasThere = await moderation.watches.remove(watchId);
    const place = channelMention(channelId);
    const posted = wasThere ? count : 0;
    return notice({
      tone: "good",
      title: words.say(wasThere ? "watch.stop.done" : "watch.stop.already"),
      text: join([
        words.md("watch.stop.done_text", { place }),
        posted > 0 && words.say("watch.closed.soon", { count: posted }),
      ]),
      buttons: deleteButtons(words, { watchId, count: posted }),
    });
  },
});

export const manageWatchActions: readonly FeatureAction<never>[] = [stop];
