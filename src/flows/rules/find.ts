import { type Ctx, type Notice, notice, type Words } from "../../discord/index.ts";
import type { Rule } from "../../moderation/index.ts";

/** By its id, or by its name; undefined for none, and for a name that several have. */
export async function findRule(ctx: Ctx<unknown>, chosen: string): Promise<Rule | undefined> {
  const { rules } = await ctx.moderation.rules.book();
  const byId = rules.find(({ id }) => id === chosen.trim());
  if (byId !== undefined) return byId;
  const called = rules.filter(({ name }) => folded(name) === folded(chosen));
  return called.length === 1 ? called[0] : undefined;
}

function folded(name: string): string {
  return name.normalize("NFKC").trim().toLowerCase();
}

export function noRule(words: Words): Notice {
  return notice({
    tone: "warning",
    title: words.say("rules.gone.title"),
    text: words.say("rules.gone.text", { command: words.command("rules list") }),
    isPrivate: true,
  });
}
