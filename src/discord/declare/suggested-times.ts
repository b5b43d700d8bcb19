import { unspaced } from "../draw/numbers.ts";
import type { DateSide } from "./date-moments.ts";
import { dateIn } from "./dates.ts";
import { type DayTimes, dayTimesIn } from "./day-times.ts";
import { readDuration } from "./durations.ts";
import type { Suggest, SuggestedChoice, SuggestionContext } from "./suggest.ts";
import { momentAt, wallClockAt } from "./wall-clock.ts";

const hour = 3_600_000;

/** A number of days from today, at an hour, or a number of hours from now. */
interface Moment {
  readonly days?: number;
  readonly at?: number;
  readonly hours?: number;
}

const offers = {
  ahead: [
    { hours: 1 },
    { days: 0, at: 18 },
    { days: 1, at: 9 },
    { days: 1, at: 18 },
    { days: 2, at: 18 },
    { days: 7, at: 18 },
  ],
  behind: [
    { hours: -1 },
    { days: 0, at: 0 },
    { days: -1, at: 0 },
    { days: -7, at: 0 },
    { days: -30, at: 0 },
    { days: -365, at: 0 },
  ],
} as const satisfies Record<DateSide, readonly Moment[]>;

function suggestDates(...sides: readonly DateSide[]): Suggest<SuggestionContext> {
  return async (typed, ctx) => {
    const now = ctx.now();
    const { tag, speech } = ctx.words;
    const timeZone = ctx.settings.timeZone ?? "UTC";
    if (typed !== "") {
      // Like the command: what takes any moment looks back.
      const side = sides.includes("behind") ? "behind" : "ahead";
      const date = dateIn(typed, { now, tag, timeZone, side });
      return date === undefined ? [] : [choiceFor(date, ctx)];
    }
    return sides.flatMap((side) =>
      offers[side]
        .map((moment) => ({ moment, date: dateFor(moment, now, timeZone) }))
        .filter(({ date }) => date.getTime() > now === (side === "ahead"))
        .map(({ moment, date }) => choiceFor(date, ctx, describeMoment(moment, speech))),
    );
  };
}

/** The date that was typed, in the server's time zone; past and future moments while nothing is typed. */
export const dates = suggestDates("ahead", "behind");
export const futureDates = suggestDates("ahead");
export const pastDates = suggestDates("behind");

function dateFor({ days = 0, at, hours = 0 }: Moment, now: number, timeZone: string): Date {
  if (at === undefined) return new Date(Math.floor(now / 60_000) * 60_000 + hours * hour);
  const shown = new Date(wallClockAt(now, timeZone));
  const [year, month, day] = [shown.getUTCFullYear(), shown.getUTCMonth(), shown.getUTCDate()];
  return new Date(momentAt(Date.UTC(year, month, day + days, at), timeZone));
}

function describeMoment({ days, hours }: Moment, tag: string): string {
  const format = new Intl.RelativeTimeFormat(tag, { numeric: "auto" });
  const name = days === undefined ? format.format(hours ?? 0, "hour") : format.format(days, "day");
  return unspaced(name, tag);
}

function choiceFor(date: Date, ctx: SuggestionContext, name?: string): SuggestedChoice {
  const { settings, words } = ctx;
  const timeZone = settings.timeZone ?? "UTC";
  const whole = new Intl.DateTimeFormat(words.tag, {
    weekday: "short",
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
    timeZone,
    timeZoneName: "short",
  }).format(date);
  const title = name === undefined ? whole : `${name} · ${whole}`;
  return { name: title, value: date.toISOString() };
}

const commonDayTimes: readonly DayTimes[] = [
  { from: "22:00", to: "07:00" },
  { from: "23:00", to: "08:00" },
  { from: "00:00", to: "09:00" },
  { from: "20:00", to: "10:00" },
];

/** The times that were typed; a few nights while nothing is typed. */
export const dayTimes: Suggest<SuggestionContext> = async (typed, { words }) => {
  const clock = new Intl.DateTimeFormat(words.tag, { timeStyle: "short", timeZone: "UTC" });
  const shown = (at: string) => clock.format(new Date(`1970-01-01T${at}Z`));
  const read = dayTimesIn(typed);
  const offered = typed === "" ? commonDayTimes : read === undefined ? [] : [read];
  return offered.map(({ from, to }) => ({
    name: `${shown(from)} – ${shown(to)}`,
    value: `${from}-${to}`,
  }));
};

const commonSeconds = [5, 10, 15, 30, 60, 90, 300, 600];

/** The length that was typed, a bare number as seconds and as minutes; a few lengths while nothing is typed. */
export const durations: Suggest<SuggestionContext> = async (typed, { words }) => {
  const seconds = typed === "" ? commonSeconds : await readLengths(typed);
  return seconds.map((each) => ({
    name: words.duration(each * 1000),
    // As `readDuration` understands it: three digits after the point could be thousands.
    value: Number.isInteger(each * 100) ? `${each}s` : `${Math.round(each * 1000)}ms`,
  }));
};

async function readLengths(typed: string): Promise<readonly number[]> {
  const readings = /^\d+$/u.test(typed) ? [typed, `${typed} min`] : [typed];
  const lengths = await Promise.all(readings.map((text) => readDuration(text, "").catch(() => -1)));
  return lengths.filter((ms) => ms >= 0).map((ms) => ms / 1000);
}
