import { type DayTimes, dayTimesIn } from "../declare/day-times.ts";
import type { Suggest } from "../declare/suggest.ts";

const common: readonly DayTimes[] = [
  { from: "22:00", to: "07:00" },
  { from: "23:00", to: "08:00" },
  { from: "00:00", to: "09:00" },
  { from: "20:00", to: "10:00" },
];

/** How what was typed is understood; a few nights while nothing is typed. */
export const dayTimes: Suggest = async (typed, { words }) => {
  const clock = new Intl.DateTimeFormat(words.tag, { timeStyle: "short", timeZone: "UTC" });
  const shown = (at: string) => clock.format(new Date(`1970-01-01T${at}Z`));
  const read = dayTimesIn(typed);
  const offered = typed === "" ? common : read === undefined ? [] : [read];
  return offered.map(({ from, to }) => ({
    name: `${shown(from)} – ${shown(to)}`,
    value: `${from}-${to}`,
  }));
};
