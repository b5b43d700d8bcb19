import type { Decider, Judge, Verdict } from "../parts.ts";
import type { Digest, HeldComment, Watch } from "../records/index.ts";
import { whileWatched } from "../watch-jobs.ts";
import { type DigestDeps, digestSize, newDigest } from "./digests.ts";

export interface JudgingDeps extends DigestDeps {
  readonly judge: Judge;
  readonly decider: Pick<Decider, "decide">;
}

interface Judging {
  readonly guildId: string;
  readonly watch: Watch;
  readonly signal: AbortSignal;
}

interface Judged {
  readonly held: HeldComment;
  readonly verdict: Verdict | undefined;
}

/**
 * Lets the rules say what they think of new comments, once. Their acts go the way of everybody's decisions, together with
 * the digest that tells of them. @throws ServiceError `store_unavailable`; the signal's reason.
 */
export async function judgeNew(
  deps: JudgingDeps,
  { guildId, watch, signal }: Judging,
  fresh: readonly HeldComment[],
): Promise<void> {
  // What people have had in their hands is theirs: whatever changes it counts.
  const unjudged = fresh.filter(({ isJudged, revision }) => !isJudged && revision === 1);
  if (unjudged.length === 0) return;
  const verdicts = await deps.judge.judge(guildId, watch, unjudged);
  signal.throwIfAborted();
  const judged = unjudged.map((held, index): Judged => ({ held, verdict: verdicts[index] }));
  for (let from = 0; from < judged.length; from += digestSize) {
    const some = judged.slice(from, from + digestSize);
    const acted = some.filter(({ verdict }) => verdict?.does === "act");
    await whileWatched(deps, guildId, watch, async () => {
      await noteAll(deps, guildId, some);
      await act(deps, { guildId, watch }, acted);
    });
  }
}

/** Advice is shown from the first drawing on. */
async function noteAll(
  { records }: JudgingDeps,
  guildId: string,
  judged: readonly Judged[],
): Promise<void> {
  for (const { held, verdict } of judged) {
    const ref = { watchId: held.watchId, itemId: held.id };
    await records.comments.note(guildId, ref, (stored) => ({
      ...{ ...stored, isJudged: true },
      ...(verdict?.does === "suggest" && { advice: adviceOf(verdict) }),
    }));
  }
}

function adviceOf({ ruleId, ruleName, kind }: Verdict): NonNullable<HeldComment["advice"]> {
  return { ruleId, ruleName, kind };
}

/** What somebody was first about is theirs, and not told. */
async function act(
  { database, records, decider }: JudgingDeps,
  { guildId, watch }: Pick<Judging, "guildId" | "watch">,
  judged: readonly Judged[],
): Promise<void> {
  const acts: NonNullable<Digest["acts"]>[number][] = [];
  for (const { held, verdict } of judged) {
    if (verdict === undefined) continue;
    const { ruleId, ruleName, kind } = verdict;
    const ref = { watchId: watch.id, itemId: held.id };
    const request = { items: [ref], kind, by: { ruleId, ruleName }, from: "rule" } as const;
    const [decided] = await decider.decide(guildId, request);
    if (decided?.state === "pending") acts.push({ itemId: held.id, ruleId, ruleName });
  }
  if (acts.length === 0) return;
  const itemIds = acts.map(({ itemId }) => itemId);
  const rules = await records.rules.read(guildId);
  const digest: Digest = {
    ...newDigest(watch.id, itemIds, database.now()),
    ...(rules?.logChannelId !== undefined && { channelId: rules.logChannelId }),
    acts,
  };
  await records.digests.change(guildId, digest, () => digest);
  for (const itemId of itemIds) {
    const ref = { watchId: watch.id, itemId };
    await records.comments.note(guildId, ref, (stored) => ({ ...stored, actsId: digest.id }));
  }
}
