import de from "./date-words/de.json" with { type: "json" };
import en from "./date-words/en.json" with { type: "json" };
import es from "./date-words/es.json" with { type: "json" };
import fr from "./date-words/fr.json" with { type: "json" };
import ja from "./date-words/ja.json" with { type: "json" };
import shared from "./date-words/shared.json" with { type: "json" };

/** Which hours a part of the day has: the first, the last (the night goes past midnight), and the one it means by itself. */
export type PartHours = readonly [from: number, to: number, alone?: number];

/** What a word can mean. A word may have several meanings; a text is understood when only one of its readings is complete. */
export interface WordValues {
  /** Says nothing: "on". */
  readonly filler: 1;
  /** Says nothing either, but a bare number after it is an hour: "at", "um". */
  readonly at: 1;
  /** A bare number after it may be a day of the month: "le", "am". */
  readonly article: 1;
  /** Only before a week, month or year. */
  readonly stepArticle: 1;
  readonly of: 1;
  readonly and: 1;
  /** Days from today. */
  readonly day: number;
  /** Days from today and a part of the day, `0 night`. */
  readonly dayPart: string;
  readonly now: 1;
  readonly weekday: number;
  /** A weekday only in brackets. */
  readonly shortWeekday: number;
  readonly month: number;
  /** The first day of a month, and other days in words. */
  readonly ordinal: number;
  /** Behind the number of a day: "th". */
  readonly ordinalMark: 1;
  /** The year before the first one of an era. */
  readonly era: number;
  readonly yearMark: 1;
  readonly monthMark: 1;
  readonly dayMark: 1;
  /** Beside a weekday or unit: `this`, `coming`, `next` (of the next week), `after` (of the week after), `last`. */
  readonly which: WhichDay;
  /** One word for a unit from now: `1 w` is next week. */
  readonly step: string;
  /** After a weekday: so many weeks after the coming one. */
  readonly weeksLater: number;
  readonly unit: LengthUnit;
  readonly count: number;
  /** Minutes: "quarter of an hour". */
  readonly length: number;
  /** Sixtieths of the unit before it: "and a half". */
  readonly unitPlus: number;
  readonly ahead: 1;
  readonly later: 1;
  readonly agoBefore: 1;
  readonly agoBehind: 1;
  /** Between a length and the day it begins at: "2 days after tomorrow". */
  readonly after: 1;
  readonly hourMark: 1;
  /** The same, but of a length too: "2 h" alone may be either. */
  readonly lengthMark: 1;
  /** The same, of hours past midnight too: 25時. */
  readonly lateHourMark: 1;
  readonly minuteMark: 1;
  readonly secondMark: 1;
  /** Minutes after the hour before it: "et demie". */
  readonly hourPlus: number;
  readonly plusMinutes: 1;
  readonly minusMinutes: 1;
  /** Minutes before the word for past or to: "half", "quarter". */
  readonly pastHour: number;
  readonly past: 1;
  readonly to: 1;
  /** Minutes of the hour that ends with the hour after it: "halb acht" is 7:30. */
  readonly ofHour: number;
  /** The British "half eight", 8:30. */
  readonly halfHour: number;
  readonly noon: 1;
  readonly midnight: 1;
  readonly exactly: 1;
  readonly meridiem: 0 | 12;
  /** In front of the hour: 午後. */
  readonly meridiemBefore: 0 | 12;
  readonly part: string;
  /** A part of the day only directly after a day: "Freitag morgen". */
  readonly partAfterDay: string;
  /** A zone; with an offset, only while its clocks have that: "PST" is not said of the summer. */
  readonly zone: string;
  /** Two letters, which are a word of another language. */
  readonly shortZone: string;
  readonly zoneWord: 1;
  /** No part of any date, because it may mean two things: "so um" is "about" or "on Sunday at". */
  readonly unclear: 1;
  /** In front of two times of day, between them, and behind them. */
  readonly from: 1;
  readonly until: 1;
  readonly rangeEnd: 1;
}

export type WhichDay = "this" | "coming" | "next" | "after" | "last";
export type LengthUnit = "ms" | "s" | "min" | "h" | "d" | "w" | "fortnight" | "mo" | "y";
export type WordKind = keyof WordValues;
export type DateLanguage = "en" | "de" | "es" | "fr" | "ja";

/** Words by what they mean, and by value where the meaning has one; commas between them. Accents, capitals and hyphens don't matter. */
export interface DateWords {
  readonly words: {
    readonly [K in WordKind]?: WordValues[K] extends 1 ? string : Readonly<Record<string, string>>;
  };
  readonly parts: Readonly<Record<string, PartHours>>;
  /** A regular expression of two words that are written as one: "Freitagabend". */
  readonly compounds?: string;
}

/** What is written in every language. */
export const sharedDateWords: DateWords["words"] = shared;

// Of JSON, TypeScript knows neither pairs nor which names are there; a test looks at both.
export const dateWords = { en, de, es, fr, ja } as unknown as Readonly<
  Record<DateLanguage, DateWords>
>;
