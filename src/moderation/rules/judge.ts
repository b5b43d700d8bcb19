import { setImmediate } from "node:timers/promises";
import type { QueueItem, RuleBook, Watch } from "../../store/index.ts";
import type { Judge, Verdict } from "../parts.ts";
import type { ModerationEvents } from "../types.ts";
import { readBook } from "./book.ts";
import { createCompiler } from "./judging/compiled.ts";
import { createMembers } from "./judging/members.ts";
import { createOwnLinks } from "./judging/own-links.ts";
import { takeRoom } from "./judging/room.ts";
import { createSaidTexts, type SaidTexts } from "./judging/said-texts.ts";
import { verdictOf } from "./judging/verdict.ts";
import type { RuleParts } from "./parts.ts";
import { createSubject } from "./text/subject.ts";

/** Comments between two looks at what else the process has to do. */
const atOnce = 10;

/** Says of new comments what the server's rules say. */
export function createJudge(parts: RuleParts): Judge & {
  /** Lets go of what is remembered of a server. */
  forget(guildId: string): void;
} {
  const { store, video, clock, log } = parts;
  const compiler = createCompiler(log);
  const members = createMembers(clock.now);
  const ownLinks = createOwnLinks();
  const said = new Map<string, Promise<SaidTexts>>();

  /** What waits and what was decided of late is still in the rows; older texts are forgotten with them. */
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

  async function found(
    guildId: string,
    { source }: Watch,
    { items, book }: { readonly items: readonly QueueItem[]; readonly book: RuleBook },
  ): Promise<(Verdict | undefined)[]> {
    const rules = compiler.of(guildId, book);
    if (!rules.some(({ rule }) => rule.test.kind === "repeated")) said.delete(guildId);
    if (rules.length === 0) return items.map(() => undefined);
    const spared = new Set([source, ...book.spared.authors.map(({ id }) => id)]);
    const isSpared = ({ comment }: QueueItem) => spared.has(comment.authorId ?? "");
    const has = (kind: string) => rules.some(({ rule }) => rule.test.kind === kind);
    const texts = has("repeated") ? await saidBefore(guildId) : undefined;
    const own = has("links") ? await ownLinksIn(guildId, source, items) : undefined;
    const subjects = items.map(({ comment }) => createSubject(comment.text));
    for (const [at, { comment }] of items.entries()) texts?.add(comment, subjects[at]);
    const verdicts: (Verdict | undefined)[] = [];
    for (const [at, item] of items.entries()) {
      const { comment } = item;
      const subject = subjects[at] ?? createSubject(comment.text);
      const timesSaid = (withinMs: number) => texts?.times(comment, subject, withinMs) ?? 1;
      const looking = { comment, subject, timesSaid, ownLinks: own };
      verdicts.push(isSpared(item) ? undefined : verdictOf(rules, looking, item));
      if (at % atOnce === atOnce - 1) await setImmediate();
    }
    return verdicts;
  }

  async function ownLinksIn(guildId: string, source: string, items: readonly QueueItem[]) {
    const client = () => video(guildId, source);
    try {
      return await ownLinks.among(
        items.map(({ comment }) => comment.text),
        { client, source },
      );
    } catch (error) {
      // Nobody loses a comment because the channel's own videos could not be looked up.
      log.warn("own links can't be told from others", { guildId, error });
      return "unknown" as const;
    }
  }

  /** A member's comment is nobody's business; while members can't be told, rules only advise. */
  async function withoutMembers(
    guildId: string,
    { source }: Watch,
    {
      items,
      verdicts,
    }: { readonly items: readonly QueueItem[]; readonly verdicts: (Verdict | undefined)[] },
  ): Promise<(Verdict | undefined)[]> {
    const authors = items.flatMap(({ comment }, at) =>
      verdicts[at] === undefined ? [] : (comment.authorId ?? []),
    );
    if (authors.length === 0) return verdicts;
    const client = () => video(guildId, source);
    const paying = await members.among(authors, { guildId, source, client });
    if (paying.state === "closed") return verdicts;
    if (paying.state === "failed") {
      log.warn("members can't be told from others", { guildId, error: paying.error });
      return verdicts.map(advised);
    }
    const { ids } = paying;
    return verdicts.map((verdict, at) =>
      ids.has(items[at]?.comment.authorId ?? "") ? undefined : verdict,
    );
  }

  async function judge(guildId: string, watch: Watch, items: readonly QueueItem[]) {
    const book = await readBook(parts, guildId);
    const all = await found(guildId, watch, { items, book });
    const verdicts = book.spared.members
      ? await withoutMembers(guildId, watch, { items, verdicts: all })
      : all;
    const { taken, isFirstOver, day } = await takeRoom(
      parts,
      guildId,
      verdicts.filter(isAct).length,
    );
    if (isFirstOver) await tellCapped(watch, { guildId, book, day });
    let room = taken;
    return verdicts.map((verdict) => {
      if (!isAct(verdict)) return verdict;
      room -= 1;
      return room < 0 ? advised(verdict) : verdict;
    });
  }

  async function tellCapped(
    { channelId: watched, isForum }: Watch,
    {
      guildId,
      book,
      day,
    }: { readonly guildId: string; readonly book: RuleBook; readonly day: string },
  ): Promise<void> {
    const { dailyCap, logChannelId = isForum ? undefined : watched } = book;
    const facts: ModerationEvents["rules-capped"] = {
      ...{ guildId, dailyCap, day },
      ...(logChannelId !== undefined && { channelId: logChannelId }),
    };
    try {
      await parts.tell({ name: "rules-capped", facts });
    } catch (error) {
      log.warn("the end of a day's acts could not be told", { guildId, error });
    }
  }

  return {
    async judge(guildId, watch, items) {
      try {
        return await judge(guildId, watch, items);
      } catch (error) {
        log.error("rules could not be asked", { guildId, watch: watch.id, error });
        return items.map(() => undefined);
      }
    },
    forget(guildId) {
      compiler.forget(guildId);
      said.delete(guildId);
    },
  };
}

function isAct(verdict: Verdict | undefined): verdict is Verdict {
  return verdict?.does === "act";
}

function advised<T extends Verdict | undefined>(verdict: T): T {
  return verdict === undefined ? verdict : { ...verdict, does: "suggest" };
}
