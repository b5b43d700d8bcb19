import { describe, expect, it } from "vitest";
import { affordableMs, wantedMs } from "../../../src/moderation/pace/interval.ts";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

describe("wantedMs", () => {
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
    expect(wantedMs(activity)).toBe(ms);
  });

  it("is never longer than asked for within ten minutes of a comment", () => {
    for (let idlePolls = 0; idlePolls < 60; idlePolls += 1) {
      const ms = wantedMs({ paceMs: minute, idlePolls, quietMs: idlePolls * 9 * second });
      expect(ms).toBeLessThanOrEqual(minute);
    }
  });
});

describe("affordableMs", () => {
  it.each([
    { what: "plenty", cost: 2, allotment: 2_000, forMs: 10 * hour, ms: 36 * second },
    { what: "a little", cost: 2, allotment: 20, forMs: 10 * hour, ms: hour },
    { what: "one poll", cost: 2, allotment: 2, forMs: hour, ms: hour },
    { what: "nothing", cost: 2, allotment: 1.9, forMs: hour, ms: hour },
  ])("spreads $what over the rest of the day", ({ what: _, ms, ...means }) => {
    expect(affordableMs(means)).toBe(ms);
  });
});
