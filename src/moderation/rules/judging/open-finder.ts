import type { QueueItem, Rule, RuleBook, RuleOff, Watch } from "../../../store/index.ts";
import type { Verdict } from "../../parts.ts";
import type { LookedAt } from "../engine/messages.ts";
import type { RuleParts } from "../parts.ts";
import { createMembers } from "./members.ts";
import { createOwnLinks } from "./own-links.ts";
import { createSaidTexts, type SaidTexts } from "./said-texts.ts";
import { advised, orderOf, verdictOf } from "./verdict.ts";

/** What rules find in comments. */
export interface Finder {
  /** @throws what `RuleEngine.look` throws */
  find(guildId: string, watch: Watch, given: Given): Promise<Found>;
  forget(guildId: string): void;
}

export interface Found {
  /** Of comments in their order; `act` where a rule would act, whatever the day has room for. */
  readonly verdicts: Verdicts;
  /** Rules that are to be switched off. */
  readonly off: readonly { readonly rule: Rule; readonly why: RuleOff["why"] }[];
}

interface Given {
  readonly items: readonly QueueItem[];
  readonly book: RuleBook;
  readonly signal: AbortSignal;
}

type Verdicts = readonly (Verdict | undefined)[];

export function openFinder(parts: RuleParts): Finder {
  const { store, video, clock, log, engine } = parts;
  const members = createMembers(clock.now);
  const ownLinks = createOwnLinks();
  const said = new Map<string, Promise<SaidTexts>>();

  /** What waits and what was decided of late is in the rows; older texts are forgotten with them. */
  async function saidIn(guildId: string): Promise<SaidTexts> {
    const texts = createSaidTexts();
    const comments = (await store.moderation.items.list(guildId)).map(({ comment }) => comment);
    const { likenesses } = await engine.read(
      guildId,
      comments.map(({ text }) => text),
    );
    for (const [at, comment] of comments.entries()) texts.add(comment, likenesses[at]);
    return texts;
  }

  function saidBefore(guildId: string): Promise<SaidTexts> {
    const known = said.get(guildId) ?? saidIn(guildId);
    said.set(guildId, known);
    known.catch(() => said.delete(guildId));
    return known;
  }

  /** What rules about links and repeated texts have to know of the comments. */
  async function known(guildId: string, { source }: Watch, { items, signal, rules }: Asked) {
    const has = (kind: string) => rules.some(({ test }) => test.kind === kind);
    if (!has("repeated")) said.delete(guildId);
    if (!has("repeated") && !has("links")) return {};
    const texts = has("repeated") ? await saidBefore(guildId) : undefined;
    const { links, likenesses } = await engine.read(
      guildId,
      items.map(({ comment }) => comment.text),
      signal,
    );
    for (const [at, { comment }] of items.entries()) texts?.add(comment, likenesses[at]);
    const own = has("links") ? await ownAmong(guildId, source, links) : undefined;
    const times = (at: number, item: QueueItem, withinMs: number) =>
      texts?.times(item.comment, likenesses[at], withinMs) ?? 1;
    return { ownLinks: own, times };
  }

  async function ownAmong(
    guildId: string,
    source: string,
    links: Parameters<typeof ownLinks.among>[0],
  ) {
    try {
      return await ownLinks.among(links, { client: () => video(guildId, source), source });
    } catch (error) {
      // Nobody loses a comment because the channel's own videos could not be looked up.
      log.warn("own links can't be told from others", { guildId, error });
      return "unknown" as const;
    }
  }

  async function found(guildId: string, watch: Watch, given: Given): Promise<Found> {
    const { items, book, signal } = given;
    const rules = book.rules.filter(({ isOn }) => isOn);
    const { ownLinks: own, times } = await known(guildId, watch, { items, signal, rules });
    const spared = new Set([watch.source, ...book.spared.authors.map(({ id }) => id)]);
    const windows = [
      ...new Set(rules.flatMap(({ test }) => (test.kind === "repeated" ? test.withinMs : []))),
    ];
    const comments = items.map((item, at): LookedAt => {
      const { text, authorId, state } = item.comment;
      return {
        ...{ text, authorId },
        order: spared.has(authorId ?? "") ? [] : orderOf(rules, state),
        timesSaid: windows.map((ms) => [ms, times?.(at, item, ms) ?? 1] as const),
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
    { items, verdicts }: { readonly items: readonly QueueItem[]; readonly verdicts: Verdicts },
  ): Promise<Verdicts> {
    const authorOf = (at: number) => items[at]?.comment.authorId ?? "";
    const hit = verdicts.flatMap((verdict, at) => (verdict === undefined ? [] : [authorOf(at)]));
    const authors = hit.filter((id) => id !== "");
    if (authors.length === 0) return verdicts;
    const client = () => video(guildId, source);
    const paying = await members.among(authors, { guildId, source, client });
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

  return {
    async find(guildId, watch, given) {
      const { verdicts, off } = await found(guildId, watch, given);
      if (!given.book.spared.members) return { verdicts, off };
      const { items } = given;
      return { verdicts: await withoutMembers(guildId, watch, { items, verdicts }), off };
    },
    forget: (guildId) => void said.delete(guildId),
  };
}

interface Asked extends Pick<Given, "items" | "signal"> {
  readonly rules: readonly Rule[];
}
