import { describe, expect, it } from "vitest";
import { isQuiet, mayPing, timeOfDay } from "../../../src/moderation/announce/role-ping.ts";

describe("isQuiet", () => {
  it.each([
    { from: "22:00", to: "08:00", time: "21:59", quiet: false },
    { from: "22:00", to: "08:00", time: "22:00", quiet: true },
    { from: "22:00", to: "08:00", time: "00:00", quiet: true },
    { from: "22:00", to: "08:00", time: "07:59", quiet: true },
    { from: "22:00", to: "08:00", time: "08:00", quiet: false },
    { from: "12:00", to: "13:30", time: "12:30", quiet: true },
    { from: "12:00", to: "13:30", time: "13:30", quiet: false },
    { from: "12:00", to: "12:00", time: "12:00", quiet: false },
    { from: "00:00", to: "06:00", time: "00:00", quiet: true },
  ])("is $quiet at $time from $from to $to", ({ time, quiet, ...hours }) => {
    expect(isQuiet(hours, time)).toBe(quiet);
  });
});

describe("timeOfDay", () => {
  it.each([
    // The clocks went forward at 2:00 on 29 March 2026, and back at 3:00 on 25 October.
    { at: "2026-03-29T00:59:00Z", zone: "Europe/Berlin", time: "01:59" },
    { at: "2026-03-29T01:00:00Z", zone: "Europe/Berlin", time: "03:00" },
    { at: "2026-10-25T00:30:00Z", zone: "Europe/Berlin", time: "02:30" },
    { at: "2026-10-25T01:30:00Z", zone: "Europe/Berlin", time: "02:30" },
    { at: "2026-10-25T02:30:00Z", zone: "Europe/Berlin", time: "03:30" },
    { at: "2026-06-30T15:00:00Z", zone: "Asia/Tokyo", time: "00:00" },
    { at: "2026-06-30T18:30:00Z", zone: "Asia/Kolkata", time: "00:00" },
  ])("is $time in $zone at $at", ({ at, zone, time }) => {
    expect(timeOfDay(Date.parse(at), zone)).toBe(time);
  });
});

describe("mayPing", () => {
  const ping = { roleId: "1", gapMs: 600_000, quiet: { from: "23:00", to: "02:30" } };
  const at = (text: string, pingedAt?: string) => ({
    now: Date.parse(text),
    pingedAt: pingedAt === undefined ? undefined : Date.parse(pingedAt),
    timeZone: "Europe/Berlin",
  });

  it.each([
    { what: "at noon", at: at("2026-03-29T10:00:00Z"), may: true },
    { what: "in winter's last hour", at: at("2026-03-29T00:59:00Z"), may: false },
    // The night was an hour shorter: 2:30 did not exist.
    { what: "when the clocks have gone forward", at: at("2026-03-29T01:00:00Z"), may: true },
    { what: "in the hour before they go back", at: at("2026-10-25T00:45:00Z"), may: true },
    // The time from 2:00 to 2:30 comes twice, and both are quiet.
    { what: "in the hour that comes again", at: at("2026-10-25T01:15:00Z"), may: false },
    { what: "within the gap", at: at("2026-03-29T10:00:00Z", "2026-03-29T09:51:00Z"), may: false },
    { what: "after the gap", at: at("2026-03-29T10:00:00Z", "2026-03-29T09:50:00Z"), may: true },
  ])("is $may $what", ({ at: when, may }) => {
    expect(mayPing(ping, when)).toBe(may);
  });

  it("goes by UTC where the server has no time zone", () => {
    const when = { now: Date.parse("2026-07-01T23:30:00Z"), pingedAt: undefined };

    expect(mayPing(ping, { ...when, timeZone: undefined })).toBe(false);
  });
});
