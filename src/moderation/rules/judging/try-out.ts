import type { VideoClient } from "../../../video/index.ts";
import type { PartOptions } from "../../parts.ts";
import { candidateOf, commentsOf } from "../../poll/to-comment.ts";
import type { QueuedComment, RuleBook, WatchedState } from "../../records/index.ts";
import type { DryRun, RuleDraft } from "../../types.ts";
import { readBook } from "../book.ts";
import { refuse } from "../matchers/refuse.ts";
import { createMembers } from "./members.ts";
import { createOwnLinks } from "./own-links.ts";

/** How many comments of each state a rule is tried on; of what waits, what a page has. */
const most = { heldForReview: 100, likelySpam: 100, published: 200 } as const satisfies Record<
  WatchedState,
  number
>;
const perPage = 100;

type Hit = DryRun["hits"][number];

interface Trying {
  readonly guildId: string;
  readonly source: string;
  readonly signal: AbortSignal;
}

/** @throws InputError as `RuleEngine.check`, and `rule_slow`; what the video client throws */
export async function tryOut(parts: PartOptions, draft: RuleDraft, at: Trying): Promise<DryRun> {
  // What is wrong with the rule is said before a unit is spent.
  const { guildId, source, signal } = at;
  await parts.engine.check(guildId, [draft.test]);
  const book = await readBook(parts, guildId);
  const comments = await recentComments(await parts.video(guildId, source), source, signal);
  const hits = await hitsAmong(parts, { draft, comments }, at);
  const spared = hits.map((hit) => withSpared(hit, book, source));
  const { hits: told, isMembersUnread } = book.spared.members
    ? await withMembers(parts, spared, at)
    : { hits: spared, isMembersUnread: false };
  const triedPublished = comments.filter(({ state }) => state === "published").length;
  return { tried: comments.length, triedPublished, hits: told, isMembersUnread };
}

/** The channel's comments of lately, newest first: at most 4 units. @throws what the client throws */
async function recentComments(
  client: VideoClient,
  source: string,
  signal: AbortSignal,
): Promise<readonly QueuedComment[]> {
  const states = Object.keys(most) as WatchedState[];
  const found = new Map<string, QueuedComment>();
  for (const state of states) {
    const comments = await commentsIn(client, { source, state }, signal);
    for (const comment of comments) if (!found.has(comment.id)) found.set(comment.id, comment);
  }
  return [...found.values()].sort((one, other) => other.publishedAt - one.publishedAt);
}

async function commentsIn(
  client: VideoClient,
  { source, state }: { readonly source: string; readonly state: WatchedState },
  signal: AbortSignal,
): Promise<readonly QueuedComment[]> {
  const wanted = {
    part: ["snippet", "replies"],
    allThreadsRelatedToChannelId: source,
    moderationStatus: state,
    order: "time",
    textFormat: "plainText",
    maxResults: perPage,
  } as const;
  const maxPages = Math.ceil(most[state] / perPage);
  const found: QueuedComment[] = [];
  for await (const page of client.pages("commentThreads.list", wanted, { signal, maxPages })) {
    for (const thread of page.items ?? []) {
      for (const comment of commentsOf(thread)) {
        // In a thread of another state a reply may wait, and below one that waits nothing is published.
        const own = comment.snippet?.moderationStatus ?? state;
        const candidate = own === state ? candidateOf(comment, thread, state) : undefined;
        if (candidate !== undefined) found.push(candidate.comment);
      }
    }
    if (found.length >= most[state]) break;
  }
  return found.slice(0, most[state]);
}

async function hitsAmong(
  parts: PartOptions,
  { draft, comments }: { readonly draft: RuleDraft; readonly comments: readonly QueuedComment[] },
  { guildId, source, signal }: Trying,
): Promise<readonly Hit[]> {
  const { engine } = parts;
  const { test } = draft;
  const client = () => parts.video(guildId, source);
  const texts = comments.map(({ text }) => text);
  const isRead = test.kind === "links" || test.kind === "repeated";
  const { links, likenesses } = await engine.read(guildId, isRead ? texts : [], signal);
  const timesSaid = (at: number, ms: number) => {
    const { publishedAt = 0 } = comments[at] ?? {};
    const isAlike = (other: QueuedComment, n: number) =>
      n === at ||
      (likenesses[at] !== undefined &&
        likenesses[n] === likenesses[at] &&
        Math.abs(other.publishedAt - publishedAt) <= ms);
    return comments.filter(isAlike).length;
  };
  const withinMs = test.kind === "repeated" ? [test.withinMs] : [];
  const { looks, off } = await engine.look(guildId, {
    tests: [test],
    comments: comments.map((comment, at) => ({
      ...{ text: comment.text, authorId: comment.authorId },
      timesSaid: withinMs.map((ms) => [ms, timesSaid(at, ms)] as const),
    })),
    ownLinks:
      test.kind === "links" ? await createOwnLinks()(links, { client, source, signal }) : undefined,
    isTrial: true,
    signal,
  });
  if (off.length > 0) throw refuse("rule_slow", { name: draft.name });
  return comments.flatMap((comment, at) => {
    const [first] = looks[at]?.found ?? [];
    return first === undefined ? [] : [{ comment, found: first.by }];
  });
}

function withSpared(hit: Hit, { spared }: RuleBook, source: string): Hit {
  const { authorId } = hit.comment;
  if (authorId === source) return { ...hit, spared: "channel" };
  const isSpared = spared.authors.some(({ id }) => id === authorId);
  return isSpared ? { ...hit, spared: "author" } : hit;
}

async function withMembers(
  { video, clock, log }: PartOptions,
  hits: readonly Hit[],
  { guildId, source, signal }: Trying,
): Promise<Pick<DryRun, "hits" | "isMembersUnread">> {
  const authors = hits.flatMap(({ comment, spared }) =>
    spared === undefined && comment.authorId !== undefined ? [comment.authorId] : [],
  );
  const client = () => video(guildId, source);
  const asking = { guildId, source, client, signal };
  const paying = await createMembers(clock.now)(authors, asking);
  if (paying.state !== "read") {
    log.info("members can't be told from others", { guildId, error: paying.error });
    return { hits, isMembersUnread: true };
  }
  const isPaying = ({ comment, spared }: Hit) =>
    spared === undefined && paying.ids.has(comment.authorId ?? "");
  return {
    hits: hits.map((hit) => (isPaying(hit) ? { ...hit, spared: "member" } : hit)),
    isMembersUnread: false,
  };
}
