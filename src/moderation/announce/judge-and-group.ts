import { randomBytes } from "node:crypto";
import { newHandle } from "../../store/index.ts";
import type { GuildWatch, ModerationPartDeps, RuleVerdict } from "../deps.ts";
import { type Digest, type HeldComment, itemRefOf } from "../records/index.ts";
import { ifStillWatched } from "../watch-jobs.ts";
import type { AnnounceDeps } from "./deps.ts";

interface JudgeOptions extends GuildWatch {
  readonly signal: AbortSignal;
}

/**
 * Runs the rules, and groups comments into digests if many came at once. Returns whether they were grouped: then those on the
 * next page are grouped too, however few they are.
 */
export async function judgeAndGroup(
  deps: AnnounceDeps,
  options: JudgeOptions,
  page: readonly HeldComment[],
  wasCrowd: boolean,
): Promise<boolean> {
  const { guildId, watch } = options;
  const fresh = page.filter(({ card }) => card.state === "due");
  if (fresh.length === 0) return wasCrowd;
  await judgeNewComments(deps, options, fresh);
  if (watch.isForum || watch.digestFrom < 1) return false;
  const ids = fresh.map(({ id }) => id);
  const cards = (await deps.records.comments.readAll(guildId, watch.id, ids)).filter(hasOwnCard);
  const isCrowd = wasCrowd || cards.length >= watch.digestFrom;
  if (isCrowd) await groupIntoDigests(deps, options, cards);
  return isCrowd;
}

/** Whether a comment gets a card of its own. One that comes back keeps its own card and is not grouped. */
function hasOwnCard({ card, status, digestId, formerCard }: HeldComment): boolean {
  const isDue = card.state === "due" && status === "open" && digestId === undefined;
  return isDue && formerCard === undefined;
}

interface JudgedComment {
  readonly held: HeldComment;
  readonly verdict: RuleVerdict | undefined;
}

/**
 * Runs the rules on new comments, once for each. When rules act, they decide like people do, and a digest that reports it is
 * stored in the same transaction. @throws ServiceError `store_unavailable`; the signal's reason.
 */
async function judgeNewComments(
  deps: AnnounceDeps,
  { guildId, watch, signal }: JudgeOptions,
  fresh: readonly HeldComment[],
): Promise<void> {
  // Once a comment has changed, people have dealt with it, and rules leave it alone.
  const unjudged = fresh.filter(({ isJudged, revision }) => !isJudged && revision === 1);
  if (unjudged.length === 0) return;
  const verdicts = await deps.judge(guildId, watch, unjudged);
  signal.throwIfAborted();
  const judged = unjudged
    .map((held, index): JudgedComment => ({ held, verdict: verdicts[index] }))
    // What rules did is reported together.
    .sort((one, other) => Number(isAct(other)) - Number(isAct(one)));
  for (let from = 0; from < judged.length; from += maxDigestItems) {
    const some = judged.slice(from, from + maxDigestItems);
    await ifStillWatched(deps, guildId, watch, async () => {
      for (const one of some) await noteJudged(deps, guildId, one);
      await actOnVerdicts(deps, { guildId, watch }, some);
    });
  }
}

function isAct({ verdict }: JudgedComment): boolean {
  return verdict?.does === "act";
}

/** Stores the advice before the card is posted, so that the first card shows it. */
async function noteJudged(
  { records }: AnnounceDeps,
  guildId: string,
  { held, verdict }: JudgedComment,
) {
  await records.comments.changeSilently(guildId, itemRefOf(held), (stored) => ({
    ...stored,
    isJudged: true,
    ...(verdict?.does === "suggest" && { advice: adviceOf(verdict) }),
  }));
}

function adviceOf({ does: _, ...advice }: RuleVerdict): NonNullable<HeldComment["advice"]> {
  return advice;
}

/** Carries out verdicts to act. A comment that somebody else decided about first is not reported. */
async function actOnVerdicts(
  { database, records, decider }: AnnounceDeps,
  { guildId, watch }: GuildWatch,
  judged: readonly JudgedComment[],
): Promise<void> {
  const acts: NonNullable<Digest["acts"]>[number][] = [];
  for (const { held, verdict } of judged) {
    if (verdict?.does !== "act") continue;
    const { ruleId, ruleName, kind } = verdict;
    const request = {
      items: [itemRefOf(held)],
      kind,
      by: { ruleId, ruleName },
      from: "rule",
    } as const;
    const [decided] = await decider.of(guildId).decide(request);
    if (decided?.state === "pending") acts.push({ itemId: held.id, ruleId, ruleName });
  }
  if (acts.length === 0) return;
  const itemIds = acts.map(({ itemId }) => itemId);
  const { logChannelId: channelId, logMayBePublic: mayBePublic } =
    await records.rules.read(guildId);
  const digest: Digest = {
    ...createDigest(watch.id, itemIds, database.now()),
    ...(channelId !== undefined && { channelId, ...(mayBePublic && { mayBePublic }) }),
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

/** A Discord select menu holds 25 options. */
const maxDigestItems = 25;

function createDigest(
  watchId: string,
  itemIds: readonly string[],
  now: number,
): Omit<Digest, "acts" | "channelId"> {
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
  deps: ModerationPartDeps,
  { guildId, watch }: GuildWatch,
  all: readonly HeldComment[],
): Promise<void> {
  const { comments, digests } = deps.records;
  const now = deps.database.now();
  for (let from = 0; from < all.length; from += maxDigestItems) {
    const itemIds = all.slice(from, from + maxDigestItems).map(({ id }) => id);
    // Later digests get later times, so that they are posted in this order.
    const digest = createDigest(watch.id, itemIds, now + from / maxDigestItems);
    await ifStillWatched(deps, guildId, watch, async () => {
      await digests.change(guildId, digest, () => digest);
      for (const itemId of itemIds) {
        await comments.changeSilently(guildId, { watchId: watch.id, itemId }, (held) =>
          held.card.state === "due" ? { ...held, digestId: digest.id } : held,
        );
      }
    });
  }
}
