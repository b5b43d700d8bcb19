import { ask, cut, type Notice, notice, type Reply, type Words } from "../../discord/index.ts";
import type { CommentRule } from "../../moderation/index.ts";
import type { Ctx } from "../context/index.ts";
import { action } from "../declarations/index.ts";
import { describeRuleTest } from "./list.ts";

/** Finds a rule by its id or name; undefined if there is none, or if several have the name. */
export async function findRule(ctx: Ctx, chosen: string): Promise<CommentRule | undefined> {
  const { rules } = await ctx.moderation.rules.book();
  const byId = rules.find(({ id }) => id === chosen.trim());
  if (byId !== undefined) return byId;
  const called = rules.filter(({ name }) => foldName(name) === foldName(chosen));
  return called.length === 1 ? called[0] : undefined;
}

function foldName(name: string): string {
  return name.normalize("NFKC").trim().toLowerCase();
}

export function noRuleNotice(words: Words): Notice {
  return notice({
    tone: "bad",
    title: words.say("rules.gone.title"),
    text: words.md("rules.gone.text", { command: words.mention("rules list") }),
    isPrivate: true,
  });
}

/** Switches a rule on or off; without a choice, to the opposite of what it is. */
export async function switchRule(
  ctx: Ctx<{ readonly rule: string; readonly on?: boolean | undefined }>,
): Promise<Reply> {
  const { words, moderation } = ctx;
  const { rule, on } = ctx.options;
  const found = await findRule(ctx, rule);
  if (found === undefined) return noRuleNotice(words);
  const changed = await moderation.rules.switch(found.id, on);
  if (changed === undefined) return noRuleNotice(words);
  const { name, isOn } = changed;
  return notice({
    tone: "good",
    title: words.say(isOn ? "rules.on.title" : "rules.off.title", { name }),
    text: isOn
      ? words.md("rules.on.text", { command: words.mention("rules list") })
      : words.say("rules.off.text"),
  });
}

/** Asks first, because a removed rule can't be restored. */
export async function askRemoveRule(ctx: Ctx<{ readonly rule: string }>): Promise<Reply> {
  const { words, options } = ctx;
  const found = await findRule(ctx, options.rule);
  if (found === undefined) return noRuleNotice(words);
  const { id, name, test } = found;
  return ask({
    title: cut(words.say("rules.remove.title", { name }), 250),
    text: words.say("rules.remove.text"),
    fields: [{ name, value: describeRuleTest(test, words) }],
    confirm: {
      label: words.say("rules.remove.confirm"),
      style: "danger",
      press: remove.press({ id, name }),
    },
  });
}

const remove = action<{ readonly id: string; readonly name: string }>({
  name: "rules.remove",
  rank: "manager",
  run: async ({ words, moderation }, { id, name }) => {
    const wasThere = await moderation.rules.remove(id);
    if (!wasThere) return noRuleNotice(words);
    return notice({ tone: "good", title: words.say("rules.remove.done", { name }) });
  },
});

export const manageRuleActions = [remove] as const;
