import { createCache } from "../../../cache.ts";
import type { VideoClient } from "../../../video/index.ts";
import { shortenText } from "../../comment-text.ts";
import type {
  CommentRule,
  HeldComment,
  RuleBook,
  RuleSwitchOff,
  Watch,
} from "../../records/index.ts";
import type { ModerationRoom, ServerWatch } from "../../room.ts";
import type { ReadTexts, TestedComment } from "../engine/messages.ts";
import { type AuthorFacts, createAuthorFactsLookup } from "./author-facts.ts";
import { createMemberLookup } from "./members.ts";
import { allowedSites, createOwnLinkLookup } from "./own-links.ts";

/** What a rule decided about one comment. */
export interface RuleVerdict {
  readonly ruleId: string;
  readonly ruleName: string;
  readonly does: CommentRule["does"];
  readonly kind: CommentRule["decision"];
  /** What matched, as in `DryRun`, at most 80 characters. */
  readonly found: string;
}

export interface FoundVerdicts {
  /** One for each comment, in order; `act` if a rule would act, regardless of the daily cap. */
  readonly verdicts: Verdicts;
  /** Rules that have to be switched off. */
  readonly off: readonly { readonly rule: CommentRule; readonly why: RuleSwitchOff["why"] }[];
}

/** A card has room for a few words of it. */
const maxFoundChars = 80;

interface VerdictRequest {
  readonly items: readonly HeldComment[];
  readonly book: RuleBook;
  /** What the engine read in their texts. */
  readonly read: ReadTexts;
  /** What everybody sees, where nothing else is read: then it is not known who is a member, and verdicts are advice. */
  readonly publicClient?: VideoClient | undefined;
  readonly signal: AbortSignal;
}

type Verdicts = readonly (RuleVerdict | undefined)[];

interface Finder extends ModerationRoom {
  readonly members: ReturnType<typeof createMemberLookup>;
  readonly ownLinks: ReturnType<typeof createOwnLinkLookup>;
  readonly authorFacts: ReturnType<typeof createAuthorFactsLookup>;
  readonly texts: ReturnType<typeof createTextMemory>;
}

/** Finds the verdict of the rules about each comment. @throws what `RuleEngine.runTests` throws */
export function createVerdictFinder(room: ModerationRoom) {
  const members = createMemberLookup(room.clock.now);
  const finder: Finder = {
    ...room,
    members,
    ownLinks: createOwnLinkLookup(),
    authorFacts: createAuthorFactsLookup(room.clock.now),
    texts: createTextMemory(room.clock.now),
  };

  return async (guildId: string, watch: Watch, request: VerdictRequest): Promise<FoundVerdicts> => {
    const at = { guildId, watch };
    const { publicClient } = request;
    const { verdicts, off } = await findVerdicts(finder, at, request);
    if (publicClient !== undefined) {
      return { verdicts: verdicts.map((verdict) => verdict && asAdvice(verdict)), off };
    }
    if (!request.book.spared.members) return { verdicts, off };
    return { verdicts: await dropMembers(finder, at, { ...request, verdicts }), off };
  };
}

async function findVerdicts(
  finder: Finder,
  { guildId, watch: { source } }: ServerWatch,
  request: VerdictRequest,
): Promise<FoundVerdicts> {
  const { items, book, publicClient, signal } = request;
  const video = publicClient === undefined ? finder.video : async () => publicClient;
  const rules = book.rules.filter(({ isOn }) => isOn);
  const hasLinks = rules.some(({ test }) => test.kind === "links" || test.kind === "list");
  const ownLinks = hasLinks
    ? await readOwnLinks({ ...finder, video }, { guildId, source }, request.read.links)
    : undefined;
  const spared = new Set([source, ...book.spared.authors.map(({ id }) => id)]);
  const authors = await readAuthorFacts(
    { ...finder, video },
    { guildId, source },
    { items, rules, signal },
  );
  const repetitions = await countTimesSaid(finder, guildId, { ...request, rules });
  const comments = items.map((item, at): TestedComment => {
    const { text, authorId, authorName, state } = item.comment;
    return {
      text,
      authorId,
      authorName,
      hasOwnPicture: authors?.hasOwnPicture(item.comment),
      newSince: authors?.newSince(item.comment),
      order: spared.has(authorId ?? "") ? [] : orderFor(rules, state),
      timesSaid: repetitions[at] ?? [],
    };
  });
  const tests = rules.map(({ test }) => test);
  const own = {
    ownLinks,
    ownNames: authors?.ownNames,
    allowedSites: allowedSites(book),
    contentOf: (list: string) => finder.records.lists.content(guildId, list),
  };
  const tested = await finder.engine.runTests(guildId, { tests, comments, ...own, signal });
  for (const { at, reason } of tested.failed) {
    finder.log.error("a rule can't be used", { guildId, rule: rules[at]?.id, reason });
  }
  return {
    verdicts: tested.findings.map(({ found: [first] }, at) => {
      const [rule, item] = [rules[first?.at ?? -1], items[at]];
      return rule && item && verdictFrom(rule, item.comment.state, first?.by ?? "");
    }),
    off: tested.off.flatMap(({ at, why }) => {
      const rule = rules[at];
      return rule === undefined ? [] : [{ rule, why }];
    }),
  };
}

async function readOwnLinks(
  { ownLinks, video, log }: Finder,
  { guildId, source }: { readonly guildId: string; readonly source: string },
  links: ReadTexts["links"],
) {
  try {
    return await ownLinks(links, { video, guildId, source });
  } catch (error) {
    // If the channel's own videos can't be looked up, links to YouTube count as its own.
    log.warn("own links can't be distinguished from others", { guildId, error });
    return "unknown" as const;
  }
}

interface AuthorsToRead extends Pick<VerdictRequest, "items" | "signal"> {
  readonly rules: readonly CommentRule[];
}

async function readAuthorFacts(
  { authorFacts, video, log }: Finder,
  at: { readonly guildId: string; readonly source: string },
  { items, rules, signal }: AuthorsToRead,
): Promise<AuthorFacts | undefined> {
  const tests = rules.map(({ test }) => test);
  const comments = items.map(({ comment }) => comment);
  try {
    return await authorFacts({ ...at, tests, comments, video, signal });
  } catch (error) {
    // What needs no look-up, such as links in names, is found nevertheless.
    log.warn("the authors of comments can't be looked up", { ...at, error });
    return undefined;
  }
}

type TimesSaid = readonly (readonly [withinMs: number, times: number])[];

/** How often each comment's text was written within the time spans of the rules, the comment itself included. */
async function countTimesSaid(
  { records, texts }: Finder,
  guildId: string,
  {
    items,
    read: { likenesses },
    rules,
  }: VerdictRequest & { readonly rules: readonly CommentRule[] },
): Promise<readonly TimesSaid[]> {
  const windows = new Set(
    rules.flatMap(({ test }) => (test.kind === "repeated" ? test.withinMs : [])),
  );
  if (windows.size === 0) return [];
  for (const [at, { id, comment }] of items.entries()) {
    texts.note(guildId, likenesses[at], { id, publishedAt: comment.publishedAt });
  }
  const repetitions: TimesSaid[] = [];
  for (const [at, { id: exceptId, comment }] of items.entries()) {
    const likeness = likenesses[at];
    const times: TimesSaid[number][] = [];
    for (const ms of windows) {
      const { publishedAt } = comment;
      const [from, to] = [publishedAt - ms, publishedAt + ms];
      if (likeness === undefined) {
        times.push([ms, 1]);
        continue;
      }
      const sameText = { likeness, exceptId, from, to };
      const stored = await records.comments.countSameText(guildId, sameText);
      times.push([ms, Math.max(stored, texts.count(guildId, sameText)) + 1]);
    }
    repetitions.push(times);
  }
  return repetitions;
}

/** Of all texts together; a rule counts up to fifty of one. */
const maxRemembered = 50_000;
const maxTimes = 60;
const textMs = 7 * 86_400_000;

interface SameText {
  readonly likeness: string;
  readonly exceptId: string;
  readonly from: number;
  readonly to: number;
}

/**
 * Texts of comments that this process has judged. Those in which no rule finds anything are not stored where a watch shows
 * only what rules find, and rules about repeated texts have to count them.
 */
function createTextMemory(now: () => number) {
  /** When comments with the text were written, by their ids. */
  const cache = createCache<Map<string, number>>({
    maxSize: maxRemembered,
    sizeOf: (times) => times.size,
    maxAgeMs: textMs,
    now,
  });
  return {
    note(
      guildId: string,
      likeness: string | undefined,
      { id, publishedAt }: { readonly id: string; readonly publishedAt: number },
    ): void {
      if (likeness === undefined) return;
      const key = `${guildId} ${likeness}`;
      const times = cache.get(key) ?? new Map<string, number>();
      if (times.size < maxTimes) times.set(id, publishedAt);
      cache.set(key, times);
    },
    count(guildId: string, { likeness, exceptId, from, to }: SameText): number {
      const times = cache.get(`${guildId} ${likeness}`) ?? new Map<string, number>();
      return [...times].filter(([id, at]) => id !== exceptId && at >= from && at <= to).length;
    },
  };
}

/** Drops verdicts about members. If members can't be read at present, all verdicts become advice. */
async function dropMembers(
  { members, video, log }: Finder,
  { guildId, watch: { source } }: ServerWatch,
  { items, verdicts }: { readonly items: readonly HeldComment[]; readonly verdicts: Verdicts },
): Promise<Verdicts> {
  const authorAt = (at: number) => items[at]?.comment.authorId ?? "";
  const hit = verdicts.flatMap((verdict, at) => (verdict === undefined ? [] : [authorAt(at)]));
  const authors = hit.filter((id) => id !== "");
  if (authors.length === 0) return verdicts;
  const paying = await members(authors, { guildId, source, video });
  switch (paying.state) {
    case "closed":
      return verdicts;
    case "failed":
      log.warn("members can't be distinguished from others", { guildId, error: paying.error });
      return verdicts.map((verdict) => verdict && asAdvice(verdict));
    case "read": {
      const { ids } = paying;
      return verdicts.map((verdict, at) => (ids.has(authorAt(at)) ? undefined : verdict));
    }
  }
}

type ListedState = HeldComment["comment"]["state"];

/** The indexes of the rules in the order of trying: those that act come first. The first match decides. */
function orderFor(rules: readonly CommentRule[], state: ListedState): readonly number[] {
  const places = [...rules.keys()];
  const isActing = (at: number) => effectOn(rules[at], state) === "act";
  return [...places.filter(isActing), ...places.filter((at) => !isActing(at))];
}

function verdictFrom(rule: CommentRule, state: ListedState, by: string): RuleVerdict | undefined {
  if (rule.decision === "approve" && state === "published") return undefined;
  const { id, name, decision } = rule;
  const found = shortenText(by, maxFoundChars);
  return { ruleId: id, ruleName: name, does: effectOn(rule, state), kind: decision, found };
}

/** A rule that holds comments can't act on a comment that is held already; its verdict is shown as advice. */
function effectOn(rule: CommentRule | undefined, state: ListedState): RuleVerdict["does"] {
  const isSo = rule?.decision === "hold" && state === "heldForReview";
  return rule?.does === "act" && !isSo ? "act" : "suggest";
}

export function asAdvice(verdict: RuleVerdict): RuleVerdict {
  return { ...verdict, does: "suggest" };
}
