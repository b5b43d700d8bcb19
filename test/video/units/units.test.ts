import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LimitError } from "../../../src/errors.ts";
import {
  createUnits,
  projectOfClient,
  projectOfKey,
  type Spender,
  type UnitsOptions,
} from "../../../src/video/units/index.ts";
import type { Charge } from "../../../src/video/units/meter.ts";
import { seed, seeded } from "../../support/random.ts";
import { type TestRecords, testRecords } from "./records.ts";

const project = projectOfKey("AIza-test");
const guildId = "111111111111111111";
const spender: Spender = { guildId, userId: "333333333333333333", command: "playlists list" };
const moderation: Spender = { ...spender, command: "comments moderate", purpose: "moderation" };

const list: Charge = { method: "videos.list", bucket: "units", cost: 1 };
const insert: Charge = { method: "playlists.insert", bucket: "units", cost: 50 };
const search: Charge = { method: "search.list", bucket: "searches", cost: 1 };
const done = { attempts: 1, exhausted: false };
const empty = { attempts: 1, exhausted: true };

/** Noon of a winter's day in Los Angeles. */
const noon = Date.parse("2026-01-15T20:00:00Z");
const midnight = new Date("2026-01-16T08:00:00Z");

let now = noon;
let records: TestRecords;
let failures: unknown[];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  now = noon;
  records = testRecords();
  failures = [];
});

afterEach(() => {
  vi.useRealTimers();
});

function open(options: Partial<UnitsOptions> = {}) {
  return createUnits({
    records,
    now: () => now,
    onFailure: (error) => failures.push(error),
    ...options,
  });
}

async function refusalOf(promise: Promise<unknown>): Promise<LimitError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof LimitError) return error;
  throw new Error(`no limit was met: ${String(error)}`);
}

/** Lets the timers of the saves run. */
async function pass(ms: number) {
  now += ms;
  await vi.advanceTimersByTimeAsync(ms);
  // The saves leave room for other work in between.
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
}

describe("projectOfKey", () => {
  it("is the same for the same key, and tells keys and clients apart", () => {
    expect(projectOfKey("a")).toBe(projectOfKey("a"));
    expect(projectOfKey("a")).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set([projectOfKey("a"), projectOfKey("b"), projectOfClient("a")]).size).toBe(3);
  });
});

describe("a meter", () => {
  it("counts what is booked and says what is left", async () => {
    const units = open();
    await units.meter(project, spender).book(insert);
    await units.meter(project, spender).book(search);

    expect(await units.left(project)).toEqual({
      units: {
        used: 50,
        limit: 10_000,
        left: 9950,
        reserved: 2000,
        resetsAt: midnight,
        blocked: false,
      },
      searches: { used: 1, limit: 100, left: 99, reserved: 0, resetsAt: midnight, blocked: false },
      uploads: { used: 0, limit: 100, left: 100, reserved: 0, resetsAt: midnight, blocked: false },
    });
    expect((await units.left(projectOfKey("other"))).units.used).toBe(0);
  });

  it.each([
    ["gives all back that never left", 0, 0],
    ["keeps what left once", 1, 50],
    ["counts every repeat that left", 3, 150],
  ])("%s", async (_, attempts, used) => {
    const units = open();
    const booking = await units.meter(project, spender).book(insert);

    await booking.settle({ attempts, exhausted: false });
    await booking.settle({ attempts: 0, exhausted: false });

    expect((await units.left(project)).units.used).toBe(used);
  });

  it("counts a search once, however often it was repeated, and not at all when it never left", async () => {
    const units = open();
    const search = { method: "search.list", bucket: "searches", cost: 1 } as const;
    const [repeated, unsent] = [
      await units.meter(project, spender).book(search),
      await units.meter(project, spender).book(search),
    ];

    await repeated.settle({ attempts: 9, exhausted: false });
    await unsent.settle({ attempts: 0, exhausted: false });

    expect((await units.left(project)).searches.used).toBe(1);
  });

  it("keeps what was never settled", async () => {
    const units = open();
    await units.meter(project, spender).book(insert);

    await units.close();

    expect((await open().left(project)).units.used).toBe(50);
  });

  it(`never overshoots, whatever is booked at once (seed ${seed})`, async () => {
    const random = seeded(seed);
    const units = open({ limits: { units: 1000 }, reserve: 0.2 });
    const charges = Array.from({ length: 500 }, () => ({
      ...list,
      cost: 1 + Math.floor(random() * 60),
    }));

    const outcomes = await Promise.allSettled(
      charges.map((charge) => units.meter(project, spender).book(charge)),
    );

    const booked = charges.reduce(
      (sum, { cost }, at) => sum + (outcomes[at]?.status === "fulfilled" ? cost : 0),
      0,
    );
    expect(booked).toBeLessThanOrEqual(800);
    expect(booked).toBeGreaterThan(740);
    expect((await units.left(project)).units.used).toBe(booked);
  });

  it("keeps its share for moderation", async () => {
    const units = open({ limits: { units: 100 } });
    await units.meter(project, spender).book({ ...list, cost: 80 });

    const refusal = await refusalOf(units.meter(project, spender).book(list));
    await units.meter(project, moderation).book({ ...list, cost: 20 });
    const last = await refusalOf(units.meter(project, moderation).book(list));

    expect(refusal).toMatchObject({ code: "units_reserved", retryAt: midnight });
    expect(refusal.hint).toContain("moderating comments");
    expect(last).toMatchObject({ code: "quota_exceeded", retryAt: midnight });
  });

  it("books nothing when it refuses", async () => {
    const units = open({ limits: { units: 100 }, reserve: 0 });
    await units.meter(project, spender).book({ ...list, cost: 90 });

    await refusalOf(units.meter(project, spender).book({ ...list, cost: 11 }));

    expect((await units.left(project)).units).toMatchObject({ used: 90, left: 10 });
    await units.meter(project, spender).book({ ...list, cost: 10 });
  });

  it("keeps nothing of searches for anybody", async () => {
    const units = open({ limits: { searches: 2 } });
    await units.meter(project, spender).book(search);
    await units.meter(project, spender).book(search);

    const refusal = await refusalOf(units.meter(project, spender).book(search));

    expect(refusal).toMatchObject({ code: "quota_exceeded", facts: { bucket: "searches" } });
    await units.meter(project, spender).book(list);
  });

  it("counts two guilds with one key together", async () => {
    const units = open({ limits: { searches: 1 } });
    await units.meter(project, spender).book(search);

    const other = { ...spender, guildId: "222222222222222222" };
    await refusalOf(units.meter(project, other).book(search));
  });
});

describe("an empty bucket", () => {
  it("stays closed until midnight in Los Angeles, and others stay open", async () => {
    const units = open();
    const meter = units.meter(project, moderation);
    await (await meter.book(list)).settle(empty);

    expect(await refusalOf(meter.book(list))).toMatchObject({
      code: "quota_exceeded",
      retryAt: midnight,
    });
    await meter.book(search);
    expect((await units.left(project)).units).toMatchObject({ left: 0, blocked: true, used: 1 });
    now = midnight.getTime() - 1;
    await refusalOf(meter.book(list));
    now = midnight.getTime();
    await meter.book(list);
  });

  it("is told in the words of the service's own refusal", async () => {
    const units = open({ limits: { searches: 0 } });
    const ours = await refusalOf(units.meter(project, spender).book(search));
    const { failureOf } = await import("../../../src/video/failures/failure.ts");
    const { methods } = await import("../../../src/video/methods/index.ts");

    const theirs = failureOf(
      {
        status: 403,
        headers: {},
        body: Buffer.from('{"error":{"errors":[{"reason":"quotaExceeded"}]}}'),
      },
      { method: "search.list", row: methods["search.list"], signedBy: "key", now },
    ) as LimitError;

    const shown = ({ code, hint, outcome, retryAt }: LimitError) => ({
      code,
      hint,
      outcome,
      retryAt,
    });
    expect(shown(ours)).toEqual(shown(theirs));
  });

  it("is on disk when the call that met it ends", async () => {
    const first = open();
    const booking = await first.meter(project, spender).book(list);
    await booking.settle(empty);

    // Nothing of the first is closed or saved: its process was killed.
    const second = open();

    expect(await refusalOf(second.meter(project, moderation).book(list))).toMatchObject({
      code: "quota_exceeded",
    });
  });

  it("belongs to the day of the call, when midnight comes between", async () => {
    const units = open();
    const booking = await units.meter(project, spender).book(list);

    now = midnight.getTime() + 1000;
    await booking.settle(empty);

    await units.meter(project, spender).book(list);
  });

  it("is closed for minutes only when it is told right after midnight: clocks differ", async () => {
    const units = open();
    now = midnight.getTime() + 30_000;
    const booking = await units.meter(project, spender).book(list);
    await booking.settle(empty);

    const retryAt = new Date(midnight.getTime() + 300_000);
    expect(await refusalOf(units.meter(project, spender).book(list))).toMatchObject({ retryAt });
    now = retryAt.getTime();
    await units.meter(project, spender).book(list);
  });
});

describe("a new day", () => {
  it("starts with full buckets while the process runs", async () => {
    const units = open();
    await units.meter(project, spender).book(insert);

    now = midnight.getTime();

    expect((await units.left(project)).units).toMatchObject({
      used: 0,
      resetsAt: new Date("2026-01-17T08:00:00Z"),
    });
  });

  it("gives back to the day that paid", async () => {
    const units = open();
    const booking = await units.meter(project, spender).book(insert);
    now = midnight.getTime() + 1;

    await booking.settle({ attempts: 0, exhausted: false });

    expect((await units.left(project)).units.used).toBe(0);
    await units.meter(project, spender).book(list);
    expect((await units.left(project)).units.used).toBe(1);
    now = midnight.getTime() - 1;
    expect((await units.left(project)).units.used).toBe(0);
  });
});

describe("the records", () => {
  it("are written once for many small calls", async () => {
    const units = open();
    for (let n = 0; n < 40; n++) {
      await (await units.meter(project, spender).book(list)).settle(done);
    }
    expect(records.writes).toEqual([]);

    await pass(2_000);

    expect(records.writes).toMatchObject([{ differences: { units: 40 } }]);
    await pass(15_000);
    // Who spent it, and the guild's sums.
    expect(records.writes).toHaveLength(3);
    expect(records.writes.slice(1).map(({ at }) => at.guildId)).toEqual([guildId, guildId]);
  });

  it("never lag behind by 1 % of a bucket when a call leaves", async () => {
    const units = open();
    const at = `${project} 2026-01-15 `;

    for (let n = 1; n <= 12; n++) {
      await units.meter(project, spender).book(insert);
      expect(n * 50 - (records.stored.get(at)?.units ?? 0)).toBeLessThan(100);
    }
    await units.meter(project, spender).book(search);
    expect(records.stored.get(at)?.searches).toBe(1);
  });

  it("are found again by the next process", async () => {
    const first = open();
    await first.meter(project, spender).book(insert);
    await first.close();

    const second = open();
    await second.meter(project, spender).book(list);

    expect((await second.left(project)).units.used).toBe(51);
  });

  it("add up what two processes spend at the same time", async () => {
    const [one, two] = [open(), open()];
    await one.meter(project, spender).book(insert);
    await two.meter(project, spender).book({ ...insert, cost: 30 });

    await one.close();
    await two.close();

    expect((await open().left(project)).units.used).toBe(80);
  });

  it("hold up no call while they fail; what was counted is saved when they are back", async () => {
    const units = open({ limits: { units: 1000 }, reserve: 0 });
    records.trouble = async () => {
      throw new Error("disk gone");
    };
    const meter = units.meter(project, spender);
    for (let n = 0; n < 10; n++) await (await meter.book(insert)).settle(done);

    expect(failures.length).toBeGreaterThan(0);
    expect((await units.left(project)).units.used).toBe(500);
    await refusalOf(meter.book({ ...list, cost: 501 }));

    records.trouble = undefined;
    await pass(30_000);
    expect(records.stored.get(`${project} 2026-01-15 `)).toEqual({ units: 500 });
    expect((await units.left(project)).units.used).toBe(500);
  });

  it("hold up no call for longer than a second when they hang", async () => {
    const units = open();
    records.trouble = () => new Promise(() => {});

    const booking = units.meter(project, spender).book(search);
    await vi.advanceTimersByTimeAsync(1_000);
    await vi.advanceTimersByTimeAsync(1_000);

    await expect(booking).resolves.toBeDefined();
  });

  it("are asked for at most every ten seconds while they fail", async () => {
    const units = open();
    records.trouble = async () => {
      throw new Error("disk gone");
    };

    for (let n = 0; n < 20; n++) await units.left(project);
    expect(records.reads).toBe(1);
    now += 10_000;
    await units.left(project);
    expect(records.reads).toBe(2);
  });
});

describe("who spent it", () => {
  it("is told by day, bucket, person, command and method, for one guild alone", async () => {
    const units = open();
    const other = { ...spender, guildId: "222222222222222222" };
    await units.meter(project, spender).book(list);
    await units.meter(project, spender).book(list);
    await units.meter(project, { ...spender, command: "search" }).book(search);
    await units.meter(project, other).book(insert);
    const back = await units.meter(project, spender).book(insert);
    await back.settle({ attempts: 0, exhausted: false });
    now += 24 * 3_600_000;
    await units.meter(project, spender).book(insert);

    const { userId, command } = spender;
    const yesterday = [
      { day: "2026-01-15", bucket: "units", userId, command, method: "videos.list", spent: 2 },
      {
        day: "2026-01-15",
        bucket: "searches",
        userId,
        command: "search",
        method: "search.list",
        spent: 1,
      },
    ];
    const today = [
      {
        day: "2026-01-16",
        bucket: "units",
        userId,
        command,
        method: "playlists.insert",
        spent: 50,
      },
    ];
    expect(await units.spent(project, guildId)).toEqual(today);
    expect(await units.spent(project, guildId, 2)).toEqual([...today, ...yesterday]);
    expect(await units.spent(project, "444444444444444444", 30)).toEqual([]);
    expect(await units.spent(projectOfKey("other"), guildId, 30)).toEqual([]);
  });

  it("fails rather than to say that nobody spent anything", async () => {
    const units = open();
    records.trouble = async () => {
      throw new Error("disk gone");
    };

    await expect(units.spent(project, guildId)).rejects.toThrow("disk gone");
  });

  it("is forgotten with the guild, also what is still under way", async () => {
    const units = open();
    await units.meter(project, spender).book(list);
    const underWay = await units.meter(project, spender).book(insert);

    await units.forget(guildId);
    await underWay.settle({ attempts: 3, exhausted: false });
    await units.close();

    expect([...records.stored.keys()].filter((key) => key.includes(guildId))).toEqual([]);
    expect((await open().left(project)).units.used).toBe(151);
  });

  it("is counted again when the guild comes back", async () => {
    const units = open();
    await units.meter(project, spender).book(list);
    await units.forget(guildId);

    await units.meter(project, spender).book(insert);

    expect(await units.spent(project, guildId)).toMatchObject([{ spent: 50 }]);
  });
});
