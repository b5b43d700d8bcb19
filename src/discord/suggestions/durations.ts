import { readDuration } from "../declare/dates.ts";
import type { Suggest } from "../declare/suggest.ts";

const common = [5, 10, 15, 30, 60, 90, 300, 600];

/** How what was typed is understood; a bare number as seconds and as minutes. A few lengths while nothing is typed. */
export const durations: Suggest = async (typed, { words }) => {
  const seconds = typed === "" ? common : await lengthsOf(typed);
  return seconds.map((each) => ({ name: words.duration(each * 1000), value: `${each}s` }));
};

async function lengthsOf(typed: string): Promise<readonly number[]> {
  const readings = /^\d+$/u.test(typed) ? [typed, `${typed} min`] : [typed];
  const lengths = await Promise.all(readings.map((text) => readDuration(text, "").catch(() => -1)));
  return lengths.filter((ms) => ms >= 0).map((ms) => ms / 1000);
}
