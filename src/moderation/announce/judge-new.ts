import type { QueueAt, Verdict } from "../parts.ts";
import { type Digest, type HeldComment, refOf } from "../records/index.ts";
import { whileWatched } from "../watch-jobs.ts";
import { digestSize, newDigest } from "./digests.ts";
import type { AnnounceDeps } from "./parts.ts";

interface Judged {
  readonly held: HeldComment;
  readonly verdict: Verdict | undefined;
}

/**
 * Lets the rules say what they think of new comments, once. Their acts go the way of everybody's decisions, together with
 * the digest that tells of them. @throws ServiceError `store_unavailable`; the signal's reason.
 */
export async function judgeNew(
  deps: AnnounceDeps,
  { guildId, watch, signal }: QueueAt & { readonly signal: AbortSignal },
  fresh: readonly HeldComment[],
): Promise<void> {
  // What people have had in their hands is theirs: whatever changes it counts.
  const unjudged = fresh.filter(({ isJudged, revision }) => !isJudged && revision === 1);
  if (unjudged.length === 0) return;
  const verdicts = await deps.judge(guildId, watch, unjudged);
  signal.throwIfAborted();
  const judged = unjudged.map((held, index): Judged => ({ held, verdict: verdicts[index] }));
  for (let from = 0; from < judged.length; from += digestSize) {
    const some = judged.slice(from, from + digestSize);
    await whileWatched(deps, guildId, watch, async () => {
      for (const one of some) await note(deps, guildId, one);
      await act(deps, { guildId, watch }, some);
    });
  }
}

/** Advice is shown from the first drawing on. */
async function note({ records }: AnnounceDeps, guildId: string, { held, verdict }: Judged) {
  await records.comments.note(guildId, refOf(held), (stored) => ({
    ...{ ...stored, isJudged: true },
    ...(verdict?.does === "suggest" && { advice: adviceOf(verdict) }),
  }));
}

function adviceOf({ does: _, ...advice }: Verdict): NonNullable<HeldComment["advice"]> {
  return advice;
}

/** What somebody was first about is theirs, and not told. */
async function act(
  { database, records, decider }: AnnounceDeps,
  { guildId, watch }: QueueAt,
  judged: readonly Judged[],
): Promise<void> {
  const acts: NonNullable<Digest["acts"]>[number][] = [];
  for (const { held, verdict } of judged) {
    if (verdict?.does !== "act") continue;
    const { ruleId, ruleName, kind } = verdict;
    const request = { items: [refOf(held)], kind, by: { ruleId, ruleName }, from: "rule" } as const;
    const [decided] = await decider.of(guildId).decide(request);
    if (decided?.state === "pending") acts.push({ itemId: held.id, ruleId, ruleName });
  }
  if (acts.length === 0) return;
  const itemIds = acts.map(({ itemId }) => itemId);
  const { logChannelId: channelId } = (await records.rules.read(guildId)) ?? {};
  const digest: Digest = {
    ...newDigest(watch.id, itemIds, database.now()),
    ...(channelId !== undefined && { channelId }),
    acts,
  };
  await records.digests.change(guildId, digest, () => digest);
  for (const itemId of itemIds) {
    const ref = { watchId: watch.id, itemId };
    await records.comments.note(guildId, ref, (stored) => ({ ...stored, actsId: digest.id }));
  }
}
