import { beforeEach, describe, expect, it } from "vitest";
import { LimitError } from "../../../src/errors.ts";
import {
  createUnits,
  projectOfClient,
  type Terms,
  type Units,
} from "../../../src/video/units/index.ts";
import type { Charge } from "../../../src/video/units/meter.ts";
import { partOf } from "../../../src/video/units/parts.ts";
import { type TestRecords, testRecords } from "./records.ts";

const project = projectOfClient("client");
const shared: Terms = { isShared: true };
const guildOf = (n: number) => `1111111111111111${String(n).padStart(2, "0")}`;
const decide: Charge = { method: "comments.setModerationStatus", bucket: "units", cost: 50 };
const edit: Charge = { method: "videos.update", bucket: "units", cost: 50 };
const look: Charge = { method: "videos.list", bucket: "units", cost: 1 };
const search: Charge = { method: "search.list", bucket: "searches", cost: 1 };
const upload: Charge = { method: "videos.insert", bucket: "uploads", cost: 1 };
const dayMs = 24 * 3_600_000;

/** Noon of a winter's day in Los Angeles. */
const noon = Date.parse("2026-01-15T20:00:00Z");
const midnight = new Date("2026-01-16T08:00:00Z");

let now: number;
let records: TestRecords;
beforeEach(() => {
  now = noon;
  records = testRecords();
});

const open = () => createUnits({ records, now: () => now });

function meterOf(units: Units, n: number, charge: Charge = edit, terms = shared) {
  const isModeration = charge === decide;
  const spender = {
    ...{ guildId: guildOf(n), userId: guildOf(n), command: "some" },
    ...(isModeration && { purpose: "moderation" as const }),
  };
  return units.meter(project, spender, terms);
}

/** Calls until one is refused. */
async function spendAll(
  units: Units,
  n: number,
  charge: Charge,
): Promise<{ readonly spent: number; readonly refusal: LimitError }> {
  const meter = meterOf(units, n, charge);
  for (let spent = 0; ; spent += charge.cost) {
    try {
      const booking = await meter.book(charge);
      await booking.settle({ attempts: 1, exhausted: false });
    } catch (error) {
      if (error instanceof LimitError) return { spent, refusal: error };
      throw error;
    }
  }
}

async function meet(units: Units, servers: number): Promise<void> {
  for (let n = 0; n < servers; n += 1) await meterOf(units, n).left();
}

describe("a part of a project that servers share", () => {
  it.each([
    [1, { own: 10_000, ownReserve: 2_000, common: 0, mostBorrowed: 0 }],
    [2, { own: 2_500, ownReserve: 500, common: 5_000, mostBorrowed: 2_500 }],
    [20, { own: 250, ownReserve: 50, common: 5_000, mostBorrowed: 2_500 }],
    [200, { own: 25, ownReserve: 5, common: 5_000, mostBorrowed: 2_500 }],
  ])("is this for each of %d", (servers, part) => {
    expect(partOf({ bucket: "units", limit: 10_000, servers, reserve: 0.2 })).toMatchObject(part);
  });

  it("is everything for a server alone", async () => {
    const units = open();

    expect((await spendAll(units, 1, edit)).spent).toBe(8_000);
    expect((await spendAll(units, 1, decide)).spent).toBe(2_000);
  });

  it.each([
    [2, 5_000],
    [20, 2_750],
  ])(
    "of %d leaves a server that spends all it can no more than %d units",
    async (servers, most) => {
      const units = open();
      await meet(units, servers);

      const edits = await spendAll(units, 0, edit);
      const decisions = await spendAll(units, 0, decide);

      expect(edits.spent + decisions.spent).toBe(most);
      expect(edits.refusal).toMatchObject({ code: "units_reserved", retryAt: midnight });
      expect(decisions.refusal).toMatchObject({
        code: "budget_part",
        retryAt: midnight,
        outcome: "nothing",
        facts: { bucket: "units", amount: most, used: most, left: 0, servers },
      });
    },
  );

  it("and its reserve stay the other servers', whatever one of them does", async () => {
    const units = open();
    await meet(units, 20);

    // Three take all that is lent, by moderating alone.
    for (const greedy of [0, 1, 2]) await spendAll(units, greedy, decide);

    for (let n = 3; n < 20; n += 1) {
      expect((await spendAll(units, n, edit)).spent).toBe(200);
      expect((await spendAll(units, n, decide)).spent).toBe(50);
    }
    expect((await units.left(project)).units.left).toBeGreaterThanOrEqual(0);
  });

  it("keeps the reserve of a server from its own people, also when they borrow", async () => {
    const units = open();
    await meet(units, 20);
    await spendAll(units, 0, edit);
    for (const greedy of [1, 2, 3]) await spendAll(units, greedy, decide);

    expect((await spendAll(units, 0, decide)).spent).toBe(50);
  });

  it("holds for searches and uploads too", async () => {
    const units = open();
    await meet(units, 10);
    for (const greedy of [0, 1, 2]) {
      await spendAll(units, greedy, search);
      await spendAll(units, greedy, upload);
    }

    for (let n = 3; n < 10; n += 1) {
      expect((await spendAll(units, n, search)).spent).toBe(5);
      expect((await spendAll(units, n, upload)).spent).toBe(5);
    }
  });

  it("holds over processes and restarts", async () => {
    const [one, two] = [open(), open()];
    await meet(one, 2);
    await one.close();
    const first = await spendAll(two, 0, decide);
    await two.close();
    const third = open();

    expect(first.spent).toBe(5_000);
    expect((await spendAll(third, 0, decide)).spent).toBe(0);
    expect((await spendAll(third, 1, decide)).spent).toBe(5_000);
  });

  it("is not overdrawn by two processes at once by more than a tenth", async () => {
    const [one, two] = [open(), open()];
    await meet(one, 2);
    await one.close();
    let spent = 0;
    const meters = [meterOf(one, 0, decide), meterOf(two, 0, decide)];
    for (let refused = 0; refused < 2; ) {
      refused = 0;
      for (const meter of meters) {
        await meter.book(decide).then(
          () => {
            spent += 50;
          },
          () => {
            refused += 1;
          },
        );
      }
    }

    expect(spent).toBeLessThanOrEqual(5_500);
  });

  it("is new at midnight, for the servers of this week and the last", async () => {
    const units = open();
    await meet(units, 2);
    await spendAll(units, 0, decide);
    now = midnight.getTime();

    expect((await spendAll(units, 0, decide)).spent).toBe(5_000);

    now = noon + 7 * dayMs;
    expect((await spendAll(units, 0, decide)).spent).toBe(5_000);

    now = noon + 14 * dayMs;
    expect((await spendAll(units, 0, decide)).spent).toBe(10_000);
  });

  it("does not shrink by a server's restarts, nor by one that erases itself again and again", async () => {
    for (let restart = 0; restart < 5; restart += 1) {
      const units = open();
      await meet(units, 2);
      await units.close();
    }
    const units = open();
    for (let again = 0; again < 5; again += 1) {
      await meet(units, 2);
      await units.forget(guildOf(1));
      for (const key of records.stored.keys()) {
        if (key.endsWith(guildOf(1))) records.stored.delete(key);
      }
    }

    expect((await meterOf(units, 0).left()).units).not.toHaveProperty("share");
    await meet(units, 2);
    expect((await meterOf(units, 0).left()).units.share).toMatchObject({ servers: 2 });
  });

  it("is not had once more by erasing what was spent", async () => {
    const units = open();
    await meet(units, 2);
    await spendAll(units, 0, decide);
    await units.forget(guildOf(0));
    for (const key of records.stored.keys()) {
      if (key.endsWith(guildOf(0))) records.stored.delete(key);
    }

    expect((await spendAll(units, 0, decide)).spent).toBe(0);
    expect((await spendAll(units, 1, decide)).spent).toBe(5_000);
    now = midnight.getTime();
    expect((await spendAll(units, 0, decide)).spent).toBe(5_000);
  });

  it("gives back what never left, also of what was lent", async () => {
    const units = open();
    await meet(units, 2);
    for (let n = 0; n < 200; n += 1) {
      const booking = await meterOf(units, 0, decide).book(decide);
      await booking.settle({ attempts: 0, exhausted: false });
    }

    expect((await spendAll(units, 0, decide)).spent).toBe(5_000);
  });

  it("is told with what is left, and stays below what the operator allows", async () => {
    const units = open();
    await meet(units, 2);
    await meterOf(units, 0).book(edit);

    expect((await meterOf(units, 0).left()).units).toMatchObject({
      left: 9_950,
      reserved: 500,
      share: { of: "part", limit: 5_000, used: 50, left: 4_950 },
    });
    const capped = meterOf(units, 0, edit, { isShared: true, guild: { units: 60 } });
    expect((await capped.left()).units.share).toMatchObject({ of: "guild", left: 10 });
    await expect(capped.book(edit)).rejects.toMatchObject({ code: "budget_guild" });
  });

  it("costs no call a read of the store once it is known", async () => {
    const units = open();
    await meet(units, 2);
    await meterOf(units, 0, look).book(look);
    const { reads } = records;

    for (let n = 0; n < 100; n += 1) await meterOf(units, 0, look).book(look);

    expect(records.reads).toBe(reads);
  });
});
