import { describe, expect, it, onTestFinished } from "vitest";
import { kinds } from "../support/databases/each-kind.ts";
import { seed } from "../support/random.ts";
import { atExpiry, troubles } from "./expiry.ts";

describe("two processes with one store", () => {
  it.each(kinds)("refresh each of 50 tokens once for 1,000 callers ($name)", async ({ make }) => {
    const kind = make?.();
    if (kind === undefined) return;
    const size = { credentials: 50, callers: 1_000, processes: 2 };
    const { url } = await kind.fresh();
    const { refreshes, mostTokens, failed, lost, close } = await atExpiry({ ...size, seed, url });
    onTestFinished(async () => {
      await close();
      await kind.stop();
    });

    expect(refreshes).toEqual(Array(50).fill(1));
    expect(mostTokens).toBe(1);
    expect(failed).toEqual({});
    expect(lost).toBe(0);
  });

  it(`lose no grant to resets, 500, time-outs and web pages (seed ${seed})`, async () => {
    const size = { credentials: 20, callers: 200, processes: 2, rounds: 1, silenceMs: 300 };
    const expired = await atExpiry({ ...size, seed, faults: troubles });
    onTestFinished(expired.close);

    expect(Object.keys(expired.failed)).not.toContain("invalid_grant");
    expect(Object.keys(expired.failed)).toContain("web_page_answer");
    expect(expired.failedAtLast).toBe(0);
    expect(expired.lost).toBe(0);
  });
});
