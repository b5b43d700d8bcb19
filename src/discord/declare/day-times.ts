import { InputError } from "../../errors.ts";
import { typedText } from "../draw/text.ts";

/** Two times of day, `22:00`; the second may be on the next day. */
export interface DayTimes {
  readonly from: string;
  readonly to: string;
}

/** Words before the first time, between the two, and after the second, in all our languages. */
const before = /^(?:from|between|von|zwischen|de|desde|entre)\s+/u;
const between = /[-–—~〜～→]|から|\b(?:to|until|till|and|bis|und|hasta|et|y)\b|\s[aà]\s/u;
const behind = /(?:まで|の間)$/u;

const clock = /^(午前|午後)?(\d{1,2})(?:(?::|\.|h|時|uhr)(\d\d)?(?:分|h|uhr)?)?([ap]\.?m\.?)?$/u;

/** @throws InputError `time_range_unreadable` */
export function readDayTimes(value: unknown, option: string): DayTimes {
  const read = dayTimesIn(String(value));
  if (read !== undefined) return read;
  throw new InputError(`option ${option} is not two times of day`, {
    code: "time_range_unreadable",
    facts: { option, given: typedText(String(value)) },
  });
}

/** Undefined when it can't be read, or both times are the same. */
export function dayTimesIn(text: string): DayTimes | undefined {
  const bare = text.normalize("NFKC").trim().toLowerCase().replace(before, "").replace(behind, "");
  const [from, to, ...more] = bare.split(between).map(timeIn);
  if (from === undefined || to === undefined || more.length > 0) return undefined;
  // In `10-11pm` the first time may mean either half of the day.
  if (from.isHalf !== to.isHalf || from.at === to.at) return undefined;
  return { from: from.at, to: to.at };
}

function timeIn(text: string): { readonly at: string; readonly isHalf: boolean } | undefined {
  const [whole, half, hours = "", minutes = "0", suffix = ""] =
    clock.exec(text.replace(/\s+/gu, "")) ?? [];
  const isHalf = half !== undefined || suffix !== "";
  const hour = Number(hours);
  const isClock = isHalf ? hour >= (half === undefined ? 1 : 0) && hour <= 12 : hour <= 24;
  if (whole === undefined || !isClock || Number(minutes) > 59) return undefined;
  if (hour === 24 && Number(minutes) > 0) return undefined;
  const isLate = half === "午後" || suffix.startsWith("p");
  const ofDay = isHalf ? (hour % 12) + (isLate ? 12 : 0) : hour % 24;
  return { at: `${padded(ofDay)}:${padded(Number(minutes))}`, isHalf };
}

function padded(count: number): string {
  return `${count}`.padStart(2, "0");
}
