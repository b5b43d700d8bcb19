import { describe, expect, it } from "vitest";
import { type CreditBudget, createCredits } from "../../src/background/index.ts";
import { storeUnavailable } from "../../src/discord/access/store-unavailable.ts";
import { guild, openFor } from "../store/setup.ts";

const noon = Date.UTC(2026, 0, 31, 12);
const day = 24 * 3_600_000;
const ana = { guildId: guild, userId: "333333333333333333", command: "background remove" };
const ben = { ...ana, userId: "444444444444444444" };
const own = (amount: number): CreditBudget => ({ amount, of: "person" });

async function counted() {
  const { credits: records } = await openFor();
  const time = { now: noon };
  const options = { records, now: () => time.now };
  return { records, time, credits: createCredits(options), other: createCredits(options) };
}

describe("a budget of credits", () => {
  it("holds for one person a UTC day, and says when it starts anew", async () => {
    const { credits, time } = await counted();
    await credits.count(ana, 0.75);

    await credits.afford(ana, 0.25, own(1));
    await expect(credits.afford(ana, 1, own(1))).rejects.toMatchObject({
      code: "budget_person",
      facts: { bucket: "credits", amount: 1, left: 0.25, cost: 1 },
      retryAt: new Date(Date.UTC(2026, 1, 1)),
    });
    await credits.afford(ben, 1, own(1));
    await credits.afford(ana, 1, undefined);
    time.now += day / 2;
    await credits.afford(ana, 1, own(1));
  });

  it("says whose rank it is", async () => {
    const { credits } = await counted();

    await expect(
      credits.hold(ana, 1, { amount: 0, of: "rank", rank: "member" }),
    ).rejects.toMatchObject({ code: "budget_rank", facts: { rank: "member", left: 0 } });
  });

  it("is not overdrawn by pictures at the same time", async () => {
    const { credits } = await counted();

    const held = await Promise.allSettled(
      Array.from({ length: 20 }, () => credits.hold(ana, 1, own(5))),
    );

    expect(held.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
  });

  it("gives back what a picture did not cost", async () => {
    const { credits } = await counted();
    const release = await credits.hold(ana, 1, own(1));
    await credits.count(ana, 0.25);
    release();

    await credits.afford(ana, 0.75, own(1));
    await expect(credits.afford(ana, 0.76, own(1))).rejects.toMatchObject({
      facts: { left: 0.75 },
    });
  });

  it("counts what other processes have counted", async () => {
    const { credits, other } = await counted();
    await credits.count(ana, 1);

    await expect(other.afford(ana, 1, own(1))).rejects.toMatchObject({ code: "budget_person" });
  });

  it("is held against what was read and what was counted while it was read", async () => {
    const { records, time } = await counted();
    let go = () => {};
    const slow = new Promise<void>((resolve) => {
      go = resolve;
    });
    const credits = createCredits({
      records: {
        add: records.add,
        read: async (at) => {
          const before = await records.read(at);
          await slow;
          return before;
        },
      },
      now: () => time.now,
    });

    const judged = credits.afford(ana, 1, own(1));
    await credits.count(ana, 1);
    go();

    await expect(judged).rejects.toMatchObject({ code: "budget_person" });
  });

  it("refuses nobody anything while the records fail, but for what is known here", async () => {
    const error = storeUnavailable(undefined);
    const records = {
      read: async () => ({ state: "failed", error }) as const,
      add: () => Promise.reject(error),
    };
    const credits = createCredits({ records, now: () => noon });

    await credits.afford(ana, 1, own(1));
    await credits.count(ana, 1);

    await expect(credits.afford(ana, 1, own(1))).rejects.toMatchObject({ code: "budget_person" });
  });
});

describe("a count that could not be stored", () => {
  it("is told all the same, and stored with the next one", async () => {
    const { records } = await counted();
    const failures: unknown[] = [];
    let isBroken = true;
    const credits = createCredits({
      records: {
        read: records.read,
        add: (at, differences) => {
          return isBroken ? Promise.reject(new Error("disk")) : records.add(at, differences);
        },
      },
      now: () => noon,
      onFailure: (error) => failures.push(error),
    });

    await credits.count(ana, 1);
    const told = await credits.spent(guild, 1);
    isBroken = false;
    await credits.count(ana, 0.25);

    expect(failures).toHaveLength(1);
    expect(told).toMatchObject([{ credits: 1, pictures: 1 }]);
    const stored = await createCredits({ records, now: () => noon }).spent(guild, 1);
    expect(stored).toMatchObject([{ credits: 1.25, pictures: 2 }]);
  });
});
