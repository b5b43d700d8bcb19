import {
  type Action,
  action,
  ask,
  type Ctx,
  channelMention,
  join,
  notice,
  type Reply,
  type Words,
} from "../../discord/index.ts";
import type { Watch } from "../../moderation/index.ts";
import { findWatch } from "./find.ts";

type Doing = (ctx: Ctx, watch: Watch) => Promise<Reply>;

export interface WatchOptions {
  /** Its id; the only watch when absent. */
  readonly watch?: string | undefined;
}

/** Does something with the chosen watch. @throws as `findWatch` */
async function withWatch(ctx: Ctx<WatchOptions>, doing: Doing) {
  const found = await findWatch(ctx, ctx.options.watch);
  return "refusal" in found ? found.refusal : doing(ctx, found.watch);
}

export function pauseWatch(ctx: Ctx<WatchOptions>): Promise<Reply> {
  return withWatch(ctx, async ({ words, moderation, userId }, watch) => {
    await moderation.watches.pause(watch.id, userId);
    return changed(words, watch, "paused");
  });
}

export function resumeWatch(ctx: Ctx<WatchOptions>): Promise<Reply> {
  return withWatch(ctx, async ({ words, moderation }, watch) => {
    await moderation.watches.resume(watch.id);
    return changed(words, watch, "resumed");
  });
}

/** @throws what the desk throws where it can't leave the card */
export function testWatch(ctx: Ctx<WatchOptions>): Promise<Reply> {
  return withWatch(ctx, async ({ words, moderation, userId }, watch) => {
    await moderation.watches.test(watch.id, userId);
    return changed(words, watch, "tested");
  });
}

function changed(words: Words, watch: Watch, what: "paused" | "resumed" | "tested"): Reply {
  return notice({
    tone: what === "paused" ? "info" : "good",
    title: words.say(`watch.${what}.title`),
    text: words.md(`watch.${what}.text`, { place: channelMention(watch.channelId) }),
  });
}

/** Asks first, because the watch's queue is deleted with it. */
export function askToStop(ctx: Ctx<WatchOptions>): Promise<Reply> {
  return withWatch(ctx, async ({ words, moderation }, watch) => {
    const count = await moderation.queue.count(watch.id);
    return ask({
      title: words.say("watch.stop.title"),
      text: join([
        words.md("watch.stop.text", { place: channelMention(watch.channelId) }),
        words.say("watch.stop.queue", { count }),
      ]),
      confirm: {
        label: words.say("watch.stop.confirm"),
        style: "danger",
        press: stop.press({ watchId: watch.id, channelId: watch.channelId }),
      },
    });
  });
}

const stop = action<{ readonly watchId: string; readonly channelId: string }>({
  name: "watch.stop",
  by: "requester",
  rank: "manager",
  answer: "update",
  isOnce: true,
  run: async ({ words, moderation }, { watchId, channelId }) => {
    const wasThere = await moderation.watches.remove(watchId);
    const place = channelMention(channelId);
    return notice({
      tone: "good",
      title: words.say(wasThere ? "watch.stop.done" : "watch.stop.already"),
      text: words.md("watch.stop.done_text", { place }),
    });
  },
});

export const manageActions: readonly Action<never>[] = [stop];
