import { type Ctx, channelOf, readDuration } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type { RuleDraft, RuleTest } from "../../moderation/index.ts";
import { findAuthors } from "./authors.ts";

export const kinds = ["words", "patterns", "links", "repeated", "authors"] as const;

export type Kind = (typeof kinds)[number];

/** What becomes of the comments that a rule finds, as people choose it. */
export const deeds = [
  "suggest_approve",
  "suggest_hold",
  "suggest_reject",
  "hold",
  "reject",
] as const;

export type Deed = (typeof deeds)[number];

/** What people said of a rule. */
export interface Wishes {
  readonly kind: Kind;
  readonly name: string;
  readonly does: Deed;
  /** One a line; where nobody would mean a comma, between commas too. */
  readonly what: string;
  readonly isFolded: boolean;
  readonly times: number;
  readonly withinMs: number;
}

export const usual = { isFolded: true, times: 3, withinMs: 3_600_000 } as const;

/** @throws InputError `rule_name`, `rule_authors`, `channel_not_found` */
export async function draftOf(ctx: Ctx<unknown>, wishes: Wishes): Promise<RuleDraft> {
  const { does } = wishes;
  const name = wishes.name.replaceAll(/\s+/gu, " ").trim();
  if (name === "") throw noName();
  return { name, ...actOf(does), test: await testOf(ctx, wishes) };
}

const acts = {
  suggest_approve: { does: "suggest", decision: "approve" },
  suggest_hold: { does: "suggest", decision: "hold" },
  suggest_reject: { does: "suggest", decision: "reject" },
  hold: { does: "act", decision: "hold" },
  reject: { does: "act", decision: "reject" },
} as const satisfies Record<Deed, Pick<RuleDraft, "does" | "decision">>;

function actOf(deed: Deed): Pick<RuleDraft, "does" | "decision"> {
  return acts[deed];
}

export function deedOf({ does, decision }: Pick<RuleDraft, "does" | "decision">): Deed {
  const isIt = (deed: Deed) => acts[deed].does === does && acts[deed].decision === decision;
  // To approve by itself is nothing that can be chosen.
  return deeds.find(isIt) ?? "suggest_approve";
}

async function testOf(ctx: Ctx<unknown>, wishes: Wishes): Promise<RuleTest> {
  const { kind, what, isFolded, times, withinMs } = wishes;
  switch (kind) {
    case "words":
      return { kind, words: piecesOf(what, /[,、，\n]/u), isFolded };
    case "patterns":
      // A comma may stand in a pattern.
      return { kind, patterns: piecesOf(what, /\n/u), isFolded };
    case "links":
      return { kind, allowed: piecesOf(what, /[\s,]/u) };
    case "repeated":
      return { kind, times, withinMs };
    case "authors":
      return { kind, authors: await findAuthors(ctx, piecesOf(what, /[\s,]/u).map(refOf)) };
  }
}

function piecesOf(text: string, between: RegExp): readonly string[] {
  const pieces = text.split(between).map((piece) => piece.trim());
  return [...new Set(pieces.filter((piece) => piece !== ""))];
}

function refOf(text: string) {
  const ref = channelOf(text);
  if (ref !== undefined) return ref;
  throw new InputError("no channel is meant by that", {
    code: "rule_authors",
    hint: `“${text}” is no @handle, link or ID of a channel.`,
    facts: { reason: "unread", given: text.slice(0, 60) },
  });
}

/** What a form is filled with, so that it says the same again; undefined for what has no list. */
export function linesOf(test: RuleTest): string | undefined {
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
      return undefined;
  }
}

/** @throws InputError `rule_repeats`; what `readDuration` throws */
export async function repeatsOf(
  times: string,
  within: string,
): Promise<Pick<Wishes, "times" | "withinMs">> {
  return { times: Number(times.trim()), withinMs: await readDuration(within, "within") };
}

function noName(): InputError {
  return new InputError("a rule without a name", {
    code: "rule_name",
    hint: "Give the rule a name of 1 to 60 characters.",
  });
}
