import { randomBytes } from "node:crypto";
import { newHandle } from "../../store/index.ts";
import { decide } from "../decide/take-decisions.ts";
import { type Digest, type HeldComment, toItemRef } from "../records/index.ts";
import type { ModerationRoom, ServerWatch } from "../room.ts";
import { asAdvice, type CommentJudge, type RuleVerdict } from "../rules/judge.ts";
import { ifStillWatched } from "../watch-jobs.ts";

export interface JudgeOptions extends ServerWatch {
  readonly judge: CommentJudge;
  readonly signal: AbortSignal;
}

/** A Discord select menu holds 25 options. */
const maxDigestItems = 25;

/**
 * Runs the rules, and groups comments into digests if many came at once. Returns whether they were grouped: then those on the
 * next page are grouped too, however few they are.
 */
export async function judgeAndGroup(
  room: ModerationRoom,
  options: JudgeOptions,
  page: readonly HeldComment[],
  wasCrowd: boolean,
): Promise<boolean> {
  const { guildId, watch } = options;
  const fresh = page.filter(({ card }) => card.state === "due");
  if (fresh.length === 0) return wasCrowd;
  await judgeNewComments(room, options, fresh);
  if (watch.isForum || watch.digestFrom < 1) return false;
  const ids = fresh.map(({ id }) => id);
  const judged = await room.records.comments.readAll(guildId, watch.id, ids);
  // A comment that comes back keeps its own card and is not grouped.
  const cards = judged.filter(
    ({ card, status, digestId, formerCard }) =>
      card.state === "due" &&
      status === "open" &&
      digestId === undefined &&
      formerCard === undefined,
  );
  const isCrowd = wasCrowd || cards.length >= watch.digestFrom;
  if (isCrowd) await groupIntoDigests(room, options, cards);
  return isCrowd;
}

interface JudgedComment {
  readonly held: HeldComment;
  readonly verdict: RuleVerdict | undefined;
  readonly hiddenOn: HeldComment["hiddenOn"];
}

/**
 * Runs the rules on new comments, once for each. When rules act, they decide like people do, and a digest that reports it is
 * stored in the same transaction. @throws ServiceError `store_unavailable`; the signal's reason.
 */
async function judgeNewComments(
  room: ModerationRoom,
  { guildId, watch, signal, judge }: JudgeOptions,
  fresh: readonly HeldComment[],
): Promise<void> {
  // Once a comment has changed, people have dealt with it, and rules leave it alone.
  const unjudged = fresh.filter(({ isJudged, revision }) => !isJudged && revision === 1);
  if (unjudged.length === 0) return;
  const found = await judge(guildId, watch, unjudged);
  // Nothing can be carried out while its channel is not linked.
  const verdicts = watch.isKeyOnly ? found.map((verdict) => verdict && asAdvice(verdict)) : found;
  signal.throwIfAborted();
  const hidden = await findHiddenAuthors(room, { guildId, watch }, unjudged);
  const isAct = ({ verdict }: JudgedComment) => verdict?.does === "act";
  const judged = unjudged
    .map((held, index): JudgedComment => {
      const hiddenOn = hidden.get(held.comment.authorId ?? "");
      return { held, verdict: verdicts[index], hiddenOn };
    })
    // What rules did is reported together.
    .sort((one, other) => Number(isAct(other)) - Number(isAct(one)));
  for (let from = 0; from < judged.length; from += maxDigestItems) {
    const some = judged.slice(from, from + maxDigestItems);
    await ifStillWatched(room, guildId, watch, async () => {
      for (const one of some) await noteJudged(room, guildId, one);
      await actOnVerdicts(room, { guildId, watch }, some);
    });
  }
}

/**
 * Authors who were hidden on another of the server's channels, for a mark on the card: nothing is done about them unasked.
 * Those whom rules spare are not marked.
 */
async function findHiddenAuthors(
  { records, channelName }: ModerationRoom,
  { guildId, watch: { source } }: ServerWatch,
  items: readonly HeldComment[],
): Promise<ReadonlyMap<string, HeldComment["hiddenOn"]>> {
  const authorIds = new Set(items.flatMap(({ comment }) => comment.authorId ?? []));
  authorIds.delete(source);
  const found = await records.audit.hiddenElsewhere(guildId, [...authorIds], source);
  if (found.size === 0) return found;
  const { spared } = await records.rules.read(guildId);
  const isSpared = (authorId: string) => spared.authors.some(({ id }) => id === authorId);
  const named = new Map<string, HeldComment["hiddenOn"]>();
  for (const [authorId, where] of found) {
    if (isSpared(authorId)) continue;
    named.set(authorId, { ...where, name: await channelName(guildId, where.source) });
  }
  return named;
}

/** Stores the advice before the card is posted, so that the first card shows it. */
async function noteJudged(
  { records }: ModerationRoom,
  guildId: string,
  { held, verdict, hiddenOn }: JudgedComment,
) {
  await records.comments.changeSilently(guildId, toItemRef(held), (stored) => {
    const judged = { ...stored, isJudged: true, ...(hiddenOn && { hiddenOn }) } as const;
    if (verdict?.does !== "suggest") return judged;
    const { does: _, ...advice } = verdict;
    return { ...judged, advice };
  });
}

/** Carries out verdicts to act. A comment that somebody else decided about first is not reported. */
async function actOnVerdicts(
  room: ModerationRoom,
  { guildId, watch }: ServerWatch,
  judged: readonly JudgedComment[],
): Promise<void> {
  const { database, records } = room;
  const acts: NonNullable<Digest["acts"]>[number][] = [];
  for (const { held, verdict } of judged) {
    if (verdict?.does !== "act") continue;
    const { ruleId, ruleName, kind } = verdict;
    const by = { ruleId, ruleName };
    const request = { items: [toItemRef(held)], kind, by, from: "rule" } as const;
    const [decided] = await decide(room, guildId, request);
    if (decided?.state === "pending") acts.push({ itemId: held.id, ruleId, ruleName });
  }
  if (acts.length === 0) return;
  const itemIds = acts.map(({ itemId }) => itemId);
  const { logChannelId: channelId, logMayBePublic } = await records.rules.read(guildId);
  const digest: Digest = {
    ...newDigest(watch.id, itemIds, database.now()),
    channelId,
    mayBePublic: channelId === undefined ? undefined : logMayBePublic,
    acts,
  };
  await records.digests.change(guildId, digest, () => digest);
  for (const itemId of itemIds) {
    const ref = { watchId: watch.id, itemId };
    await records.comments.changeSilently(guildId, ref, (stored) => ({
      ...stored,
      actsId: digest.id,
    }));
  }
}

function newDigest(watchId: string, itemIds: readonly string[], now: number): Digest {
  return {
    id: randomBytes(16).toString("hex"),
    watchId,
    itemIds,
    revision: 1,
    card: { state: "due", handle: newHandle(), since: now },
    addedAt: now,
  };
}

/** Groups comments into digests, in order; they get no cards of their own. @throws ServiceError `store_unavailable`. */
async function groupIntoDigests(
  room: ModerationRoom,
  { guildId, watch }: ServerWatch,
  all: readonly HeldComment[],
): Promise<void> {
  const { comments, digests } = room.records;
  const now = room.database.now();
  for (let from = 0; from < all.length; from += maxDigestItems) {
    const itemIds = all.slice(from, from + maxDigestItems).map(({ id }) => id);
    // Later digests get later times, so that they are posted in this order.
    const digest = newDigest(watch.id, itemIds, now + from / maxDigestItems);
    await ifStillWatched(room, guildId, watch, async () => {
      await digests.change(guildId, digest, () => digest);
      for (const itemId of itemIds) {
        await comments.changeSilently(guildId, { watchId: watch.id, itemId }, (held) =>
          held.card.state === "due" ? { ...held, digestId: digest.id } : held,
        );
      }
    });
  }
}
