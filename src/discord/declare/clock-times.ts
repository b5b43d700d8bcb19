import {
  type DatePattern,
  either,
  inOrder,
  mapPattern,
  maybe,
  numeral,
  phrase,
  sign,
  word,
} from "./date-patterns.ts";
import { type DateLanguage, dateWords, type PartHours } from "./date-words.ts";

/** A time of day. */
export interface ClockTime {
  /** Up to 29, counted from the beginning of the day. */
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  /** Its half of the day is named: "8pm", "noon", "8 in the evening". */
  readonly isHalf: boolean;
  /** Without a day it may be something else: "2h", "in the evening". */
  readonly needsDay?: boolean;
  /** Only a part of the day. */
  readonly isPart?: boolean;
  /** Nothing but a number. */
  readonly isNumber?: boolean;
  /** At midnight or after it, where people name the evening's day as well as the next. */
  readonly isNight?: boolean;
}

/** An hour as it is said, before a part of the day decides about its half. */
interface SaidHour {
  readonly hour: number;
  readonly minute: number;
  readonly second?: number;
  readonly needsHalf?: boolean;
  readonly needsDay?: boolean;
  readonly isNumber?: boolean;
  readonly isHalf?: boolean;
  readonly isWord?: boolean;
}

const twoDigits = { from: 0, to: 59, digits: [2] };
const hourRange = { from: 0, to: 24, digits: [0, 1, 2] };
const hours = numeral(hourRange);
const lateHours = numeral({ from: 0, to: 29, digits: [0, 1, 2] });
const hourWord = word("count", (count) => Number.isInteger(count) && count <= 24);
const anyHour = either(hours, hourWord);
const minutes = numeral({ from: 0, to: 59, digits: [0, 1, 2] });
const minuteWord = word("count", (count) => Number.isInteger(count) && count < 60);
const hourMark = either(word("hourMark"), word("lengthMark"));

const digital = phrase(
  [
    hours,
    sign(":"),
    numeral(twoDigits),
    maybe(
      inOrder(
        sign(":"),
        numeral(twoDigits),
        maybe(inOrder(sign("."), numeral({ from: 0, to: 999, digits: [1, 2, 3], isGlued: true }))),
      ),
    ),
    maybe(either<unknown>(hourMark, word("minuteMark"))),
  ],
  ([hour, , minute, rest]) => withinDay({ hour, minute, second: rest?.[1] ?? 0 }),
);

/** 25:00, the first hour of the next day. */
const lateDigital = phrase(
  [numeral({ from: 24, to: 29, digits: [2] }), sign(":"), numeral(twoDigits)],
  ([hour, , minute]): SaidHour => ({ hour, minute }),
);

const dotted = phrase(
  [
    numeral({ ...hourRange, isWhole: true }),
    mapPattern(sign("."), (token) => (token.isGlued ? token : undefined)),
    numeral({ ...twoDigits, isGlued: true }),
    maybe(hourMark),
  ],
  ([hour, , minute]) => withinDay({ hour, minute }),
);

/** "2 h", "24 h" */
const lengthLike = phrase(
  [
    anyHour,
    word("lengthMark"),
    maybe(inOrder(either(minutes, minuteWord), maybe(word("minuteMark")))),
  ],
  ([hour, , rest]) =>
    withinDay({ hour, minute: rest?.[0] ?? 0, needsDay: hour <= 12 || hour === 24 }),
);

const lengthHour = phrase([anyHour, word("lengthMark")], ([hour]) => hour);
const markedHour = either(
  phrase([anyHour, word("hourMark")], ([hour]) => hour),
  phrase([either(lateHours, hourWord), word("lateHourMark")], ([hour]) => hour),
);

const withMark = phrase(
  [
    markedHour,
    maybe(
      inOrder(
        either(minutes, minuteWord),
        maybe(word("minuteMark")),
        maybe(inOrder(minutes, word("secondMark"))),
      ),
    ),
  ],
  ([hour, rest]) => withinDay({ hour, minute: rest?.[0] ?? 0, second: rest?.[2]?.[0] ?? 0 }),
);

/** Nothing comes after 24:00, except in Japanese, where 25時 is the next day's first hour. */
function withinDay(said: SaidHour): SaidHour | undefined {
  const { hour, minute, second = 0 } = said;
  return hour === 24 && minute + second > 0 ? undefined : said;
}

const bareNumber = mapPattern(
  either(numeral({ ...hourRange, isWhole: true }), hourWord),
  (hour): SaidHour => ({ hour, minute: 0, isNumber: true }),
);
const hourAfterAt = phrase([word("at"), anyHour], ([, hour]) => plainTime({ hour, minute: 0 }));

/** "noon", "12 noon" */
const twelve = maybe(numeral({ from: 12, to: 12 }));
const noon = phrase([twelve, word("noon")], () => 12);
const midnight = phrase([twelve, word("midnight")], () => 24);

const namedHour = either(
  mapPattern(noon, (hour): SaidHour => ({ hour, minute: 0, isWord: true })),
  mapPattern(midnight, (hour): SaidHour => ({ hour, minute: 0, isWord: true })),
);

/** "8 heures et demie", "8 y media", "8時半", "9 menos diez", "midi moins le quart". */
const plusPart = phrase(
  [
    either<readonly [number, boolean]>(
      mapPattern(either(markedHour, anyHour, lengthHour), (hour) => [hour, false] as const),
      mapPattern(either(noon, midnight), (hour) => [hour, true] as const),
    ),
    either(
      word("hourPlus"),
      phrase(
        [word("plusMinutes"), either(minutes, minuteWord), maybe(word("minuteMark"))],
        ([, minute]) => minute,
      ),
      phrase(
        [word("minusMinutes"), either(minutes, minuteWord), maybe(word("minuteMark"))],
        ([, minute]) => -minute,
      ),
    ),
  ],
  ([[hour, isWord], plus]): SaidHour => ({ ...shifted(hour, plus), isWord }),
);

/** "half past 8", "ten to nine", "Viertel nach acht", "fünf vor halb neun". */
const pastOrTo = phrase(
  [
    either(
      word("pastHour"),
      phrase([either(minutes, minuteWord), maybe(word("minuteMark"))], ([minute]) => minute),
    ),
    either(
      mapPattern(word("past"), () => 1),
      mapPattern(word("to"), () => -1),
    ),
    either(
      phrase([anyHour, maybe(hourMark)], ([hour]): SaidHour => ({ hour, minute: 0 })),
      namedHour,
      phrase([word("ofHour", (part) => part === 30), anyHour], ([, hour]) => shifted(hour, -30)),
    ),
  ],
  ([minute, direction, { hour, minute: half, isWord = false }]): SaidHour => ({
    ...shifted(hour, half + direction * minute, half),
    isWord,
  }),
);

/** "eight thirty", "ocho treinta". */
const inWords = phrase(
  [hourWord, word("count", (count) => Number.isInteger(count) && count >= 10 && count < 60)],
  ([hour, minute]) => withinDay({ hour, minute }),
);

/** "halb 20 Uhr", "viertel neun". */
const ofHour = phrase([word("ofHour"), anyHour, maybe(hourMark)], ([minute, hour]) =>
  shifted(hour, minute - 60),
);

/** An hour before one in the morning is meant as one before one in the afternoon just as often. */
function shifted(hour: number, byMinutes: number, fromMinute = 0): SaidHour {
  const minute = hour * 60 + byMinutes;
  const ofDay = minute < 0 ? minute + 24 * 60 : minute;
  const needsHalf = hour === 1 && byMinutes < 0 && fromMinute <= 0;
  return { hour: Math.floor(ofDay / 60), minute: ofDay % 60, ...(needsHalf && { needsHalf }) };
}

/** Where a time of day is read: parts of the day have their own hours in each language. */
export interface ClockLanguage {
  readonly language: DateLanguage;
  /** Whether "half eight" is 8:30. */
  readonly isBritish: boolean;
  /** Whether 25:00 is the next day's first hour. */
  readonly hasLateHours?: boolean;
}

/** An hour in any of its forms, without a part of the day. */
function hourPattern({ language, isBritish, hasLateHours }: ClockLanguage): DatePattern<SaidHour> {
  const british = isBritish
    ? [phrase([word("halfHour"), anyHour], ([minute, hour]): SaidHour => ({ hour, minute }))]
    : [];
  const late = hasLateHours === true ? [lateDigital] : [];
  // "3.50" alone is a number there.
  const isDotted = language !== "en" && language !== "ja";
  const withDots = isDotted ? dotted : mapPattern(dotted, (time) => ({ ...time, needsDay: true }));
  return either(
    ...late,
    ...(language === "en" || language === "es" ? [inWords] : []),
    digital,
    withDots,
    withMark,
    lengthLike,
    bareNumber,
    plusPart,
    pastOrTo,
    ofHour,
    namedHour,
    ...british,
  );
}

/** Every way to name a time of day, with its half or part of the day before or behind the hour: "8pm", "evening at 8". */
export function clockPattern(clock: ClockLanguage): DatePattern<ClockTime> {
  const { parts } = dateWords[clock.language];
  const said = hourPattern(clock);
  const exact = maybe(word("exactly"));
  const at = maybe(word("at"));
  const between = maybe(either<unknown>(word("at"), word("of"), word("filler"), sign(",")));
  const plain = phrase([exact, said, exact], ([, hour]) => plainTime(hour));
  return either(
    plain,
    hourAfterAt,
    phrase([word("at"), plain], ([, time]) =>
      time.isNumber === true ? undefined : { ...time, needsDay: false },
    ),
    phrase([at, exact, said, word("meridiem"), exact], ([, , hour, half]) => inHalf(hour, half)),
    // 午前 and 午後 count from 0 to 11; people disagree about their 12.
    phrase([word("meridiemBefore"), said], ([half, time]) =>
      time.hour === 12 ? undefined : inHalf(time.hour === 0 ? { ...time, hour: 12 } : time, half),
    ),
    phrase(
      [at, exact, said, exact, maybe(sign(",")), word("part"), exact],
      ([, , hour, , , part]) => inPart(hour, parts[part]),
    ),
    phrase([word("part"), between, exact, said, exact], ([part, , , hour]) =>
      afterPart(hour, parts[part]),
    ),
    mapPattern(word("part"), (part) => aloneAt(parts[part])),
  );
}

/** The hour of a day whose part was named beside it: "tonight at 8". */
export function clockInPart(
  time: ClockTime | undefined,
  part: PartHours | undefined,
): ClockTime | undefined {
  if (time === undefined) return aloneAt(part);
  if (time.isNight !== true) return afterPart(time, part);
  const endsAtMidnight = part !== undefined && (part[0] > part[1] || part[1] >= 22);
  return endsAtMidnight ? time : undefined;
}

/** "Friday night at 2" may be meant of Saturday; "Freitag 2 Uhr nachts" is of Friday. */
function afterPart(said: SaidHour, part: PartHours | undefined): ClockTime | undefined {
  const time = inPart(said, part);
  if (time === undefined || part === undefined) return undefined;
  const [from, to] = part;
  return from > to && time.hour <= to ? { ...time, isNight: true } : time;
}

function aloneAt(part: PartHours | undefined): ClockTime | undefined {
  const hour = part?.[2];
  if (hour === undefined) return undefined;
  return { hour, minute: 0, second: 0, isHalf: true, needsDay: true, isPart: true };
}

function plainTime({ hour, minute, second = 0, ...said }: SaidHour): ClockTime | undefined {
  if (said.needsHalf === true) return undefined;
  return {
    hour,
    minute,
    second,
    isNight: said.isWord === true && hour === 24,
    isHalf: said.isWord === true,
    isNumber: said.isNumber === true,
    needsDay: said.needsDay === true,
  };
}

/** Twelve hours, of which 12 is the first. */
function inHalf({ hour, minute, second = 0, ...said }: SaidHour, half: 0 | 12) {
  if (said.isWord === true || hour > 12) return undefined;
  if (hour === 0 && minute === 0) return undefined;
  return { hour: (hour % 12) + half, minute, second, isHalf: true } satisfies ClockTime;
}

/** The hour of this name in the part of the day; undefined when it has none: "13h du matin". */
function inPart(said: SaidHour, part: PartHours | undefined): ClockTime | undefined {
  if (part === undefined || said.isWord === true) return undefined;
  const { hour, minute, second = 0 } = said;
  const [from, to] = part;
  const isIn = (one: number) => (from <= to ? one >= from && one <= to : one >= from || one <= to);
  const choices = hour <= 12 && said.isHalf !== true ? [hour % 12, (hour % 12) + 12] : [hour];
  const isMidnight = hour === 24 || hour === 0 || (hour === 12 && said.isHalf !== true);
  if (from > to && isMidnight) return { hour: 24, minute, second, isHalf: true, isNight: true };
  const [found, ...more] = choices.filter(isIn);
  if (found === undefined || more.length > 0) return undefined;
  return { hour: found, minute, second, isHalf: true };
}
