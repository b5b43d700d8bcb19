import { longestTexts, type Notice, notice, type Reply, typedText } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type { Watch } from "../../moderation/index.ts";
import type { Ctx, CtxFor } from "../context/index.ts";
import { option } from "../declarations/index.ts";
import { watches } from "../suggestions/index.ts";

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

/** The watch's id or channel. May be left out if there is only one watch. */
export const watchChoice = { watch: option.text({ max: longestTexts.id, suggest: watches }) };

export type WatchChoiceCtx = CtxFor<typeof watchChoice>;

/** Runs a task with the chosen watch. @throws as `findWatch` */
export async function withWatch(ctx: WatchChoiceCtx, task: WatchTask) {
  const found = await findWatch(ctx, ctx.options.watch);
  return "refusal" in found ? found.refusal : task(ctx, found.watch);
}
