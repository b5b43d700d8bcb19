import {
  type Button,
  type Card,
  card,
  compact,
  cut,
  join,
  longestTexts,
  md,
  notice,
  type Reply,
  type Text,
  type Words,
} from "../../discord/index.ts";
import { type DryRun, type RuleDraft, tooWideShare } from "../../moderation/index.ts";
import { requireOwnChannelId } from "../channels/index.ts";
import type { Ctx, CtxFor } from "../context/index.ts";
import { option } from "../declarations/index.ts";
import { requireOneOf } from "../options/index.ts";
import { rules } from "../suggestions/index.ts";
import { commentAuthorName, commentBeginning, describeFound } from "../watches/index.ts";
import { chosenEffect } from "./draft.ts";
import { describeReach, describeRuleTest, listRules } from "./list.ts";
import { findRule, noRuleNotice } from "./manage.ts";

type DryRunHit = DryRun["hits"][number];

const maxSamples = 8;

/** What a rule would have done to recent comments. */
export async function dryRunRule(
  ctx: Ctx,
  draft: RuleDraft,
  buttons: readonly Button[],
): Promise<Card> {
  const { words, moderation, signal } = ctx;
  const source = await findTrialSource(ctx);
  const run = await moderation.rules.tryOut(draft, source, signal);
  const hits = run.hits.filter(({ spared }) => spared === undefined);
  const samples = [...hits, ...run.hits.filter(({ spared }) => spared !== undefined)];
  const share = countIn(hits, "published") / Math.max(run.triedPublished, 1);
  const lines: readonly Text[] = [
    md`${describeRuleTest(draft.test, words)}\n**${words.say(`rules.does.${chosenEffect(draft)}`)}**`,
    "",
    ...countLines(run, hits, words),
    ...(share > tooWideShare
      ? [
          words.md("rules.dry.many", {
            share: words.percent(share),
            isList: draft.test.kind === "list",
          }),
        ]
      : []),
    ...(draft.does === "act" ? [words.say(actingLine(ctx, draft))] : []),
    ...(run.isMembersUnread ? [words.say("rules.members_unread")] : []),
    ...(await describeReach(ctx, source)),
    ...(samples.length === 0 ? [] : ["", md`**${words.say("rules.dry.samples")}**`]),
    ...samples.slice(0, maxSamples).map((hit) => sampleLine(hit, words)),
  ];
  return card({
    title: cut(words.say("rules.dry.title", { name: draft.name }), 250),
    text: join(lines),
    buttons,
    isPrivate: true,
  });
}

/** What people have to know about a rule that acts. */
function actingLine(ctx: Ctx, { decision }: RuleDraft) {
  if (!ctx.has("channel")) return "rules.dry.by_key";
  return decision === "reject" ? "rules.dry.final" : "rules.dry.hold";
}

/** The linked channel; else one that is watched with the key, if there is any. */
async function findTrialSource(ctx: Ctx): Promise<string | undefined> {
  if (ctx.has("channel")) return requireOwnChannelId(ctx);
  const watches = await ctx.moderation.watches.all();
  return watches.find(({ isKeyOnly }) => isKeyOnly)?.source;
}

function countLines(run: DryRun, hits: readonly DryRunHit[], words: Words): readonly Text[] {
  const { tried, triedPublished } = run;
  if (tried === 0) return [words.say("rules.dry.none_to_try")];
  const held = countIn(hits, "heldForReview");
  const spam = countIn(hits, "likelySpam");
  const published = countIn(hits, "published");
  const parts = compact([
    held > 0 && words.say("rules.dry.held", { count: held }),
    spam > 0 && words.say("rules.dry.spam", { count: spam }),
    words.say("rules.dry.published", { count: published, of: triedPublished }),
  ]);
  const count = run.hits.length - hits.length;
  const sparedParts = (["channel", "member", "author"] as const).flatMap((why) => {
    const some = run.hits.filter(({ spared }) => spared === why).length;
    return some === 0 ? [] : [words.say("rules.dry.spared_by", { why, count: some })];
  });
  return compact<Text>([
    hits.length === 0
      ? words.say("rules.dry.nothing", { tried })
      : words.md("rules.dry.found", { hits: hits.length, tried, parts: words.list(parts) }),
    count > 0 && words.say("rules.dry.spared", { count, parts: words.list(sparedParts) }),
  ]);
}

function countIn(hits: readonly DryRunHit[], state: DryRunHit["comment"]["state"]): number {
  return hits.filter(({ comment }) => comment.state === state).length;
}

function sampleLine({ comment, found, spared }: DryRunHit, words: Words): Text {
  const author = cut(commentAuthorName(comment, words), 40);
  const about =
    spared === undefined
      ? words.say("rules.dry.sample", {
          author,
          state: comment.state,
          found: describeFound(found, words),
        })
      : words.say("rules.dry.sample_spared", { author });
  return md`> ${commentBeginning(comment, words, 140)}\n-# ${about}`;
}

export const tryRulesOptions = {
  rule: option.text({ max: longestTexts.id, suggest: rules }),
  text: option.text({}),
};

/**
 * Tries one rule on recent comments, or all rules on one text; without options it lists the rules.
 * @throws InputError `conflicting_parameters`
 */
export async function tryRules(ctx: CtxFor<typeof tryRulesOptions>): Promise<Reply> {
  const { rule, text } = ctx.options;
  requireOneOf({ rule, text });
  if (text !== undefined) return tryText(ctx, text);
  if (rule === undefined) return listRules(ctx);
  const found = await findRule(ctx, rule);
  if (found === undefined) return noRuleNotice(ctx.words);
  return dryRunRule(ctx, found, []);
}

async function tryText(ctx: Ctx, text: string): Promise<Reply> {
  const { words, moderation } = ctx;
  const { rules } = await moderation.rules.book();
  if (rules.length === 0) return listRules(ctx);
  const hits = await moderation.rules.hitsOf(text);
  const title = words.say("rules.try.title");
  const alone = words.say("rules.try.alone");
  if (hits.length === 0) {
    const none = words.say("rules.try.none");
    return notice({ tone: "neutral", title, text: join([none, alone]), isPrivate: true });
  }
  const lines = hits.slice(0, 25).map(({ rule, found }) => {
    const line = words.md("rules.try.hit", {
      name: rule.name,
      found: describeFound(found, words),
      does: words.say(`rules.does.${chosenEffect(rule)}`),
    });
    return rule.isOn ? line : join([line, words.say("rules.try.off")], " ");
  });
  return card({
    title,
    text: join([...lines, "", words.say("rules.try.first"), alone]),
    isPrivate: true,
  });
}
