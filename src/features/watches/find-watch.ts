import { longestTexts, type Notice, notice, type Reply, typedText } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type { Watch } from "../../moderation/index.ts";
import type { Ctx, CtxFor } from "../context/index.ts";
import { option } from "../declarations/index.ts";
import { watches } from "../suggestions/index.ts";

export function noWatchNotice({ words }: Ctx): Notice {
  return notice({
    tone: "neutral",
    title: words.say("watch.none.title"),
    text: words.md("watch.none.text", { command: words.mention("watch channel") }),
  });
}

/** The watch's id or channel. May be left out if there is only one watch. */
export const watchChoice = { watch: option.text({ max: longestTexts.id, suggest: watches }) };

type WatchChoiceCtx = CtxFor<typeof watchChoice>;

/**
 * Handles a command about one watch: the chosen one, or the only one. Says so if there is no watch at all.
 * @throws InputError `watch_unclear`, `watch_unknown`
 */
export function withWatch<C extends WatchChoiceCtx>(
  task: (ctx: C, watch: Watch) => Promise<Reply>,
): (ctx: C) => Promise<Reply> {
  return async (ctx) => {
    const { watch: chosen } = ctx.options;
    const all = await ctx.moderation.watches.all();
    const [only, ...others] = all;
    if (only === undefined) return noWatchNotice(ctx);
    if (chosen === undefined) {
      if (others.length === 0) return task(ctx, only);
      throw new InputError("there are several watches", {
        code: "watch_unclear",
        facts: { count: all.length, option: "watch" },
      });
    }
    // A suggestion is an id, but people may paste a channel.
    const id = chosen.trim().replace(/^<#(\d+)>$/u, "$1");
    const watch = all.find((one) => one.id === id || one.channelId === id);
    if (watch !== undefined) return task(ctx, watch);
    throw new InputError("no such watch", {
      code: "watch_unknown",
      facts: { given: typedText(chosen) },
    });
  };
}
