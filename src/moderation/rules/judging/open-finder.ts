import { setImmediate } from "node:timers/promises";
import type { QueueItem, RuleBook, Watch } from "../../../store/index.ts";
import type { Verdict } from "../../parts.ts";
import type { RuleParts } from "../parts.ts";
import { createSubject } from "../text/subject.ts";
import { createCompiler } from "./compiled.ts";
import { createMembers } from "./members.ts";
import { createOwnLinks } from "./own-links.ts";
import { createSaidTexts, type SaidTexts } from "./said-texts.ts";
import { advised, verdictOf } from "./verdict.ts";

/** What rules find in comments. */
export interface Finder {
  /** Of comments in their order; `act` where a rule would act, whatever the day has room for. */
  verdicts(guildId: string, watch: Watch, given: Given): Promise<readonly (Verdict | undefined)[]>;
  forget(guildId: string): void;
}

interface Given {
  readonly items: readonly QueueItem[];
  readonly book: RuleBook;
}

type Verdicts = readonly (Verdict | undefined)[];

/** Comments between two looks at what else the process has to do. */
const atOnce = 10;

export function openFinder(parts: RuleParts): Finder {
  const { store, video, clock, log } = parts;
  const compiler = createCompiler(log);
  const members = createMembers(clock.now);
  const ownLinks = createOwnLinks();
  const said = new Map<string, Promise<SaidTexts>>();

  /** What waits and what was decided of late is in the rows; older texts are forgotten with them. */
  async function saidIn(guildId: string): Promise<SaidTexts> {
    const texts = createSaidTexts();
    for (const { comment } of await store.moderation.items.list(guildId)) texts.add(comment);
    return texts;
  }

  function saidBefore(guildId: string): Promise<SaidTexts> {
    const known = said.get(guildId) ?? saidIn(guildId);
    said.set(guildId, known);
    known.catch(() => said.delete(guildId));
    return known;
  }

  async function ownLinksIn(guildId: string, source: string, items: readonly QueueItem[]) {
    const texts = items.map(({ comment }) => comment.text);
    try {
      return await ownLinks.among(texts, { client: () => video(guildId, source), source });
    } catch (error) {
      // Nobody loses a comment because the channel's own videos could not be looked up.
      log.warn("own links can't be told from others", { guildId, error });
      return "unknown" as const;
    }
  }

  async function found(guildId: string, { source }: Watch, given: Given): Promise<Verdicts> {
    const { items, book } = given;
    const rules = compiler.of(guildId, book);
    const has = (kind: string) => rules.some(({ rule }) => rule.test.kind === kind);
    if (!has("repeated")) said.delete(guildId);
    const texts = has("repeated") ? await saidBefore(guildId) : undefined;
    const own = has("links") ? await ownLinksIn(guildId, source, items) : undefined;
    const subjects = items.map((item) => ({ item, subject: createSubject(item.comment.text) }));
    for (const { item, subject } of subjects) texts?.add(item.comment, subject);
    const spared = new Set([source, ...book.spared.authors.map(({ id }) => id)]);
    const verdicts: (Verdict | undefined)[] = [];
    for (const { item, subject } of subjects) {
      const { comment } = item;
      const timesSaid = (withinMs: number) => texts?.times(comment, subject, withinMs) ?? 1;
      const looking = { comment, subject, timesSaid, ownLinks: own };
      const isSpared = spared.has(comment.authorId ?? "");
      verdicts.push(isSpared ? undefined : verdictOf(rules, looking, item));
      if (verdicts.length % atOnce === 0) await setImmediate();
    }
    return verdicts;
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
    async verdicts(guildId, watch, given) {
      const verdicts = await found(guildId, watch, given);
      if (!given.book.spared.members) return verdicts;
      return withoutMembers(guildId, watch, { items: given.items, verdicts });
    },
    forget(guildId) {
      compiler.forget(guildId);
      said.delete(guildId);
    },
  };
}
