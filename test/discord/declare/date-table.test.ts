import { afterEach, describe, expect, it } from "vitest";
import { dateIn } from "../../../src/discord/declare/dates.ts";
import { type DateRow, dateTable } from "./date-table.ts";

const noonInParis = "2026-06-10T10:00Z";
const ownZone = process.env.TZ;

describe.each(Object.keys(dateTable))("dateIn in %s", (tag) => {
  const rows = dateTable[tag] ?? [];

  it("is tried with at least 300 different texts", () => {
    const different = new Set(rows.map(([text, , setting]) => JSON.stringify([text, setting])));
    const twice = rows.length - different.size;

    expect({ twice, isEnough: rows.length >= 300 }).toEqual({ twice: 0, isEnough: true });
  });

  it("understands the table", async () => {
    expect(await differences(tag, rows)).toEqual([]);
  });
});

describe("dateIn in a process of another zone", () => {
  afterEach(() => {
    if (ownZone === undefined) delete process.env.TZ;
    else process.env.TZ = ownZone;
  });

  const zones = [
    ["Pacific/Kiritimati", -14 * 60],
    ["America/St_Johns", 2.5 * 60],
    ["UTC", 0],
  ] as const;

  it.each(zones)("understands its share of the table in %s", async (zone, offset) => {
    process.env.TZ = zone;
    const share = zones.findIndex(([name]) => name === zone);

    expect(new Date("2026-06-10T10:00Z").getTimezoneOffset()).toBe(offset);
    const lines = Object.entries(dateTable).map(async ([tag, rows]) => {
      const own = rows.filter((_, index) => index % zones.length === share);
      return (await differences(tag, own)).map((line) => `${tag} ${line}`);
    });
    expect((await Promise.all(lines)).flat()).toEqual([]);
  });
});

/** One line for each row that is not understood as expected. */
async function differences(tag: string, rows: readonly DateRow[]): Promise<string[]> {
  const lines: string[] = [];
  for (const [text, meaning, setting] of rows) {
    const { now = noonInParis, timeZone = "Europe/Paris", side = "ahead" } = setting;
    const reading = { now: Date.parse(now), tag, timeZone, side };
    const date = await dateIn(text, reading);
    const right = Array.isArray(meaning) ? meaning : [meaning];
    if (right.some((one) => one === shown(date, one, timeZone))) continue;
    const got = shown(date, right[0] ?? null, timeZone);
    const read = `${JSON.stringify(text.slice(0, 80))} ${JSON.stringify(setting)}`;
    lines.push(`${read}: ${got}, not ${right.map(String).join(" or ")}`);
  }
  return lines;
}

/** In the same form as what is expected: an instant, or the date and time in the zone. */
function shown(date: Date | undefined, expected: string | null, timeZone: string): string | null {
  if (date === undefined) return null;
  if (Number.isNaN(date.getTime())) return "an invalid date";
  if (expected?.endsWith("Z")) return date.toISOString().replace(/(?::00)?\.000Z$/u, "Z");
  const format = clocks.get(timeZone) ?? clockOf(timeZone);
  clocks.set(timeZone, format);
  return format.format(date).replace(/:00$/u, "");
}

const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" });
}
