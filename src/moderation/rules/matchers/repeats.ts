import { refuse } from "./refuse.ts";
import type { Matcher } from "./types.ts";

const bounds = { leastTimes: 2, mostTimes: 50, leastMs: 60_000, mostMs: 7 * 86_400_000 } as const;

/** @throws InputError `rule_repeats` */
export function repeatsMatcher(times: number, withinMs: number): Matcher {
  const isCount =
    Number.isInteger(times) && times >= bounds.leastTimes && times <= bounds.mostTimes;
  if (!isCount || !(withinMs >= bounds.leastMs && withinMs <= bounds.mostMs)) {
    throw refuse("rule_repeats", { least: bounds.leastTimes, most: bounds.mostTimes });
  }
  return ({ timesSaid }) => {
    const said = timesSaid?.(withinMs) ?? 1;
    return said >= times ? `${said} ×` : undefined;
  };
}
