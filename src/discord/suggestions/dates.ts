import { dateIn, offsetAt } from "../declare/dates.ts";
import type { Choice, Suggest, SuggestCtx } from "../declare/suggest.ts";
import { unspaced } from "../draw/cards/numbers.ts";
import { choiceOf } from "./match.ts";

const hour = 3_600_000;

/** How what was typed is understood, in the guild's time zone; moments before and after now while nothing is typed. */
export const dates: Suggest = (typed, ctx) => understood(typed, ctx, ["ahead", "behind"]);

/** The same with moments to come. */
export const futureDates: Suggest = (typed, ctx) => understood(typed, ctx, ["ahead"]);

/** The same with moments that are over. */
export const pastDates: Suggest = (typed, ctx) => understood(typed, ctx, ["behind"]);

/** Days from today, and the hour there; without one, so many hours from now. */
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
} as const satisfies Record<string, readonly Moment[]>;

async function understood(
  typed: string,
  ctx: SuggestCtx,
  sides: readonly (keyof typeof offers)[],
): Promise<readonly Choice[]> {
  const now = ctx.now();
  const { tag, speech } = ctx.words;
  const timeZone = ctx.settings.timeZone ?? "UTC";
  if (typed !== "") {
    const date = await dateIn(typed, { now, tag, timeZone });
    return date === undefined ? [] : [choiceFor(date, ctx)];
  }
  return sides.flatMap((side) =>
    offers[side]
      .map((moment) => ({ moment, date: dateOf(moment, now, timeZone) }))
      .filter(({ date }) => date.getTime() > now === (side === "ahead"))
      .map(({ moment, date }) => choiceFor(date, ctx, nameOf(moment, speech))),
  );
}

function dateOf({ days = 0, at, hours = 0 }: Moment, now: number, timeZone: string): Date {
  if (at === undefined) return new Date(Math.floor(now / 60_000) * 60_000 + hours * hour);
  const shown = new Date(now + offsetAt(now, timeZone) * 60_000);
  const wall = Date.UTC(shown.getUTCFullYear(), shown.getUTCMonth(), shown.getUTCDate() + days, at);
  // Summer time may begin or end before that day.
  const guess = wall - offsetAt(wall, timeZone) * 60_000;
  return new Date(wall - offsetAt(guess, timeZone) * 60_000);
}

function nameOf({ days, hours }: Moment, tag: string): string {
  const format = new Intl.RelativeTimeFormat(tag, { numeric: "auto" });
  const name = days === undefined ? format.format(hours ?? 0, "hour") : format.format(days, "day");
  return unspaced(name, tag);
}

function choiceFor(date: Date, ctx: SuggestCtx, name?: string): Choice {
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
  return choiceOf({ value: date.toISOString(), title });
}
