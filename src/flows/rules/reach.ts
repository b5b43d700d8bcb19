import type { Ctx, Text } from "../../discord/index.ts";

/** What of a channel's comments the rules get to see, where that is not all that they might be thought to. */
export async function reachOf(
  { words, moderation }: Ctx<unknown>,
  source: string | undefined,
): Promise<readonly Text[]> {
  const all = await moderation.watches.all();
  const watches = source === undefined ? all : all.filter((watch) => watch.source === source);
  const command = words.command("watch channel");
  if (watches.length === 0) return [words.say("rules.dry.no_watch", { command })];
  const isAll = watches.some(({ states, paused, match }) =>
    paused === undefined && match === undefined ? states.includes("published") : false,
  );
  return isAll ? [] : [words.say("rules.dry.waits_only", { command })];
}
