import { type Ctx, type Notice, notice } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type { Watch } from "../../moderation/index.ts";

/**
 * The watch with that id, or the only one; a notice where there are none.
 * @throws InputError `watch_unclear`, `watch_unknown`
 */
export async function findWatch(
  ctx: Ctx,
  chosen: string | undefined,
): Promise<{ readonly watch: Watch } | { readonly refusal: Notice }> {
  const all = await ctx.moderation.watches.all();
  const [only] = all;
  if (only === undefined) return { refusal: noWatch(ctx) };
  if (chosen === undefined) {
    if (all.length > 1) {
      throw new InputError("there are several watches", {
        code: "watch_unclear",
        facts: { count: all.length, option: "watch" },
      });
    }
    return { watch: only };
  }
  // Suggestions are ids; what people paste may be a channel.
  const id = chosen.trim().replace(/^<#(\d+)>$/u, "$1");
  const watch = all.find((one) => one.id === id || one.channelId === id);
  if (watch === undefined) {
    throw new InputError("no such watch", {
      code: "watch_unknown",
    });
  }
  return { watch };
}

export function noWatch({ words }: Ctx): Notice {
  return notice({
    tone: "info",
    title: words.say("watch.none.title"),
    text: words.say("watch.none.text", { command: words.command("watch channel") }),
  });
}
