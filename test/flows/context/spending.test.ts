import { describe, expect, it } from "vitest";
import type { QuotaBucket, QuotaState } from "../../../src/budget/index.ts";
import { ask, notice } from "../../../src/discord/draw/reply.ts";
import type { VideoAccess } from "../../../src/flows/context/clients.ts";
import { createTally, spentLines, withSpent } from "../../../src/flows/context/spending.ts";
import { words } from "../../support/words.ts";

const key = { key: "AIza" };
const channel = { channelOf: "1".repeat(18) };

/** So much is left for the key, so much for the channel. */
function leaving(ofKey: number, ofChannel: number) {
  const all = (left: number) => {
    const one = { left } as QuotaState;
    return { units: one, searches: one, uploads: one } satisfies Record<QuotaBucket, QuotaState>;
  };
  return async (access: VideoAccess) => all("key" in access ? ofKey : ofChannel);
}

describe("what an answer cost", () => {
  it("adds up by bucket, and says what is left of each that was used", async () => {
    const tally = createTally();
    tally.add(key, { bucket: "searches", cost: 1 });
    tally.add(key, { bucket: "units", cost: 1 });
    tally.add(key, { bucket: "units", cost: 1 });

    const lines = await spentLines(tally, { leftOf: leaving(98, 0), words: words() });

    expect(lines).toEqual([
      { cost: "2 units", left: "98 units left today" },
      { cost: "1 search", left: "98 searches left today" },
    ]);
  });

  it("says what is left of the budget that was charged", async () => {
    const tally = createTally();
    tally.add(channel, { bucket: "units", cost: 50 });

    const lines = await spentLines(tally, { leftOf: leaving(10_000, 9_950), words: words() });

    expect(lines).toEqual([{ cost: "50 units", left: "9,950 units left today" }]);
  });

  it("shows the emptier of two budgets", async () => {
    const tally = createTally();
    tally.add(key, { bucket: "units", cost: 1 });
    tally.add(channel, { bucket: "units", cost: 50 });

    const lines = await spentLines(tally, { leftOf: leaving(20, 9_950), words: words() });

    expect(lines).toEqual([{ cost: "51 units", left: "20 units left today" }]);
  });

  it("stands behind what the foot says already, and a question says no more than the cost", () => {
    const lines = [{ cost: "1 unit", left: "99 units left today" }];
    const done = notice({ tone: "neutral", title: "Done", footer: "Page 1" });
    const question = ask({
      title: "Delete?",
      text: "For good. This costs 50 units; 99 left today.",
      confirm: { label: "Delete", press: { action: "a", state: null } },
    });

    expect(withSpent(done, lines).footer).toBe("Page 1 · 1 unit · 99 units left today");
    expect(withSpent(question, lines).footer).toBe("1 unit");
  });
});
