import { describe, expect, it } from "vitest";
import type { QuotaBucket, QuotaState } from "../../../src/budget/index.ts";
import { withFoot } from "../../../src/discord/draw/render.ts";
import { notice } from "../../../src/discord/draw/reply.ts";
import type { VideoAccess } from "../../../src/features/context/clients.ts";
import {
  createPrice,
  createTally,
  describeSpent,
  isFree,
} from "../../../src/features/context/spending.ts";
import { words } from "../../support/words.ts";

const key = { key: "AIza" };
const channel = { channelOf: "1".repeat(18) };

/** How much is left for the key's project, and how much for the channel's. */
function leaving(ofKey: number, ofChannel: number) {
  const all = (left: number) => {
    const one = { left } as QuotaState;
    return { units: one, searches: one, uploads: one } satisfies Record<QuotaBucket, QuotaState>;
  };
  return async (access: VideoAccess) => all("key" in access ? ofKey : ofChannel);
}

describe("what an answer cost", () => {
  it("adds up, and says what is left of each bucket that was used, and of which project", async () => {
    const tally = createTally();
    tally.add(key, { bucket: "searches", cost: 1 });
    tally.add(key, { bucket: "units", cost: 1 });
    tally.add(key, { bucket: "units", cost: 1 });

    const text = await describeSpent(tally, { leftOf: leaving(98, 0), words: words() });

    expect(text).toBe(
      "1 search and 2 units · 98 searches and 98 units left today (this server’s key)",
    );
  });

  it("says what is left of the budget that was charged", async () => {
    const tally = createTally();
    tally.add(channel, { bucket: "units", cost: 50 });

    const text = await describeSpent(tally, { leftOf: leaving(10_000, 9_950), words: words() });

    expect(text).toBe("50 units · 9,950 units left today (linked channel’s project)");
  });

  it("shows the emptier of two budgets", async () => {
    const tally = createTally();
    tally.add(key, { bucket: "units", cost: 1 });
    tally.add(channel, { bucket: "units", cost: 50 });

    const text = await describeSpent(tally, { leftOf: leaving(20, 9_950), words: words() });

    expect(text).toBe("51 units · 20 units left today (this server’s key)");
  });

  it("says that it was free where everything came from the cache", async () => {
    const tally = createTally();
    tally.add(key, { bucket: "units", cost: 0 });
    tally.add(key, { bucket: "searches", cost: 0 });

    const text = await describeSpent(tally, { leftOf: leaving(98, 0), words: words() });

    expect(text).toBe("0 searches · 98 searches left today (this server’s key)");
    expect(isFree(tally)).toBe(true);
  });

  it("says nothing where nothing was called", async () => {
    const spent = { leftOf: leaving(98, 0), words: words() };

    expect(await describeSpent(createTally(), spent)).toBeUndefined();
  });

  it("stands behind what the foot says already", () => {
    const done = notice({ tone: "neutral", title: "Done", footer: "Page 1" });

    expect(withFoot(done, "1 unit").footer).toBe("Page 1 · 1 unit");
  });
});

describe("the price of a question", () => {
  const payment = {
    clients: { left: leaving(10, 9_949) },
    opened: { channel: { channelId: "UC1" } as never },
    billedTo: { guildId: "1".repeat(18), userId: "2".repeat(18), command: "x" },
    access: () => key,
  } as const;

  it("adds up with what was read to ask it, and names the project", async () => {
    const tally = createTally();
    tally.add(key, { bucket: "units", cost: 1 });
    const price = createPrice(payment, tally, words());

    expect(await price(["comments.delete"])).toBe(
      "This costs 50 units (51 units in all with this question); 9,949 units left today (linked channel’s project).",
    );
    expect(tally.isPriced).toBe(true);
  });

  it("names nothing that was spent where nothing was", async () => {
    const price = createPrice(payment, createTally(), words());

    expect(await price(["comments.delete"], ["comments.insert"])).toBe(
      "This costs 100 units; 9,949 units left today (linked channel’s project).",
    );
  });

  it("no longer stands for all once more is spent", async () => {
    const tally = createTally();
    // Clients call it detached, too.
    const { add } = tally;
    await createPrice(payment, tally, words())(["comments.delete"]);

    add(key, { bucket: "units", cost: 1 });

    expect(tally.isPriced).toBe(false);
  });
});
