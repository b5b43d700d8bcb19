import { beforeEach, describe, expect, it } from "vitest";
import { LimitError } from "../../../src/errors.ts";
import {
  type Budget,
  createUnits,
  projectOfClient,
  projectOfKey,
  type Spender,
  type Terms,
  type UnitsOptions,
} from "../../../src/video/units/index.ts";
import type { Charge } from "../../../src/video/units/meter.ts";
import { seed, seeded } from "../../support/random.ts";
import { type TestRecords, testRecords } from "./records.ts";

const ofKey = projectOfKey("AIza-test");
const ofChannels = projectOfClient("client");
const guildId = "111111111111111111";
const ana: Spender = { guildId, userId: "333333333333333333", command: "playlists list" };
const ben: Spender = { ...ana, userId: "444444444444444444" };

const read: Charge = { method: "videos.list", bucket: "units", cost: 1 };
const write: Charge = { method: "playlists.insert", bucket: "units", cost: 50 };
const search: Charge = { method: "search.list", bucket: "searches", cost: 1 };

/** Noon of a winter's day in Los Angeles. */
const noon = Date.parse("2026-01-15T20:00:00Z");
const midnight = new Date("2026-01-16T08:00:00Z");

let now: number;
let records: TestRecords;
beforeEach(() => {
  now = noon;
  records = testRecords();
});

function open(options: Partial<UnitsOptions> = {}) {
  return createUnits({ records, now: () => now, ...options });
}

const own = (amount: number): Budget => ({ amount, of: "person" });
const ofRank = (amount: number): Budget => ({ amount, of: "rank", rank: "member" });
const limited = (units: Budget): Terms => ({ budgets: { units } });

async function refusalOf(promise: Promise<unknown>): Promise<LimitError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof LimitError) return error;
  throw new Error(`no limit was met: ${String(error)}`);
}

describe("a person's budget", () => {
  it("holds over all projects together, for that person alone", async () => {
    const units = open();
    const terms = limited(own(52));
    await units.meter(ofKey, ana, terms).book(read);
    await units.meter(ofChannels, ana, terms).book(write);

    const refusal = await refusalOf(units.meter(ofChannels, ana, terms).book(write));

    expect(refusal).toMatchObject({
      code: "budget_person",
      retryAt: midnight,
      outcome: "nothing",
      facts: { bucket: "units", amount: 52, left: 1, cost: 50 },
    });
    await units.meter(ofKey, ana, terms).book(read);
    await units.meter(ofChannels, ben, terms).book(write);
    expect((await units.left(ofChannels)).units.used).toBe(100);
  });

  it("limits one bucket and leaves the others alone", async () => {
    const units = open();
    const meter = units.meter(ofKey, ana, { budgets: { searches: own(0) } });

    expect(await refusalOf(meter.book(search))).toMatchObject({ code: "budget_person" });
    await meter.book(write);
  });

  it("is new after midnight in Los Angeles", async () => {
    const units = open();
    const meter = units.meter(ofKey, ana, limited(own(1)));
    await meter.book(read);
    await refusalOf(meter.book(read));

    now = midnight.getTime();

    await meter.book(read);
  });

  it("is given back what never left", async () => {
    const units = open();
    const meter = units.meter(ofKey, ana, limited(own(50)));
    const booking = await meter.book(write);
    await booking.settle({ attempts: 0, exhausted: false });

    await meter.book(write);
  });

  it(`is not overdrawn by calls at the same time (seed ${seed})`, async () => {
    const random = seeded(seed);
    const units = open();
    const meters = [ofKey, ofChannels].map((project) =>
      units.meter(project, ana, limited(own(500))),
    );
    const charges = Array.from({ length: 300 }, () => ({
      ...read,
      cost: 1 + Math.floor(random() * 50),
    }));

    const outcomes = await Promise.allSettled(
      charges.map((charge, at) => meters[at % 2]?.book(charge)),
    );

    const spent = charges.reduce(
      (sum, { cost }, at) => sum + (outcomes[at]?.status === "fulfilled" ? cost : 0),
      0,
    );
    expect(spent).toBeLessThanOrEqual(500);
    expect(spent).toBeGreaterThan(450);
  });

  it("is told to other processes by the tenth", async () => {
    const terms = limited(own(100));
    const first = open();
    await first.meter(ofKey, ana, terms).book(write);

    // Nothing of the first is closed or saved by time.
    const second = open().meter(ofKey, ana, terms);

    await second.book(write);
    expect(await refusalOf(second.book(read))).toMatchObject({ code: "budget_person" });
  });

  it("counts what was spent before it was set", async () => {
    const units = open();
    await units.meter(ofKey, ana).book(write);

    const refusal = await refusalOf(units.meter(ofKey, ana, limited(own(60))).book(write));

    expect(refusal.facts).toMatchObject({ left: 10 });
  });

  it("goes on in memory while the records fail", async () => {
    records.trouble = () => Promise.reject(new Error("disk"));
    const units = open({ onFailure: () => undefined });
    const meter = units.meter(ofKey, ana, limited(own(1)));
    await meter.book(read);

    expect(await refusalOf(meter.book(read))).toMatchObject({ code: "budget_person" });
  });

  it("is forgotten with the guild, also what is still under way", async () => {
    const units = open();
    const meter = units.meter(ofKey, ana, limited(own(60)));
    const underWay = await meter.book(write);
    await meter.book(read);

    await units.forget(guildId);
    // What the store's own erasing does then.
    for (const key of records.stored.keys()) if (key.includes(guildId)) records.stored.delete(key);
    await underWay.settle({ attempts: 2, exhausted: false });
    await units.close();

    expect([...records.stored.keys()].filter((key) => key.includes(guildId))).toEqual([]);
    expect(await units.history(guildId, 30)).toEqual([]);
  });
});

describe("a rank's budget", () => {
  it("is each person's, and says whose it is", async () => {
    const units = open();
    const terms = limited(ofRank(1));
    await units.meter(ofKey, ana, terms).book(read);

    const refusal = await refusalOf(units.meter(ofKey, ana, terms).book(read));

    expect(refusal).toMatchObject({ code: "budget_rank", facts: { rank: "member", left: 0 } });
    await units.meter(ofKey, ben, terms).book(read);
  });

  it("does not hold moderation up, but a person's own does", async () => {
    const units = open();
    const moderator: Spender = { ...ana, purpose: "moderation" };

    await units.meter(ofChannels, moderator, limited(ofRank(0))).book(write);

    const refusal = await refusalOf(
      units.meter(ofChannels, moderator, limited(own(0))).book(write),
    );
    expect(refusal.code).toBe("budget_person");
    const counted = await refusalOf(units.meter(ofKey, ana, limited(ofRank(50))).book(read));
    expect(counted.facts).toMatchObject({ left: 0 });
  });
});

describe("a guild's share", () => {
  it("is what all of its people spend of that project", async () => {
    const units = open();
    const terms: Terms = { guild: { units: 60 } };
    await units.meter(ofChannels, ana, terms).book(write);

    const refusal = await refusalOf(units.meter(ofChannels, ben, terms).book(write));

    expect(refusal).toMatchObject({ code: "budget_guild", facts: { amount: 60, left: 10 } });
    const other = { ...ben, guildId: "222222222222222222" };
    await units.meter(ofChannels, other, terms).book(write);
    await units.meter(ofKey, ana).book(write);
  });
});

describe("a guild's own settings", () => {
  it("give its key another day, and another share for moderation", async () => {
    const units = open();
    const small = units.meter(ofKey, ana, { limits: { units: 100 }, reserve: 0.5 });
    await small.book(write);

    expect((await small.left()).units).toMatchObject({ limit: 100, left: 50, reserved: 50 });
    expect(await refusalOf(small.book(read))).toMatchObject({ code: "units_reserved" });
    await units.meter(ofKey, ana, { limits: { units: 1_000_000 } }).book({ ...read, cost: 20_000 });
  });
});

describe("what nobody asked for", () => {
  it("leaves the last tenth of everything alone", async () => {
    const units = open({ reserve: 0 });
    const spare = units.meter(ofKey, ana, { isSpare: true, budgets: { units: own(10) } });

    await spare.book({ ...read, cost: 9 });

    expect(await refusalOf(spare.book(read))).toMatchObject({ code: "budget_person" });
    await units.meter(ofKey, ana, { budgets: { units: own(10) } }).book(read);
    const free = units.meter(ofKey, ben, { isSpare: true, limits: { searches: 10 } });
    for (let n = 0; n < 9; n += 1) await free.book(search);
    await refusalOf(free.book(search));
  });
});

describe("an account", () => {
  it("says beforehand what all of it would take, and books nothing", async () => {
    const units = open();
    const account = units.meter(ofChannels, ana, limited(own(120)));

    await account.afford([{ ...write, cost: 100 }, read]);
    const refusal = await refusalOf(
      account.afford([
        { ...write, cost: 100 },
        { ...read, cost: 21 },
      ]),
    );

    expect(refusal).toMatchObject({ code: "budget_person", facts: { cost: 121, left: 120 } });
    expect((await account.left()).units.used).toBe(0);
  });

  it("holds what the person spends elsewhere against the person, not against the project", async () => {
    const units = open({ limits: { units: 60 }, reserve: 0 });
    const personal = { units: 70, searches: 0, uploads: 0 };

    await units.meter(ofKey, ana, limited(own(70))).afford([write], personal);

    const refusal = await refusalOf(
      units.meter(ofKey, ana, limited(own(69))).afford([write], personal),
    );
    expect(refusal.code).toBe("budget_person");
  });

  it("tells apart a day that is over and one that is too short for this", async () => {
    const units = open({ limits: { units: 100 }, reserve: 0 });
    const account = units.meter(ofKey, ana);

    const short = await refusalOf(account.afford([{ ...write, cost: 150 }]));
    await account.book({ ...read, cost: 100 });
    const over = await refusalOf(account.afford([read]));

    expect(short).toMatchObject({ code: "quota_short", facts: { cost: 150, left: 100 } });
    expect(over).toMatchObject({ code: "quota_exceeded" });
  });

  it("tells what limits the person when that is less than the project has", async () => {
    const units = open();
    const terms: Terms = { budgets: { units: ofRank(60) }, guild: { units: 5000 } };
    const account = units.meter(ofChannels, ana, terms);
    await account.book(write);

    const left = await account.left();

    expect(left.units).toMatchObject({
      left: 9950,
      bound: { of: "rank", limit: 60, used: 50, left: 10 },
      share: { of: "guild", limit: 5000, left: 4950 },
    });
    expect(left.searches.bound).toBeUndefined();
  });
});

describe("the history", () => {
  it("tells of every project, whichever keys there are now", async () => {
    const units = open();
    await units.meter(ofKey, ana).book(read);
    await units.meter(projectOfKey("AIza-earlier"), ben).book(search);
    await units.meter(ofChannels, { ...ben, guildId: "222222222222222222" }).book(write);

    const history = await units.history(guildId, 1);

    expect(history.map(({ project, userId, spent }) => [project, userId, spent])).toEqual([
      [ofKey, ana.userId, 1],
      [projectOfKey("AIza-earlier"), ben.userId, 1],
    ]);
  });

  it.each([
    ["spring", "2026-03-20T19:00:00Z"],
    ["autumn", "2026-11-15T20:00:00Z"],
  ])("holds thirty days across the change of clocks in %s, each once", async (_, end) => {
    const units = open();
    const last = Date.parse(end);
    const dayMs = 24 * 3_600_000;
    for (let ago = 34; ago >= 0; ago -= 1) {
      now = last - ago * dayMs;
      await units.meter(ofKey, ana).book({ ...read, cost: 100 + ago });
    }

    const days = await units.history(guildId, 30);

    expect(days.map(({ spent }) => spent)).toEqual(Array.from({ length: 30 }, (_, n) => 100 + n));
    expect(new Set(days.map(({ day }) => day)).size).toBe(30);
  });

  it("is there after a restart, and tells what could not be saved yet", async () => {
    const first = open();
    await first.meter(ofKey, ana).book(write);
    await first.close();
    const second = open({ onFailure: () => undefined });
    await second.meter(ofKey, ana).book(read);
    let writes = 0;
    const { add } = records;
    records.add = async () => {
      writes += 1;
      throw new Error("disk full");
    };

    const history = await second.history(guildId, 1);
    records.add = add;

    expect(writes).toBeGreaterThan(0);
    expect(history.map(({ method, spent }) => [method, spent])).toEqual([
      ["playlists.insert", 50],
      ["videos.list", 1],
    ]);
  });

  it("fails rather than to say that nobody spent anything", async () => {
    records.trouble = () => Promise.reject(new Error("disk"));

    await expect(open().history(guildId, 30)).rejects.toThrow("disk");
  });
});
