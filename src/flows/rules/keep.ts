import {
  action,
  ask,
  type Ctx,
  cut,
  type Notice,
  notice,
  type Reply,
  type Words,
} from "../../discord/index.ts";
import type { Rule } from "../../moderation/index.ts";
import { testOf } from "./describe.ts";

/** By its id, or by its name; undefined for none, and for a name that several have. */
export async function findRule(ctx: Ctx, chosen: string): Promise<Rule | undefined> {
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

/** The other way round where nothing is said. */
export async function switchRule(
  ctx: Ctx,
  { rule, on }: { readonly rule: string; readonly on?: boolean | undefined },
): Promise<Reply> {
  const { words, moderation } = ctx;
  const found = await findRule(ctx, rule);
  if (found === undefined) return noRule(words);
  const changed = await moderation.rules.change(found.id, { isOn: on ?? !found.isOn });
  if (changed === undefined) return noRule(words);
  const { name, isOn } = changed;
  return notice({
    tone: "good",
    title: words.say(isOn ? "rules.on.title" : "rules.off.title", { name }),
    text: isOn
      ? words.say("rules.on.text", { command: words.command("rules list") })
      : words.say("rules.off.text"),
  });
}

/** Asks first, because nothing brings a rule back. */
export async function askRemove(ctx: Ctx, rule: string): Promise<Reply> {
  const { words } = ctx;
  const found = await findRule(ctx, rule);
  if (found === undefined) return noRule(words);
  const { id, name, test } = found;
  return ask({
    title: cut(words.say("rules.remove.title", { name }), 250),
    text: words.say("rules.remove.text"),
    fields: [{ name, value: testOf(test, words) }],
    confirm: {
      label: words.say("rules.remove.confirm"),
      style: "danger",
      press: remove.press({ id, name }),
    },
  });
}

const remove = action<{ readonly id: string; readonly name: string }>({
  name: "rules.remove",
  answer: "update",
  by: "requester",
  rank: "manager",
  run: async ({ words, moderation }, { id, name }) => {
    const wasThere = await moderation.rules.remove(id);
    if (!wasThere) return noRule(words);
    return notice({ tone: "good", title: words.say("rules.remove.done", { name }) });
  },
});

export const actions = [remove] as const;
