import { seeded } from "../../support/random.ts";
import { openPlace } from "./place.ts";
import { messagesOn, putWatch } from "./services.ts";

export interface LatencyOptions {
  readonly comments: number;
  /** The average time from one comment to the next. */
  readonly gapMs: number;
  readonly paceMs: number;
  readonly seed: number;
}

export interface Latency {
  /** Seconds from a comment's appearance to its card. */
  readonly median: number;
  readonly worst: number;
  readonly comments: number;
  /** By the campaign's clock. */
  readonly hours: number;
  readonly units: number;
}

const word = /kestrel(\d{5})/gu;

/**
 * How long comments that come in at random times wait for their cards. The campaign has its own clock, which jumps from
 * one timer to the next and stands still while a request is under way, so the time that the machine and the loopback
 * take does not count.
 */
export async function measureLatency({
  comments,
  gapMs,
  paceMs,
  seed,
}: LatencyOptions): Promise<Latency> {
  const random = seeded(seed);
  const place = await openPlace({ random });
  const { clock, video } = place;
  try {
    await putWatch(place, { paceMs });
    const messages = messagesOn(place.platform, clock.now);
    const process = place.start();
    const startedAt = clock.now();
    const cameAt: number[] = [];
    await clock.pass(paceMs);
    for (let n = 0; n < comments; n += 1) {
      await clock.pass(-Math.log(1 - random()) * gapMs);
      const text = `kestrel${String(n).padStart(5, "0")} waits`;
      video.addComment({ text, status: "heldForReview" });
      cameAt.push(clock.now());
    }
    await clock.pass(3_600_000);
    const waited = new Map<number, number>();
    for (const { text, at } of messages.values()) {
      for (const [, n] of text.matchAll(word)) waited.set(Number(n), at - (cameAt[Number(n)] ?? 0));
    }
    await process.close();
    const sorted = [...waited.values()].sort((one, other) => one - other);
    return {
      median: (sorted[Math.floor(sorted.length / 2)] ?? Number.NaN) / 1_000,
      worst: (sorted.at(-1) ?? Number.NaN) / 1_000,
      comments: sorted.length,
      hours: (clock.now() - startedAt) / 3_600_000,
      units: video.quota.spent("units"),
    };
  } finally {
    await place.close();
  }
}
