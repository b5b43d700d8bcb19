import { timeZoneNamed } from "../../language/index.ts";
import type { DateOrder } from "./calendar-dates.ts";
import { type ClockLanguage, type ClockTime, clockInPart, clockPattern } from "./clock-times.ts";
import {
  type DatePattern,
  either,
  inOrder,
  mapPattern,
  maybe,
  numeral,
  type PatternMatch,
  phrase,
  sign,
  word,
} from "./date-patterns.ts";
import { type DateToken, dateTokens } from "./date-tokens.ts";
import { dateWords } from "./date-words.ts";
import { type DayFound, dayPattern, type NamedDay } from "./days.ts";
import { offsetAt } from "./wall-clock.ts";

/** A text that is understood as a whole: a day, a time of day, or both. */
export interface DateText {
  readonly day?: NamedDay;
  readonly time?: ClockTime;
  /** IANA name or offset, when the text names one. */
  readonly timeZone?: string;
}

export type DateGrammar = ClockLanguage & DateOrder;

interface DateParts {
  readonly day?: DayFound;
  readonly time?: ClockTime;
  readonly timeZone?: string;
  readonly isTimeFirst?: boolean;
}

/** Signs and words that may stand between the parts, and say nothing. */
const separator = either<unknown>(word("exactly"), sign(",、。"));
/** The same, before what they belong to: "on", "the". Japanese has them behind it. */
const leading = either<unknown>(word("filler"), word("article"));

const minutesOfOffset = phrase(
  [sign(":"), numeral({ from: 0, to: 59, digits: [2], isGlued: true })],
  ([, count]) => count,
);
const offset = phrase(
  [
    sign("+-"),
    either<readonly [number, number]>(
      inOrder(
        numeral({ from: 0, to: 14, digits: [1, 2], isGlued: true }),
        mapPattern(maybe(minutesOfOffset), (count) => count ?? 0),
      ),
      mapPattern(numeral({ from: 0, to: 1400, digits: [4], isGlued: true }), (both) => [
        ...([Math.floor(both / 100), both % 100] as const),
      ]),
    ),
  ],
  ([{ text }, [hours, minutes]]) =>
    minutes > 59 ? undefined : `${text}${padded(hours)}:${padded(minutes)}`,
);

function padded(count: number): string {
  return `${count}`.padStart(2, "0");
}

/** `America/Argentina/Buenos_Aires` has seven. */
const mostZoneTokens = 8;
/** Not taken as zones: they differ in summer, and some mean several zones. The table of words has those that are certain. */
const abbreviation = /^(?:[a-z]{2,4}t|hne|hae|hec|hnec|haec|wez|wesz)$/u;
/** Places whose names are said of other things more often. */
const ordinaryNames = new Set(
  "bath batman christmas essen independence male mobile navidad nice orange sale split surprise tours".split(
    " ",
  ),
);

const seasons = {
  winter: /standard|normal|estandar|標準時/u,
  summer: /daylight|summer|sommer|ete\b|verano|夏時間/u,
};
const seasonOffsets = { winter: Math.min, summer: Math.max };

/** "Eastern Standard Time" is not said of the summer: the zone, with the offset that its clocks need to have. */
function inSeason(timeZone: string, name: string): string {
  const season = (["winter", "summer"] as const).find((each) => seasons[each].test(name));
  // Irish Standard Time is that of the summer.
  if (season === undefined || timeZone === "Europe/Dublin" || !timeZone.includes("/"))
    return timeZone;
  const [january, july] = [Date.UTC(2026, 0), Date.UTC(2026, 6)];
  const ahead = seasonOffsets[season](offsetAt(january, timeZone), offsetAt(july, timeZone));
  const away = Math.abs(ahead);
  return `${timeZone} ${ahead < 0 ? "-" : "+"}${padded(Math.floor(away / 60))}:${padded(away % 60)}`;
}

/** A place or a zone by its name: "London", "Europe/Paris". One of its words at least is nothing else. */
function placeName(tokens: readonly DateToken[], at: number): readonly PatternMatch<string>[] {
  const found: PatternMatch<string>[] = [];
  let name = "";
  let isName = false;
  for (const [index, token] of tokens.slice(at, at + mostZoneTokens).entries()) {
    if (token.number !== undefined) break;
    name += token.isGlued || name === "" ? token.text : ` ${token.text}`;
    isName ||= token.meanings.length === 0 && /\p{L}/u.test(token.text);
    if (!isName || abbreviation.test(name) || ordinaryNames.has(name)) continue;
    const timeZone = timeZoneNamed(name);
    if (timeZone !== undefined)
      found.push({ value: inSeason(timeZone, name), end: at + index + 1 });
  }
  return found;
}

/** A zone, with "time" or "in" beside it, or in brackets. */
function zonePattern({ isEnglish }: DateOrder): DatePattern<string> {
  const name = either(word("zone"), placeName, ...(isEnglish ? [word("shortZone")] : []));
  const utc = word("zone", (zone) => zone === "UTC");
  const bare = either(
    phrase([maybe(word("zoneWord")), name, maybe(word("zoneWord"))], ([, zone]) => zone),
    phrase([utc, offset], ([, ahead]) => ahead),
  );
  return either(
    bare,
    phrase([sign("("), bare, sign(")")], ([, zone]) => zone),
    // `20:00+02:00`; a minus could be a range.
    mapPattern(offset, (ahead) => (ahead.startsWith("+") ? ahead : undefined)),
  );
}

/** Every way to understand the whole text. */
export function dateTextsIn(text: string, grammar: DateGrammar): readonly DateText[] {
  const tokens = dateTokens(text, grammar.language);
  const day = dayPattern(grammar);
  const time = clockPattern(grammar);
  const zone = zonePattern(grammar);
  const found: DateText[] = [];
  readFrom(0, {});
  return found;

  function readFrom(at: number, parts: DateParts): void {
    if (at === tokens.length) {
      const whole = readWhole(parts, grammar);
      if (whole !== undefined) found.push(whole);
      return;
    }
    // Once, whatever the word means: two readings of each of twenty words would be a million.
    if (maySkip(at)) readFrom(at + 1, parts);
    if (parts.day === undefined) {
      for (const { value, end } of day(tokens, at)) readFrom(end, { ...parts, day: value });
    }
    // "Am 20.12" names no hour.
    const isDotted = tokens[at]?.number !== undefined && tokens[at + 1]?.text === ".";
    const isDateOnly = isDotted && word("article")(tokens, at - 1).length > 0;
    if (parts.time === undefined && !isDateOnly) {
      for (const { value, end } of time(tokens, at)) {
        readFrom(end, { ...parts, time: value, isTimeFirst: parts.day === undefined });
      }
    }
    // A zone belongs to the time before it; Japanese has it in front too.
    if (parts.timeZone === undefined && (parts.time !== undefined || grammar.language === "ja")) {
      for (const { value, end } of zone(tokens, at)) readFrom(end, { ...parts, timeZone: value });
    }
  }

  function maySkip(at: number): boolean {
    if (separator(tokens, at).length > 0) return true;
    const isLast = at + 1 === tokens.length;
    return (!isLast || grammar.language === "ja") && leading(tokens, at).length > 0;
  }
}

function readWhole(parts: DateParts, { language }: DateGrammar): DateText | undefined {
  const { day: found, time: said, timeZone } = parts;
  if (found === undefined && said === undefined) return undefined;
  if (found?.isMonth === true && said !== undefined) return undefined;
  if (timeZone !== undefined && said === undefined) return undefined;
  const isRomance = language === "fr" || language === "es";
  if (found?.isWeekdayNumber === true && said === undefined && !isRomance) return undefined;
  const { day, part } = found ?? {};
  if (part === undefined && said !== undefined && !isHour(said, parts)) return undefined;
  const time = part === undefined ? said : clockInPart(said, dateWords[language].parts[part]);
  if (part !== undefined && time === undefined) return undefined;
  return {
    ...(day !== undefined && { day }),
    ...(time !== undefined && { time }),
    ...(timeZone !== undefined && { timeZone }),
  };
}

/** A bare number is an hour only behind a date or a day: "tomorrow 8", "24 December 20". */
function isHour(time: ClockTime, { day, isTimeFirst }: DateParts): boolean {
  const { isNumber, needsDay, hour } = time;
  if (needsDay === true) return day !== undefined;
  if (isNumber !== true) return true;
  return isTimeFirst !== true && day?.takesNumber === true && hour < 24;
}
