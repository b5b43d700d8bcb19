import { BotError, isGuildErased } from "../../errors.ts";
import type { DecisionKind, QueueItem } from "../../store/index.ts";
import type { VideoClient } from "../../video/index.ts";
import { keyOf, refOf } from "../items.ts";
import { clear, firstLookMs } from "./doubts.ts";
import { doubtful, forget, type Line, put, type Waiting } from "./lines.ts";
import type { DecideParts } from "./parts.ts";
import { claimForSending, clientFor, failed, send } from "./send.ts";
import { settle } from "./settle.ts";

export interface Batch {
  readonly kind: DecisionKind;
  readonly batch: readonly Waiting[];
}

/** Sends one batch and writes down what came of it. @throws ServiceError `store_unavailable`; what waits goes on waiting. */
export async function flush(
  parts: DecideParts,
  line: Line,
  { kind, batch }: Batch,
  signal: AbortSignal,
): Promise<void> {
  let client: VideoClient;
  try {
    client = await clientFor(parts, line, signal);
  } catch (error) {
    if (signal.aborted) return;
    await refuse(parts, line, batch, error);
    return;
  }
  const { sent, fault } = await claim(parts, line, batch);
  if (sent.length > 0) await deliver(parts, line, { client, kind, sent }, signal);
  if (fault !== undefined) throw fault.reason;
}

/** Of each that waits, whether it is to be sent; what the store does not tell goes on waiting. */
async function claim(
  parts: DecideParts,
  line: Line,
  batch: readonly Waiting[],
): Promise<{ readonly sent: readonly QueueItem[]; readonly fault?: PromiseRejectedResult }> {
  const claims = await Promise.allSettled(
    batch.map((waiting) => claimForSending(parts, line, waiting)),
  );
  const sent: QueueItem[] = [];
  for (const [place, waiting] of batch.entries()) {
    const claimed = claims[place];
    if (claimed?.status !== "fulfilled") continue;
    forget(line, waiting);
    const { value } = claimed;
    if (value.state === "mine") sent.push(value.item);
    if (value.state === "doubtful" && !line.doubts.has(keyOf(waiting.ref))) {
      doubtful(line, { ref: waiting.ref, at: parts.clock.now(), tries: 0 });
    }
    if (value.state === "another") put(line, value.waiting);
  }
  const fault = claims.find((one) => one.status === "rejected");
  return { sent, ...(fault && { fault }) };
}

interface Delivery {
  readonly client: VideoClient;
  readonly kind: DecisionKind;
  readonly sent: readonly QueueItem[];
}

async function deliver(
  parts: DecideParts,
  line: Line,
  delivery: Delivery,
  signal: AbortSignal,
): Promise<void> {
  const outcomes = await send(parts, delivery, signal);
  // Who cut it off has let go of it, or leaves it to the next start.
  if (signal.aborted) return;
  const now = parts.clock.now();
  await Promise.all(
    outcomes.map(async ([item, outcome]) => {
      const ref = refOf(item);
      if (outcome.state === "unclear") {
        doubtful(line, { ref, at: now + firstLookMs, tries: 0, error: outcome.error });
        return;
      }
      try {
        await settle(parts, line, item, outcome);
      } catch (error) {
        if (isGuildErased(error)) return;
        parts.log.warn("what came of a decision was not written", { error });
        doubtful(line, { ref, at: now + firstLookMs, tries: 0, settled: { item, outcome } });
      }
    }),
  );
  const [, first] = outcomes.find(([, { state }]) => state !== "done") ?? [];
  if (first !== undefined && first.state !== "done") complain(parts, line, first.error);
}

/** Puts back what can't be sent at present. @throws ServiceError `store_unavailable`. */
async function refuse(
  parts: DecideParts,
  line: Line,
  batch: readonly Waiting[],
  reason: unknown,
): Promise<void> {
  const error = reason instanceof BotError ? reason : failed(reason);
  if (error.code === "store_unavailable") throw error;
  if (!(reason instanceof BotError)) parts.log.error("decisions were not sent", { error: reason });
  for (const waiting of batch) {
    const item = await parts.items.read(line.guildId, waiting.ref);
    if (item?.status === "pending" && item.decision?.kind === waiting.kind) {
      await settle(parts, line, item, { state: "back", error });
    }
    forget(line, waiting);
  }
  complain(parts, line, error);
}

/** What concerns all of a channel's decisions, and not one comment. */
function complain({ troubled }: DecideParts, { guildId, source }: Line, error: BotError): void {
  if (error.kind !== "input" && error.kind !== "access") troubled?.(guildId, source, error);
}

/** Looks how those stand of which it is not known. @throws ServiceError `store_unavailable`. */
export async function clearDoubts(
  parts: DecideParts,
  line: Line,
  signal: AbortSignal,
): Promise<void> {
  const due = [...line.doubts.values()].filter(({ at }) => at <= parts.clock.now());
  if (due.length === 0) return;
  const cleared = await clear(parts, line, due, signal);
  for (const [place, doubt] of due.entries()) {
    const key = keyOf(doubt.ref);
    const one = cleared[place];
    if (line.doubts.get(key) !== doubt) continue;
    line.doubts.delete(key);
    if (one?.state === "again") line.doubts.set(key, one.doubt);
    if (one?.state === "resend") put(line, one.waiting);
  }
}
