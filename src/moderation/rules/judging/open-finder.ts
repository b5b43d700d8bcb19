import type { PartOptions, Verdict } from "../../parts.ts";
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

/** Answers what rules find in comments. @throws what `RuleEngine.look` throws */
export function openFinder(parts: PartOptions) {
  const { records, video, clock, log, engine } = parts;
  const members = createMembers(clock.now);
  const ownLinks = createOwnLinks();

  /** How often each comment's text was said within these times, by place; the comments themselves are on record. */
  async function timesSaid(
    guildId: string,
    { items, read: { likenesses } }: Given,
    windows: readonly number[],
  ): Promise<readonly (readonly (readonly [number, number])[])[]> {
    const said = [];
    for (const [at, { id, comment }] of items.entries()) {
      const likeness = likenesses[at];
      const times: (readonly [number, number])[] = [];
      for (const ms of windows) {
        const { publishedAt } = comment;
        const [from, to] = [publishedAt - ms, publishedAt + ms];
        const others =
          likeness === undefined
            ? 0
            : await records.comments.timesSaid(guildId, { likeness, exceptId: id, from, to });
        times.push([ms, others + 1]);
      }
      said.push(times);
    }
    return said;
  }

  async function ownAmong(guildId: string, source: string, links: ReadTexts["links"]) {
    try {
      return await ownLinks(links, { client: () => video(guildId, source), source });
    } catch (error) {
      // Nobody loses a comment because the channel's own videos could not be looked up.
      log.warn("own links can't be told from others", { guildId, error });
      return "unknown" as const;
    }
  }

  async function found(guildId: string, watch: Watch, given: Given): Promise<Found> {
    const { items, book, signal } = given;
    const rules = book.rules.filter(({ isOn }) => isOn);
    const hasLinks = rules.some(({ test }) => test.kind === "links");
    const own = hasLinks ? await ownAmong(guildId, watch.source, given.read.links) : undefined;
    const spared = new Set([watch.source, ...book.spared.authors.map(({ id }) => id)]);
    const windows = [
      ...new Set(rules.flatMap(({ test }) => (test.kind === "repeated" ? test.withinMs : []))),
    ];
    const said = await timesSaid(guildId, given, windows);
    const comments = items.map((item, at): LookedAt => {
      const { text, authorId, state } = item.comment;
      return {
        ...{ text, authorId },
        order: spared.has(authorId ?? "") ? [] : orderOf(rules, state),
        timesSaid: said[at] ?? [],
      };
    });
    const tests = rules.map(({ test }) => test);
    const looks = await engine.look(guildId, { tests, comments, ownLinks: own, signal });
    for (const { at, reason } of looks.faults) {
      log.error("a rule can't be used", { guildId, rule: rules[at]?.id, reason });
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

  /** Without those about members; while they can't be told from others, rules only advise. */
  async function withoutMembers(
    guildId: string,
    { source }: Watch,
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

  return async (guildId: string, watch: Watch, given: Given): Promise<Found> => {
    const { verdicts, off } = await found(guildId, watch, given);
    if (!given.book.spared.members) return { verdicts, off };
    const { items } = given;
    return { verdicts: await withoutMembers(guildId, watch, { items, verdicts }), off };
  };
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
