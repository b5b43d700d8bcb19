import { readDuration } from "../dates.ts";
import type { Suggest } from "../suggest.ts";

const common = [5, 10, 15, 30, 60, 90, 300, 600];

/** How what was typed is understood; a bare number as seconds and as minutes. A few lengths while nothing is typed. */
export const durations: Suggest = async (typed, { words }) => {
  const seconds = typed === "" ? common : await lengthsOf(typed);
  return seconds.map((each) => ({ name: nameOf(each, words.tag), value: `${each}s` }));
};

async function lengthsOf(typed: string): Promise<readonly number[]> {
  const readings = /^\d+$/u.test(typed) ? [typed, `${typed} min`] : [typed];
  const lengths = await Promise.all(readings.map((text) => readDuration(text, "").catch(() => -1)));
  return lengths.filter((ms) => ms >= 0).map((ms) => ms / 1000);
}

function nameOf(seconds: number, tag: string): string {
  const parts = {
    hours: Math.floor(seconds / 3600),
    minutes: Math.floor((seconds % 3600) / 60),
    seconds: Math.floor(seconds % 60),
    milliseconds: Math.round((seconds % 1) * 1000),
  };
  const given = Object.entries(parts).filter(([, count]) => count > 0);
  const shown = given.length === 0 ? [["seconds", 0] as const] : given;
  const each = shown.map(([unit, count]) =>
    new Intl.NumberFormat(tag, {
      style: "unit",
      unit: unit.slice(0, -1),
      unitDisplay: "long",
    }).format(count),
  );
  return new Intl.ListFormat(tag, { type: "unit" }).format(each);
}
