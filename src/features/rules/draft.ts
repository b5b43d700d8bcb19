import { isBlank, typedText } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type { NameSign, RuleDraft, RuleTest } from "../../moderation/index.ts";
import { type ChannelRef, channelNamedBy, listedEntries } from "../../video-links/index.ts";
import { findChannels } from "../channels/index.ts";
import type { Ctx } from "../context/index.ts";
import { collapseSpaces } from "../watches/index.ts";

export const ruleKinds = ["words", "patterns", "links", "repeated", "authors", "names"] as const;

/** What a rule can look for in an author's name and channel. */
export const nameSigns = [
  "imitates",
  "claims",
  "links",
  "picture",
  "new",
] as const satisfies readonly NameSign[];

export type CommentRuleKind = (typeof ruleKinds)[number];

/** What a rule can do with the comments that it finds, as people choose it. */
export const ruleEffects = [
  "suggest_approve",
  "suggest_hold",
  "suggest_reject",
  "hold",
  "reject",
] as const;

export type RuleEffect = (typeof ruleEffects)[number];

/** What people ask for when they add or change a rule. */
export interface RuleInput {
  readonly kind: CommentRuleKind;
  readonly name: string;
  readonly does: RuleEffect;
  /** The rule's list: one entry per line. Commas separate too, except in patterns, where they may be meant. */
  readonly what: string;
  readonly isFolded: boolean;
  readonly times: number;
  readonly withinMs: number;
  /** All when absent. */
  readonly signs?: readonly NameSign[] | undefined;
}

export const ruleDefaults = { isFolded: true, times: 3, withinMs: 3_600_000 } as const;

/** @throws InputError `rule_name`, `rule_authors`, `channel_not_found` */
export async function draftRule(ctx: Ctx, input: RuleInput): Promise<RuleDraft> {
  const { does } = input;
  const name = collapseSpaces(input.name);
  if (isBlank(name)) {
    throw new InputError("a rule without a name", { code: "rule_name" });
  }
  return { name, ...toEffect(does), test: await parseRuleTest(ctx, input) };
}

const effects = {
  suggest_approve: { does: "suggest", decision: "approve" },
  suggest_hold: { does: "suggest", decision: "hold" },
  suggest_reject: { does: "suggest", decision: "reject" },
  hold: { does: "act", decision: "hold" },
  reject: { does: "act", decision: "reject" },
} as const satisfies Record<RuleEffect, Pick<RuleDraft, "does" | "decision">>;

export function toEffect(effect: RuleEffect): Pick<RuleDraft, "does" | "decision"> {
  return effects[effect];
}

export function chosenEffect({ does, decision }: Pick<RuleDraft, "does" | "decision">): RuleEffect {
  const chosen = ruleEffects.find(
    (effect) => effects[effect].does === does && effects[effect].decision === decision,
  );
  // No choice lets a rule approve by itself.
  return chosen ?? "suggest_approve";
}

async function parseRuleTest(ctx: Ctx, input: RuleInput): Promise<RuleTest> {
  const { kind, what, isFolded, times, withinMs, signs = nameSigns } = input;
  switch (kind) {
    case "words":
      return { kind, words: splitList(what, /[,、，\n]/u), isFolded };
    case "patterns":
      // A pattern may contain commas.
      return { kind, patterns: splitList(what, /\n/u), isFolded };
    case "links":
      return { kind, allowed: splitList(what, /[\s,]/u) };
    case "repeated":
      return { kind, times, withinMs };
    case "authors":
      return { kind, authors: await findRuleAuthors(ctx, parseChannelRefs(what)) };
    case "names":
      return { kind, signs };
  }
}

function splitList(text: string, between: RegExp): readonly string[] {
  const pieces = text.split(between).map((piece) => piece.trim());
  return [...new Set(pieces.filter((piece) => piece !== ""))];
}

/** @throws InputError `rule_authors` */
function parseChannelRefs(text: string): readonly ChannelRef[] {
  return listedEntries(text).flatMap((words) =>
    words.map((word) => {
      const ref = channelNamedBy(word, words.length === 1);
      if (ref !== undefined) return ref;
      throw new InputError("no channel is meant by that", {
        code: "rule_authors",
        facts: { reason: "unread", given: typedText(word) },
      });
    }),
  );
}

/** A rule's list as a form shows it, for people to change; undefined for a rule without a list. */
export function ruleListText(test: RuleTest): string | undefined {
  switch (test.kind) {
    case "words":
      return test.words.join("\n");
    case "patterns":
      return test.patterns.join("\n");
    case "links":
      return test.allowed.join("\n");
    case "authors":
      return test.authors.map(({ id }) => id).join("\n");
    case "repeated":
    case "names":
    case "list":
      return undefined;
  }
}

interface RuleAuthor {
  readonly id: string;
  readonly name?: string | undefined;
}

/** docs/services/youtube.md#ids-of-one-call */
const idsOfCall = 50;

/**
 * The named authors, with their names. Fifty ids cost one unit, each handle or name costs one. An id that YouTube does not
 * know is kept: somebody whose channel was closed may have written comments before.
 * @throws InputError `channel_not_found`
 */
export async function findRuleAuthors(
  ctx: Ctx,
  refs: readonly ChannelRef[],
): Promise<readonly RuleAuthor[]> {
  const ids = refs.flatMap((ref) => ("id" in ref ? [ref.id] : []));
  const others = refs.filter((ref) => !("id" in ref));
  const calls = Math.ceil(ids.length / idsOfCall) + others.length;
  if (calls > 0) await ctx.afford([["channels.list", calls]]);
  const names = new Map<string, string | undefined>();
  for (let at = 0; at < ids.length; at += idsOfCall) {
    const wanted = { part: ["snippet"], id: ids.slice(at, at + idsOfCall) } as const;
    const { items } = await ctx.video.call("channels.list", wanted, { signal: ctx.signal });
    for (const { id, snippet } of items ?? []) if (id !== undefined) names.set(id, snippet?.title);
  }
  const found: RuleAuthor[] = ids.map((id) => toRuleAuthor(id, names.get(id)));
  for (const { id, title } of await findChannels(ctx, others)) found.push(toRuleAuthor(id, title));
  return [...new Map(found.map((author) => [author.id, author])).values()];
}

function toRuleAuthor(id: string, name: string | undefined): RuleAuthor {
  return name === undefined ? { id } : { id, name: name.slice(0, 60) };
}
