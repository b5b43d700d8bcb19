import { describe, expect, it } from "vitest";
import type { QuotaBound, QuotaState } from "../../../src/budget/index.ts";
import type { Watch, WatchProgress } from "../../../src/moderation/index.ts";
import {
  affordableDelayMs,
  createPace,
  preferredDelayMs,
} from "../../../src/moderation/pace/create-pace.ts";
import { dailyUnitsFor, type PollDemand } from "../../../src/moderation/pace/shares.ts";

const hour = 3_600_000;
const now = Date.UTC(2026, 6, 1, 19);
const resetsAt = new Date(now + 12 * hour);

const watch: Watch = {
  id: "a".repeat(16),
  channelId: "2".repeat(18),
  source: "UCsource",
  states: ["heldForReview", "likelySpam"],
  paceMs: 60_000,
  digestFrom: 5,
  addedBy: "3".repeat(18),
  addedAt: now - 24 * hour,
};
const busy: WatchProgress = { idlePolls: 2, foundAt: now - 60_000, troubles: {} };

function paceOver(change: Partial<QuotaState>, guilds: readonly string[] = ["g"]) {
  const left: QuotaState = {
    used: 0,
    limit: 10_000,
    left: 10_000,
    reserved: 0,
    blocked: false,
    resetsAt,
    ...change,
  };
  const of = (count: number): PollDemand => ({
    watches: [{ dailyUnits: dailyUnitsFor(60_000, 2), count }],
    channels: count,
  });
  const taken = new Map<string, number>();
  return createPace({
    left: async () => left,
    takeForDecisions: async (guildId, _, { cost, limit }) => {
      const units = (taken.get(guildId) ?? 0) + cost;
      if (units <= limit) taken.set(guildId, units);
      return units <= limit;
    },
    clock: { now: () => now, after: () => () => {} },
    demand: {
      ofAll: async () => of(guilds.length),
      ofGuild: async (guildId) => of(guilds.includes(guildId) ? 1 : 0),
      ofKey: async () => ({ watches: [], channels: 0 }),
      renew: () => {},
    },
  });
}

async function turnIn(pace: ReturnType<typeof paceOver>, guildId: string, progress: WatchProgress) {
  return (await pace.turnOf(guildId, watch))(progress);
}

describe("a watch's turn", () => {
  it("comes as often as asked where units are plenty", async () => {
    const turn = await turnIn(paceOver({}), "g", busy);

    expect(turn).toMatchObject({ inMs: 60_000, unitsADay: 2_880 });
    expect(turn.slowedBy).toBeUndefined();
  });

  it("is paid from the channel's own part, however many others are watched", async () => {
    const share: QuotaBound = {
      of: "part" as const,
      limit: 4_166,
      used: 0,
      left: 4_166,
      resetsAt,
      sharing: { own: 1_666, channels: 100, ofPerson: 1 },
    };
    const many = ["g", ...Array.from({ length: 99 }, (_, n) => `other ${n}`)];

    const kept = await turnIn(paceOver({ share }, many), "g", busy);
    const lent = await turnIn(paceOver({}, many), "g", busy);

    expect(kept.unitsADay).toBeGreaterThan(600);
    expect(lent.unitsADay).toBeLessThanOrEqual(100);
  });

  it("says when quiet slows it down", async () => {
    const quiet = { ...busy, idlePolls: 99, foundAt: now - 5 * hour };

    expect(await turnIn(paceOver({}), "g", quiet)).toMatchObject({
      inMs: 360_000,
      slowedBy: "quiet",
    });
  });

  it("says when units slow it down", async () => {
    const guilds = Array.from({ length: 20 }, (_, n) => `g${n}`);

    // Of 250 units for the day, 125 are left for the rest of it.
    const spent = { ...busy, spent: { day: "2026-07-01", units: 125 } };
    const turn = await turnIn(paceOver({}, guilds), "g3", spent);

    expect(turn).toMatchObject({ inMs: (2 * 12 * hour) / 125, slowedBy: "units" });
  });

  it("never comes where the units are gone, and says until when", async () => {
    const turn = await turnIn(paceOver({ left: 0, blocked: true }), "g", busy);

    expect(turn).toMatchObject({ goneUntil: resetsAt.getTime(), inMs: 12 * hour });
  });

  it("keeps to the server's own part of the project", async () => {
    const bound = { of: "guild", limit: 300, used: 100, left: 200, resetsAt } as const;
    const spent = { ...busy, spent: { day: "2026-07-01", units: 100 } };

    const turn = await turnIn(paceOver({ share: bound }), "g", spent);

    // Half of the 300 units are for polls, and 100 are spent.
    expect(turn).toMatchObject({ inMs: (2 * 12 * hour) / 50, slowedBy: "units" });
  });
});

describe("takeUnits", () => {
  const two = ["g", "h"];

  it("gives a server its own part of the day, whatever the others need", async () => {
    const pace = paceOver({ left: 1_500 }, two);

    const given = await Promise.all(
      Array.from({ length: 30 }, () => pace.takeUnits("g", "UC", 50)),
    );

    expect(given.every((shortage) => shortage === undefined)).toBe(true);
  });

  it("leaves the others theirs beyond that, and says when it is worth another try", async () => {
    const pace = paceOver({ left: 2_030 }, two);
    for (let n = 0; n < 30; n += 1) await pace.takeUnits("g", "UC", 50);

    const refused = await pace.takeUnits("g", "UC", 50);
    const other = await pace.takeUnits("h", "UC", 50);

    // At noon 2,000 units would have to remain for others; seven minutes later it is only 1,980.
    expect(refused).toEqual({ at: now + 432_000 });
    expect(other).toBeUndefined();
  });

  it("gives nobody what is not there", async () => {
    const pace = paceOver({ left: 40 });

    const shortage = { at: resetsAt.getTime(), isGone: true };
    expect(await pace.takeUnits("g", "UC", 50)).toEqual(shortage);
    expect(await pace.findShortage("g", "UC", 50)).toEqual(shortage);
    expect(await pace.findShortage("g", "UC", 40)).toBeUndefined();
  });
});

const second = 1_000;
const minute = 60 * second;

describe("preferredDelayMs", () => {
  it.each([
    {
      what: "right after something came",
      paceMs: minute,
      idlePolls: 0,
      quietMs: 0,
      ms: 20 * second,
    },
    {
      what: "after one look in vain",
      paceMs: minute,
      idlePolls: 1,
      quietMs: 20 * second,
      ms: 40 * second,
    },
    { what: "after two", paceMs: minute, idlePolls: 2, quietMs: minute, ms: minute },
    { what: "ten minutes after", paceMs: minute, idlePolls: 12, quietMs: 10 * minute, ms: minute },
    {
      what: "half an hour after",
      paceMs: minute,
      idlePolls: 30,
      quietMs: 30 * minute,
      ms: 3 * minute,
    },
    { what: "a day after", paceMs: minute, idlePolls: 300, quietMs: 24 * hour, ms: 6 * minute },
    {
      what: "a day after at ten minutes",
      paceMs: 10 * minute,
      idlePolls: 99,
      quietMs: 24 * hour,
      ms: 30 * minute,
    },
    { what: "a day after at an hour", paceMs: hour, idlePolls: 30, quietMs: 24 * hour, ms: hour },
    {
      what: "while it is busy at 10 s",
      paceMs: 10 * second,
      idlePolls: 0,
      quietMs: 0,
      ms: 10 * second,
    },
  ])("is $ms $what", ({ what: _, ms, ...activity }) => {
    expect(preferredDelayMs(activity)).toBe(ms);
  });

  it("is never longer than asked for within ten minutes of a comment", () => {
    for (let idlePolls = 0; idlePolls < 60; idlePolls += 1) {
      const ms = preferredDelayMs({ paceMs: minute, idlePolls, quietMs: idlePolls * 9 * second });
      expect(ms).toBeLessThanOrEqual(minute);
    }
  });
});

describe("affordableDelayMs", () => {
  it.each([
    { what: "plenty", cost: 2, allotment: 2_000, forMs: 10 * hour, ms: 36 * second },
    { what: "a little", cost: 2, allotment: 20, forMs: 10 * hour, ms: hour },
    { what: "one poll", cost: 2, allotment: 2, forMs: hour, ms: hour },
    { what: "nothing", cost: 2, allotment: 1.9, forMs: hour, ms: hour },
  ])("spreads $what over the rest of the day", ({ what: _, ms, ...means }) => {
    expect(affordableDelayMs(means)).toBe(ms);
  });
});
