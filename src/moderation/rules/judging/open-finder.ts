import type { PartOptions, QueueAt, Verdict } from "../../parts.ts";
import type { HeldComment, Rule, RuleBook, RuleOff, Watch } from "../../records/index.ts";
import type { LookedAt, ReadTexts } from "../engine/messages.ts";
import { createMembers } from "./members.ts";
import { createOwnLinks } from "./own-links.ts";

export interface Found {
  /** Of comments in their order; `act` where a rule would act, whatever the day has room for. */
  readonly verdicts: Verdicts;
  /** Rules that are to be switched off. */
  readonly off: readonly { readonly rule: Rule; readonly why: RuleOff["why"] }[];
}

interface Given {
  readonly items: readonly HeldComment[];
  readonly book: RuleBook;
  /** What was read of their texts. */
  readonly read: ReadTexts;
  readonly signal: AbortSignal;
}

type Verdicts = readonly (Verdict | undefined)[];

interface FinderDeps extends PartOptions {
  readonly members: ReturnType<typeof createMembers>;
  readonly ownLinks: ReturnType<typeof createOwnLinks>;
}

/** Answers what rules find in comments. @throws what `RuleEngine.look` throws */
export function openFinder(parts: PartOptions) {
  const members = createMembers(parts.clock.now);
  const deps: FinderDeps = { ...parts, members, ownLinks: createOwnLinks() };

  return async (guildId: string, watch: Watch, given: Given): Promise<Found> => {
    const at = { guildId, watch };
    const { verdicts, off } = await found(deps, at, given);
    if (!given.book.spared.members) return { verdicts, off };
    return { verdicts: await withoutMembers(deps, at, { ...given, verdicts }), off };
  };
}

async function found(
  deps: FinderDeps,
  { guildId, watch: { source } }: QueueAt,
  given: Given,
): Promise<Found> {
  const { items, book, signal } = given;
  const rules = book.rules.filter(({ isOn }) => isOn);
  const hasLinks = rules.some(({ test }) => test.kind === "links");
  const ownLinks = hasLinks
    ? await ownAmong(deps, { guildId, source }, given.read.links)
    : undefined;
  const spared = new Set([source, ...book.spared.authors.map(({ id }) => id)]);
  const said = await timesSaid(deps, guildId, { ...given, rules });
  const comments = items.map((item, at): LookedAt => {
    const { text, authorId, state } = item.comment;
    return {
      ...{ text, authorId },
      order: spared.has(authorId ?? "") ? [] : orderOf(rules, state),
      timesSaid: said[at] ?? [],
    };
  });
  const tests = rules.map(({ test }) => test);
  const looks = await deps.engine.look(guildId, { tests, comments, ownLinks, signal });
  for (const { at, reason } of looks.faults) {
    deps.log.error("a rule can't be used", { guildId, rule: rules[at]?.id, reason });
  }
  return {
    verdicts: looks.looks.map(({ found: [first] }, at) => {
      const [rule, item] = [rules[first?.at ?? -1], items[at]];
      return rule && item && verdictOf(rule, item.comment.state);
    }),
    off: looks.off.flatMap(({ at, why }) => {
      const rule = rules[at];
      return rule === undefined ? [] : [{ rule, why }];
    }),
  };
}

async function ownAmong(
  { ownLinks, video, log }: FinderDeps,
  { guildId, source }: { readonly guildId: string; readonly source: string },
  links: ReadTexts["links"],
) {
  try {
    return await ownLinks(links, { client: () => video(guildId, source), source });
  } catch (error) {
    // Nobody loses a comment because the channel's own videos could not be looked up.
    log.warn("own links can't be told from others", { guildId, error });
    return "unknown" as const;
  }
}

type TimesSaid = readonly (readonly [withinMs: number, times: number])[];

/** How often each comment's text was said within the times that rules ask for; the comments themselves are on record. */
async function timesSaid(
  { records }: FinderDeps,
  guildId: string,
  { items, read: { likenesses }, rules }: Given & { readonly rules: readonly Rule[] },
): Promise<readonly TimesSaid[]> {
  const windows = new Set(
    rules.flatMap(({ test }) => (test.kind === "repeated" ? test.withinMs : [])),
  );
  const said: TimesSaid[] = [];
  for (const [at, { id: exceptId, comment }] of items.entries()) {
    const likeness = likenesses[at];
    const times: TimesSaid[number][] = [];
    for (const ms of windows) {
      const { publishedAt } = comment;
      const [from, to] = [publishedAt - ms, publishedAt + ms];
      const others =
        likeness === undefined
          ? 0
          : await records.comments.timesSaid(guildId, { likeness, exceptId, from, to });
      times.push([ms, others + 1]);
    }
    said.push(times);
  }
  return said;
}

/** Without those about members; while they can't be told from others, rules only advise. */
async function withoutMembers(
  { members, video, log }: FinderDeps,
  { guildId, watch: { source } }: QueueAt,
  { items, verdicts }: { readonly items: readonly HeldComment[]; readonly verdicts: Verdicts },
): Promise<Verdicts> {
  const authorOf = (at: number) => items[at]?.comment.authorId ?? "";
  const hit = verdicts.flatMap((verdict, at) => (verdict === undefined ? [] : [authorOf(at)]));
  const authors = hit.filter((id) => id !== "");
  if (authors.length === 0) return verdicts;
  const client = () => video(guildId, source);
  const paying = await members(authors, { guildId, source, client });
  switch (paying.state) {
    case "closed":
      return verdicts;
    case "failed":
      log.warn("members can't be told from others", { guildId, error: paying.error });
      return verdicts.map((verdict) => verdict && advised(verdict));
    case "read": {
      const { ids } = paying;
      return verdicts.map((verdict, at) => (ids.has(authorOf(at)) ? undefined : verdict));
    }
  }
}

type State = HeldComment["comment"]["state"];

/** In which order rules are asked about a comment, by their place: those that act first. The first that finds decides. */
function orderOf(rules: readonly Rule[], state: State): readonly number[] {
  const places = [...rules.keys()];
  const isActing = (at: number) => doesOf(rules[at], state) === "act";
  return [...places.filter(isActing), ...places.filter((at) => !isActing(at))];
}

function verdictOf(rule: Rule, state: State): Verdict | undefined {
  if (rule.decision === "approve" && state === "published") return undefined;
  const { id, name, decision } = rule;
  return { ruleId: id, ruleName: name, does: doesOf(rule, state), kind: decision };
}

/** Of what waits already, people see on the card that a rule would hold it. */
function doesOf(rule: Rule | undefined, state: State): Verdict["does"] {
  const isSo = rule?.decision === "hold" && state === "heldForReview";
  return rule?.does === "act" && !isSo ? "act" : "suggest";
}

export function advised(verdict: Verdict): Verdict {
  return { ...verdict, does: "suggest" };
}
