import type { VideoClient } from "../../../video/index.ts";
import { commentsInThread, toListedComment } from "../../listed-comment.ts";
import type { QueuedComment, RuleBook, WatchedState } from "../../records/index.ts";
import type { ModerationRoom } from "../../room.ts";
import type { DryRun, RuleDraft } from "../../types.ts";
import { refuseRule } from "../matchers/refuse-rule.ts";
import { createAuthorFactsLookup } from "./author-facts.ts";
import { createMemberLookup } from "./members.ts";
import { allowedSites, createOwnLinkLookup } from "./own-links.ts";

/** On how many comments of each state a rule is tried; for waiting ones, one page. */
const maxComments = {
  heldForReview: 100,
  likelySpam: 100,
  published: 200,
} as const satisfies Record<WatchedState, number>;
const perPage = 100;

type RuleTrialHit = DryRun["hits"][number];

interface RuleTrialRequest {
  readonly guildId: string;
  /** Absent if no channel is linked or watched. */
  readonly source: string | undefined;
  readonly signal: AbortSignal;
}

/** @throws InputError as `RuleEngine.check`, and `rule_slow`; what the video client throws */
export async function tryRule(
  room: ModerationRoom,
  draft: RuleDraft,
  at: RuleTrialRequest,
): Promise<DryRun> {
  // Checked first, so that no unit is spent on a wrong rule.
  const { guildId, source, signal } = at;
  await room.engine.check(guildId, [draft.test]);
  if (source === undefined) {
    return { tried: 0, triedPublished: 0, hits: [], isMembersUnread: false };
  }
  const book = await room.records.rules.read(guildId);
  const linkedAt = await room.linkedAt(guildId, source);
  const view = linkedAt === undefined ? await room.publicView(guildId) : undefined;
  const video = view === undefined ? room.video : async () => view.video;
  const trial = { guildId, source, video, signal };
  const comments = await readRecentComments(await video(guildId, source), {
    source,
    isByKey: view !== undefined,
    signal,
  });
  const hits = await findHits(room, { draft, comments, book }, trial);
  const authors = new Set(book.spared.authors.map(({ id }) => id));
  const spared = hits.map((hit): RuleTrialHit => {
    const { authorId = "" } = hit.comment;
    if (authorId === source) return { ...hit, spared: "channel" };
    return authors.has(authorId) ? { ...hit, spared: "author" } : hit;
  });
  const { hits: shown, isMembersUnread } = book.spared.members
    ? await withMembers(room, spared, trial)
    : { hits: spared, isMembersUnread: false };
  const triedPublished = comments.filter(({ state }) => state === "published").length;
  return { tried: comments.length, triedPublished, hits: shown, isMembersUnread };
}

interface RecentComments {
  readonly source: string;
  /** Read with a key alone. */
  readonly isByKey: boolean;
  readonly signal: AbortSignal;
}

interface RuleTrial extends Pick<ModerationRoom, "video"> {
  readonly guildId: string;
  readonly source: string;
  readonly signal: AbortSignal;
}

/** The channel's recent comments, newest first; costs at most 4 units. @throws what the client throws */
async function readRecentComments(
  client: VideoClient,
  { isByKey, ...at }: RecentComments,
): Promise<readonly QueuedComment[]> {
  const states = isByKey ? (["published"] as const) : (Object.keys(maxComments) as WatchedState[]);
  const found = new Map<string, QueuedComment>();
  for (const state of states) {
    const comments = await readInState(client, { ...at, isByKey, state });
    for (const comment of comments) if (!found.has(comment.id)) found.set(comment.id, comment);
  }
  return [...found.values()].sort((one, other) => other.publishedAt - one.publishedAt);
}

async function readInState(
  client: VideoClient,
  { source, state, isByKey, signal }: RecentComments & { readonly state: WatchedState },
): Promise<readonly QueuedComment[]> {
  const wanted = {
    part: ["snippet", "replies"],
    allThreadsRelatedToChannelId: source,
    // The parameter goes with a token alone: docs/services/youtube.md#held-comments
    ...(!isByKey && { moderationStatus: state }),
    order: "time",
    textFormat: "plainText",
    maxResults: perPage,
  } as const;
  const maxPages = Math.ceil(maxComments[state] / perPage);
  const found: QueuedComment[] = [];
  for await (const page of client.pages("commentThreads.list", wanted, { signal, maxPages })) {
    for (const thread of page.items ?? []) {
      for (const comment of commentsInThread(thread)) {
        // Comments of a thread can have different states.
        const own = comment.snippet?.moderationStatus ?? state;
        const candidate = own === state ? toListedComment(comment, thread, state) : undefined;
        if (candidate !== undefined) found.push(candidate.comment);
      }
    }
    if (found.length >= maxComments[state]) break;
  }
  return found.slice(0, maxComments[state]);
}

async function findHits(
  room: ModerationRoom,
  {
    draft,
    comments,
    book,
  }: {
    readonly draft: RuleDraft;
    readonly comments: readonly QueuedComment[];
    readonly book: RuleBook;
  },
  { guildId, source, video, signal }: RuleTrial,
): Promise<readonly RuleTrialHit[]> {
  const { engine } = room;
  const { test } = draft;
  const texts = comments.map(({ text }) => text);
  const hasLinks = test.kind === "links" || test.kind === "list";
  const isRead = hasLinks || test.kind === "repeated";
  const { links, likenesses } = await engine.readTexts(guildId, isRead ? texts : [], signal);
  const timesSaid = (at: number, ms: number) => {
    const { publishedAt = 0 } = comments[at] ?? {};
    return comments.filter(
      (other, n) =>
        n === at ||
        (likenesses[at] !== undefined &&
          likenesses[n] === likenesses[at] &&
          Math.abs(other.publishedAt - publishedAt) <= ms),
    ).length;
  };
  const facts = createAuthorFactsLookup(room.clock.now);
  const request = { tests: [test], comments, video, guildId, source, signal };
  const authors = await facts(request);
  const withinMs = test.kind === "repeated" ? [test.withinMs] : [];
  const { findings, off } = await engine.runTests(guildId, {
    tests: [test],
    comments: comments.map((comment, at) => ({
      text: comment.text,
      authorId: comment.authorId,
      authorName: comment.authorName,
      hasOwnPicture: authors?.hasOwnPicture(comment),
      newSince: authors?.newSince(comment),
      timesSaid: withinMs.map((ms) => [ms, timesSaid(at, ms)] as const),
    })),
    ownLinks: hasLinks
      ? await createOwnLinkLookup()(links, { video, guildId, source, signal })
      : undefined,
    ownNames: authors?.ownNames,
    allowedSites: allowedSites(book),
    contentOf: (list) => room.records.lists.content(guildId, list),
    isTrial: true,
    signal,
  });
  if (off.length > 0) throw refuseRule("rule_slow", { name: draft.name });
  return comments.flatMap((comment, at) => {
    const [first] = findings[at]?.found ?? [];
    return first === undefined ? [] : [{ comment, found: first.by }];
  });
}

async function withMembers(
  { clock, log }: ModerationRoom,
  hits: readonly RuleTrialHit[],
  { guildId, source, video, signal }: RuleTrial,
): Promise<Pick<DryRun, "hits" | "isMembersUnread">> {
  const authors = hits.flatMap(({ comment, spared }) =>
    spared === undefined && comment.authorId !== undefined ? [comment.authorId] : [],
  );
  const request = { guildId, source, video, signal };
  const paying = await createMemberLookup(clock.now)(authors, request);
  if (paying.state !== "read") {
    log.info("members can't be distinguished from others", { guildId, error: paying.error });
    return { hits, isMembersUnread: true };
  }
  const marked = hits.map((hit): RuleTrialHit => {
    const isMember = hit.spared === undefined && paying.ids.has(hit.comment.authorId ?? "");
    return isMember ? { ...hit, spared: "member" } : hit;
  });
  return { hits: marked, isMembersUnread: false };
}
