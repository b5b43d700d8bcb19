import { type ChannelRef, type Ctx, channelOf, readDuration } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type { RuleDraft, RuleTest } from "../../moderation/index.ts";

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
export async function draftOf(ctx: Ctx, wishes: Wishes): Promise<RuleDraft> {
  const { does } = wishes;
  const name = wishes.name.replaceAll(/\s+/gu, " ").trim();
  if (name === "") {
    throw new InputError("a rule without a name", {
      code: "rule_name",
    });
  }
  return { name, ...acts[does], test: await testOf(ctx, wishes) };
}

const acts = {
  suggest_approve: { does: "suggest", decision: "approve" },
  suggest_hold: { does: "suggest", decision: "hold" },
  suggest_reject: { does: "suggest", decision: "reject" },
  hold: { does: "act", decision: "hold" },
  reject: { does: "act", decision: "reject" },
} as const satisfies Record<Deed, Pick<RuleDraft, "does" | "decision">>;

export function deedOf({ does, decision }: Pick<RuleDraft, "does" | "decision">): Deed {
  const isIt = (deed: Deed) => acts[deed].does === does && acts[deed].decision === decision;
  // To approve by itself is nothing that can be chosen.
  return deeds.find(isIt) ?? "suggest_approve";
}

async function testOf(ctx: Ctx, wishes: Wishes): Promise<RuleTest> {
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

export interface Author {
  readonly id: string;
  readonly name?: string;
}

/** Facts: ids of one call. */
const idsOfCall = 50;

/**
 * Who is meant, with names. Ids cost a unit for fifty, @handles one each; an id that the service does not know stays:
 * somebody whose channel was closed may have written before.
 * @throws InputError `channel_not_found`
 */
export async function findAuthors(
  ctx: Ctx,
  refs: readonly ChannelRef[],
): Promise<readonly Author[]> {
  const ids = refs.flatMap((ref) => ("id" in ref ? [ref.id] : []));
  const handles = refs.flatMap((ref) => ("handle" in ref ? [ref.handle] : []));
  const calls = Math.ceil(ids.length / idsOfCall) + handles.length;
  if (calls > 0) await ctx.afford([["channels.list", calls]]);
  const named = await namesOf(ctx, ids);
  const found: Author[] = ids.map((id) => authorOf(id, named.get(id)));
  for (const handle of handles) found.push(await byHandle(ctx, handle));
  return [...new Map(found.map((author) => [author.id, author])).values()];
}

async function namesOf(
  { video, signal }: Ctx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string | undefined>> {
  const names = new Map<string, string | undefined>();
  for (let at = 0; at < ids.length; at += idsOfCall) {
    const wanted = { part: ["snippet"], id: ids.slice(at, at + idsOfCall) } as const;
    const { items } = await video.call("channels.list", wanted, { signal });
    for (const { id, snippet } of items ?? []) if (id !== undefined) names.set(id, snippet?.title);
  }
  return names;
}

async function byHandle({ video, signal }: Ctx, handle: string): Promise<Author> {
  const wanted = { part: ["snippet"], forHandle: handle } as const;
  const { items } = await video.call("channels.list", wanted, { signal });
  const [channel] = items ?? [];
  if (channel?.id !== undefined) return authorOf(channel.id, channel.snippet?.title ?? handle);
  throw new InputError("nobody has that handle", {
    code: "rule_authors",
    facts: { reason: "unknown", given: handle },
  });
}

function authorOf(id: string, name: string | undefined): Author {
  return name === undefined ? { id } : { id, name: name.slice(0, 60) };
}
