import {
  type Button,
  type Card,
  type Ctx,
  card,
  cut,
  join,
  md,
  notice,
  type Reply,
  type Text,
  type Words,
} from "../../discord/index.ts";
import type { DryRun, RuleDraft } from "../../moderation/index.ts";
import { ownChannelId } from "../channels/index.ts";
import { requireOneOf } from "../options/index.ts";
import { authorOf, beginningOf } from "../watching/index.ts";
import { testOf } from "./describe.ts";
import { deedOf } from "./draft.ts";
import { findRule, noRule } from "./keep.ts";
import { list, reachOf } from "./list.ts";

type Hit = DryRun["hits"][number];

const mostSamples = 8;
/** From this share of what is published on a rule is most likely too wide. */
const tooMany = 1 / 3;

/** What a rule would do to comments of lately, before it does anything. */
export async function dryRun(
  ctx: Ctx,
  draft: RuleDraft,
  buttons: readonly Button[],
): Promise<Card> {
  const { words, moderation, signal } = ctx;
  const source = await ownChannelId(ctx);
  const run = await moderation.rules.tryOut(draft, source, signal);
  const hits = run.hits.filter(({ spared }) => spared === undefined);
  const samples = [...hits, ...run.hits.filter(({ spared }) => spared !== undefined)];
  const lines: readonly Text[] = [
    md`${testOf(draft.test, words)}\n**${words.say(`rules.does.${deedOf(draft)}`)}**`,
    "",
    ...countsOf(run, hits, words),
    ...warningOf(run, hits, words),
    ...consequenceOf(draft, words),
    ...(run.isMembersUnread ? [words.say("rules.members_unread")] : []),
    ...(await reachOf(ctx, source)),
    ...(samples.length === 0 ? [] : ["", md`**${words.say("rules.dry.samples")}**`]),
    ...samples.slice(0, mostSamples).map((hit) => sampleOf(hit, words)),
  ];
  return card({
    title: cut(words.say("rules.dry.title", { name: draft.name }), 250),
    text: join(lines),
    buttons,
    isPrivate: true,
  });
}

function countsOf(run: DryRun, hits: readonly Hit[], words: Words): readonly Text[] {
  const { tried, triedPublished } = run;
  if (tried === 0) return [words.say("rules.dry.none_to_try")];
  const spared = run.hits.length - hits.length;
  const found =
    hits.length === 0
      ? words.say("rules.dry.nothing", { tried })
      : words.md("rules.dry.found", {
          hits: hits.length,
          tried,
          parts: words.list(partsOf(hits, triedPublished, words)),
        });
  if (spared === 0) return [found];
  const parts = words.list(sparedParts(run.hits, words));
  return [found, words.say("rules.dry.spared", { count: spared, parts })];
}

function partsOf(hits: readonly Hit[], triedPublished: number, words: Words): readonly string[] {
  const held = countIn(hits, "heldForReview");
  const spam = countIn(hits, "likelySpam");
  const published = countIn(hits, "published");
  return [
    ...(held > 0 ? [words.say("rules.dry.held", { count: held })] : []),
    ...(spam > 0 ? [words.say("rules.dry.spam", { count: spam })] : []),
    words.say("rules.dry.published", { count: published, of: triedPublished }),
  ];
}

function sparedParts(hits: readonly Hit[], words: Words): readonly string[] {
  return (["channel", "member", "author"] as const).flatMap((why) => {
    const count = hits.filter(({ spared }) => spared === why).length;
    return count === 0 ? [] : [words.say("rules.dry.spared_by", { why, count })];
  });
}

function countIn(hits: readonly Hit[], state: Hit["comment"]["state"]): number {
  return hits.filter(({ comment }) => comment.state === state).length;
}

function warningOf(run: DryRun, hits: readonly Hit[], words: Words): readonly Text[] {
  const share = countIn(hits, "published") / Math.max(run.triedPublished, 1);
  if (share <= tooMany) return [];
  return [words.md("rules.dry.many", { share: words.percent(share) })];
}

function consequenceOf({ does, decision }: RuleDraft, words: Words): readonly Text[] {
  if (does !== "act") return [];
  return [words.say(decision === "reject" ? "rules.dry.final" : "rules.dry.hold")];
}

function sampleOf({ comment, found, spared }: Hit, words: Words): Text {
  const author = cut(authorOf(comment, words), 40);
  const about =
    spared === undefined
      ? words.say("rules.dry.sample", {
          author,
          state: comment.state,
          found: words.say("rules.quoted", { text: cut(found, 60) }),
        })
      : words.say("rules.dry.sample_spared", { author });
  return md`> ${beginningOf(comment, words, 140)}\n-# ${about}`;
}

interface Trying {
  readonly rule?: string | undefined;
  readonly text?: string | undefined;
}

/**
 * A rule on comments of lately, or all rules on one text; the rules where neither is given.
 * @throws InputError `conflicting_parameters`
 */
export async function tryRules(ctx: Ctx, { rule, text }: Trying): Promise<Reply> {
  requireOneOf({ rule, text });
  if (text !== undefined) return said(ctx, text);
  if (rule === undefined) return list(ctx);
  const found = await findRule(ctx, rule);
  if (found === undefined) return noRule(ctx.words);
  return dryRun(ctx, found, []);
}

async function said(ctx: Ctx, text: string): Promise<Reply> {
  const { words, moderation } = ctx;
  const { rules } = await moderation.rules.book();
  if (rules.length === 0) return list(ctx);
  const hits = await moderation.rules.hitsOf(text);
  const title = words.say("rules.try.title");
  const alone = words.say("rules.try.alone");
  if (hits.length === 0) {
    const none = words.say("rules.try.none");
    return notice({ tone: "info", title, text: join([none, alone]), isPrivate: true });
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
    text: join([...lines, "", words.say("rules.try.first"), alone]),
    isPrivate: true,
  });
}
