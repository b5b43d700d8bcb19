import { randomBytes } from "node:crypto";
import { type Digest, found, newHandle, type QueueItem, type Watch } from "../../store/index.ts";
import type { Decider, Judge, PartOptions, Verdict } from "../parts.ts";
import { digestSize } from "./digests.ts";

export interface JudgingParts extends Pick<PartOptions, "store" | "items" | "clock"> {
  readonly judge: Judge;
  readonly decider: Pick<Decider, "decide">;
}

/** What rules said of the items, and what was done about it; items as they are then. */
export interface Judged {
  readonly items: readonly QueueItem[];
  /** What tells of acts, to be sent. */
  readonly digests: readonly Digest[];
}

type Acted = readonly [QueueItem, Verdict];

interface New {
  readonly watch: Watch;
  readonly items: readonly QueueItem[];
  readonly isOver: () => boolean;
}

/**
 * Lets the rules say what they think of new items. Their acts go the way of everybody's decisions; what tells of them
 * is written first, so that no act stays untold. @throws ServiceError `store_unavailable`.
 */
export async function judgeNew(
  parts: JudgingParts,
  guildId: string,
  { watch, items, isOver }: New,
): Promise<Judged> {
  if (items.length === 0) return { items, digests: [] };
  const verdicts = await parts.judge.judge(guildId, watch, items);
  // Of a server that was erased meanwhile nothing is written any more.
  if (isOver()) return { items, digests: [] };
  const acted: Acted[] = [];
  const judged: QueueItem[] = [];
  for (const [index, item] of items.entries()) {
    const verdict = verdicts[index];
    if (verdict === undefined) judged.push(item);
    else if (verdict.does === "act") acted.push([item, verdict]);
    else judged.push(await advise(parts, guildId, item, verdict));
  }
  const digests: Digest[] = [];
  for (let from = 0; from < acted.length; from += digestSize) {
    const some = acted.slice(from, from + digestSize);
    digests.push(await act(parts, guildId, watch, some));
  }
  return { items: judged, digests };
}

/** Shown from the first drawing on. */
async function advise(
  { items }: JudgingParts,
  guildId: string,
  item: QueueItem,
  { ruleId, ruleName, kind }: Verdict,
): Promise<QueueItem> {
  const ref = { watchId: item.watchId, itemId: item.id };
  const advice = { ruleId, ruleName, kind };
  return (await items.note(guildId, ref, (stored) => ({ ...stored, advice }))) ?? item;
}

async function act(
  { store, items, clock, decider }: JudgingParts,
  guildId: string,
  watch: Watch,
  acted: readonly Acted[],
): Promise<Digest> {
  const rules = found(await store.moderation.rules.read(guildId, "all"));
  const channelId = rules?.logChannelId;
  const digest: Digest = {
    id: randomBytes(16).toString("hex"),
    watchId: watch.id,
    itemIds: acted.map(([{ id }]) => id),
    revision: 1,
    card: { state: "due", handle: newHandle(), since: clock.now() },
    ...(channelId !== undefined && { channelId }),
    acts: acted.map(([{ id }, { ruleId, ruleName }]) => ({ itemId: id, ruleId, ruleName })),
    addedAt: clock.now(),
  };
  await store.moderation.digests.update(guildId, `${watch.id}:${digest.id}`, () => digest);
  for (const [{ id: itemId }, { ruleId, ruleName, kind }] of acted) {
    const ref = { watchId: watch.id, itemId };
    await items.note(guildId, ref, (stored) => ({ ...stored, actsId: digest.id }));
    const by = { ruleId, ruleName };
    await decider.decide(guildId, { items: [ref], kind, by, from: "rule" });
  }
  return digest;
}
