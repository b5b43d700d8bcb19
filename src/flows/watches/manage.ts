import {
  ask,
  channelMention,
  join,
  type Notice,
  notice,
  type Reply,
  typedText,
  type Words,
} from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type { Watch } from "../../moderation/index.ts";
import type { Ctx } from "../context/index.ts";
import { action, type FlowAction } from "../declarations/index.ts";

/**
 * The watch with that id or in that channel; without a choice, the only one. A notice if there is no watch at all.
 * @throws InputError `watch_unclear`, `watch_unknown`
 */
export async function findWatch(
  ctx: Ctx,
  chosen: string | undefined,
): Promise<{ readonly watch: Watch } | { readonly refusal: Notice }> {
  const all = await ctx.moderation.watches.all();
  const [only] = all;
  if (only === undefined) return { refusal: noWatchNotice(ctx) };
  if (chosen === undefined) {
    if (all.length > 1) {
      throw new InputError("there are several watches", {
        code: "watch_unclear",
        facts: { count: all.length, option: "watch" },
      });
    }
    return { watch: only };
  }
  // A suggestion is an id, but people may paste a channel.
  const id = chosen.trim().replace(/^<#(\d+)>$/u, "$1");
  const watch = all.find((one) => one.id === id || one.channelId === id);
  if (watch === undefined) {
    throw new InputError("no such watch", {
      code: "watch_unknown",
      facts: { given: typedText(chosen) },
    });
  }
  return { watch };
}

export function noWatchNotice({ words }: Ctx): Notice {
  return notice({
    tone: "neutral",
    title: words.say("watch.none.title"),
    text: words.md("watch.none.text", { command: words.mention("watch channel") }),
  });
}

type WatchTask = (ctx: Ctx, watch: Watch) => Promise<Reply>;

export interface WatchChoiceOptions {
  /** The watch's id or channel. May be left out if there is only one watch. */
  readonly watch?: string | undefined;
}

/** Runs a task with the chosen watch. @throws as `findWatch` */
async function withWatch(ctx: Ctx<WatchChoiceOptions>, task: WatchTask) {
  const found = await findWatch(ctx, ctx.options.watch);
  return "refusal" in found ? found.refusal : task(ctx, found.watch);
}

export function pauseWatch(ctx: Ctx<WatchChoiceOptions>): Promise<Reply> {
  return withWatch(ctx, async ({ words, moderation, userId }, watch) => {
    await moderation.watches.pause(watch.id, userId);
    return changeNotice(words, watch, "paused");
  });
}

export function resumeWatch(ctx: Ctx<WatchChoiceOptions>): Promise<Reply> {
  return withWatch(ctx, async ({ words, moderation }, watch) => {
    await moderation.watches.resume(watch.id);
    return changeNotice(words, watch, "resumed");
  });
}

/** Posts a sample card. @throws what posting a message throws */
export function testWatch(ctx: Ctx<WatchChoiceOptions>): Promise<Reply> {
  return withWatch(ctx, async ({ words, moderation, userId }, watch) => {
    await moderation.watches.test(watch.id, userId);
    return changeNotice(words, watch, "tested");
  });
}

function changeNotice(words: Words, watch: Watch, what: "paused" | "resumed" | "tested"): Reply {
  return notice({
    tone: what === "paused" ? "neutral" : "good",
    title: words.say(`watch.${what}.title`),
    text: words.md(`watch.${what}.text`, { place: channelMention(watch.channelId) }),
  });
}

/** Asks first, because the watch's queue is deleted with it. */
export function askToStop(ctx: Ctx<WatchChoiceOptions>): Promise<Reply> {
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

export const manageWatchActions: readonly FlowAction<never>[] = [stop];
