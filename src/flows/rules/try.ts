import { type Ctx, card, cut, join, notice, type Reply } from "../../discord/index.ts";
import { requireOneOf } from "../one-of.ts";
import { deedOf } from "./draft.ts";
import { dryRun } from "./dry-run.ts";
import { findRule, noRule } from "./find.ts";
import { list } from "./list.ts";

interface Trying {
  readonly rule?: string | undefined;
  readonly text?: string | undefined;
}

/**
 * A rule on comments of lately, or all rules on one text; the rules where neither is given.
 * @throws InputError `conflicting_parameters`
 */
export async function tryRules(ctx: Ctx<unknown>, { rule, text }: Trying): Promise<Reply> {
  requireOneOf({ rule, text });
  if (text !== undefined) return said(ctx, text);
  if (rule === undefined) return list(ctx);
  const found = await findRule(ctx, rule);
  if (found === undefined) return noRule(ctx.words);
  return dryRun(ctx, found, []);
}

async function said(ctx: Ctx<unknown>, text: string): Promise<Reply> {
  const { words, moderation } = ctx;
  const { rules } = await moderation.rules.book();
  if (rules.length === 0) return list(ctx);
  const hits = await moderation.rules.hitsOf(text);
  const title = words.say("rules.try.title");
  const alone = words.say("rules.try.alone");
  if (hits.length === 0) {
    const none = words.say("rules.try.none");
    return notice({ tone: "info", title, text: join([none, alone], "\n"), isPrivate: true });
  }
  const lines = hits.slice(0, 25).map(({ rule, found }) => {
    const line = words.md("rules.try.hit", {
      name: rule.name,
      found: words.say("rules.quoted", { text: cut(found, 80) }),
      does: words.say(`rules.does.${deedOf(rule)}`),
    });
    return rule.isOn ? line : join([line, words.say("rules.try.off")], " ");
  });
  return card({
    title,
    text: join([...lines, "", words.say("rules.try.first"), alone], "\n"),
    isPrivate: true,
  });
}
