import { describe, expect, it } from "vitest";
import { seed } from "../../support/random.ts";
import { measureLatency } from "./measure-latency.ts";

const paceMs = 60_000;

describe("a comment's way to its card", () => {
  it("takes about a pace at most while comments keep coming", async () => {
    const latency = await measureLatency({ comments: 60, gapMs: 20_000, paceMs, seed });
    console.info("latency", { seed, ...latency });

    expect(latency.comments).toBe(60);
    expect(latency.median).toBeLessThan(paceMs / 1_000);
    expect(latency.worst).toBeLessThan((1.5 * paceMs) / 1_000);
  });
});
