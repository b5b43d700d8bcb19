import type { IIdentifyThrottler } from "@discordjs/ws";
import type { Log } from "../../log.ts";
import type { IdentifyTurn } from "../../store/index.ts";
import { waitFor } from "../wire/wait-for-discord.ts";

/** Between two tries while the turns can't be read. */
const retryMs = 1_000;

/**
 * Lets one connection in a bucket identify at a time
 * (https://docs.discord.com/developers/events/gateway#rate-limiting). Within the process they stand in line; the first of
 * each line asks for a turn among all processes.
 */
export function createIdentifyThrottler(
  /** How many buckets may identify at the same time. */
  maxConcurrency: number,
  { identifyTurn, log }: { readonly identifyTurn: IdentifyTurn; readonly log: Log },
): IIdentifyThrottler {
  const lines = new Map<number, Promise<void>>();
  // The library identifies at once if this throws.
  const ask = (bucket: number) =>
    identifyTurn(bucket).catch((error: unknown) => {
      log.warn("no turn to identify was given", { error, waitMs: retryMs });
      return retryMs;
    });
  return {
    waitForIdentify(shardId, signal) {
      const bucket = shardId % maxConcurrency;
      const before = lines.get(bucket) ?? Promise.resolve();
      const turn = before.then(async () => {
        signal.throwIfAborted();
        for (let waitMs = await ask(bucket); waitMs > 0; waitMs = await ask(bucket)) {
          await waitFor(waitMs, signal);
        }
        signal.throwIfAborted();
      });
      lines.set(
        bucket,
        turn.catch(() => undefined),
      );
      return turn;
    },
  };
}
