import { InputError } from "../../errors.ts";
import { typedText } from "../draw/text.ts";
import { type DateSide, type MomentReading, momentMeant } from "./date-moments.ts";
import { type DateGrammar, type DateText, dateTextsIn } from "./date-reading.ts";
import { normalDateText } from "./date-tokens.ts";
import { longestTexts } from "./text-limits.ts";
import type { LocalTime } from "./wall-clock.ts";

interface DateReading extends LocalTime {
  readonly option: string;
  readonly must?: "future" | "past" | undefined;
}

/**
 * Reads a moment as people write it in their language; in the server's time zone unless the text names one.
 * @throws InputError `date_unreadable`, `date_weekday`, `date_past`, `date_future`
 */
export async function readDate(text: string, reading: DateReading): Promise<Date> {
  const { option, must, now, timeZone } = reading;
  // What takes any moment looks back: nothing on YouTube is from the future.
  const side = must === "future" ? "ahead" : "behind";
  const date = dateIn(text, { ...reading, side });
  if (date === undefined) {
    const facts = { option, timeZone, given: typedText(text) };
    const day = dayOfOtherWeekday(text, { ...reading, side });
    const code = day === undefined ? "date_unreadable" : "date_weekday";
    throw new InputError(`option ${option} is not a date`, {
      code,
      facts: day === undefined ? facts : { ...facts, day },
    });
  }
  if (must === "future" && date.getTime() <= now) throw wrongSide(text, date, reading);
  if (must === "past" && date.getTime() > now) throw wrongSide(text, date, reading);
  return date;
}

/** Undefined unless the whole text is understood, and in one way only. */
export function dateIn(
  text: string,
  reading: LocalTime & { readonly side: DateSide },
): Date | undefined {
  if (text.length > longestTexts.phrase) return undefined;
  const exact = exactMoment(normalDateText(text));
  return exact ?? onlyMoment(readAllWays(text, reading.tag), reading);
}

/** Every way to understand the text in the first language that it is understood in. */
function readAllWays(text: string, tag: string): readonly DateText[] {
  const spaced = normalDateText(text).replace(/^(\d{4}-\d\d-\d\d)t(\d)/u, "$1 $2");
  for (const grammar of grammarsFor(tag)) {
    const texts = dateTextsIn(spaced, grammar);
    if (texts.length > 0) return texts;
  }
  return [];
}

/** A reading that contradicts itself isn't meant if another one makes sense. */
function onlyMoment(texts: readonly DateText[], reading: MomentReading): Date | undefined {
  const moments = texts.map((one) => momentMeant(one, reading));
  const [moment, ...others] = new Set(moments.filter((at) => at !== undefined));
  return moment === undefined || others.length > 0 ? undefined : new Date(moment);
}

/** For "Friday 11 June" in a year where that is a Thursday: the day in full, with its right weekday. */
function dayOfOtherWeekday(
  text: string,
  reading: LocalTime & { readonly side: DateSide },
): string | undefined {
  if (text.length > longestTexts.phrase) return undefined;
  const texts = readAllWays(text, reading.tag).flatMap((one) => {
    if (one.day?.is !== "date" && one.day?.is !== "day") return [];
    const { weekday, ...day } = one.day;
    return weekday === undefined ? [] : [{ ...one, day }];
  });
  const meant = onlyMoment(texts, reading);
  if (meant === undefined) return undefined;
  const { tag, timeZone: own } = reading;
  const timeZone = texts[0]?.timeZone?.split(" ")[0] ?? own;
  return new Intl.DateTimeFormat(tag, { dateStyle: "full", timeZone }).format(meant);
}

/** Discord's own time mark, or a moment in ISO 8601 with its offset. */
function exactMoment(text: string): Date | undefined {
  const seconds = /^<t:(\d{1,11})(?::[a-z])?>$/u.exec(text)?.[1] ?? /^1\d{9}$/u.exec(text)?.[0];
  if (seconds !== undefined) return new Date(Number(seconds) * 1000);
  const iso =
    /^(\d{4}-\d\d-\d\d)[ t](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(z|[+-]\d\d(?::?\d\d)?)$/u.exec(
      text,
    );
  if (iso === null) return undefined;
  const [, day = "", time = "", zone = ""] = iso;
  const utc = new Date(`${day}T${time}Z`);
  // Date counts on from a day that the month does not have.
  if (Number.isNaN(utc.getTime()) || !utc.toISOString().startsWith(day)) return undefined;
  const [, sign, hours = "0", minutes = "0"] = /^([+-])(\d\d):?(\d\d)?$/u.exec(zone) ?? [];
  if (Number(hours) > 14 || Number(minutes) > 59) return undefined;
  const ahead = (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  return new Date(utc.getTime() - ahead * 60_000);
}

const orders = { de: "dmy", es: "dmy", fr: "dmy", ja: "ymd" } as const;

/** The person's language first, then English, which everybody may use, with dates in the order of their own language. */
function grammarsFor(tag: string): readonly DateGrammar[] {
  const language = tag.slice(0, 2) as keyof typeof orders;
  const order = orders[language];
  if (order === undefined) {
    const isBritish = tag === "en-GB";
    return [{ language: "en", order: tag === "en-US" ? "mdy" : "dmy", isEnglish: true, isBritish }];
  }
  const own = { language, order, isEnglish: false, isBritish: false };
  const hasLateHours = language === "ja";
  return [
    { ...own, hasLateHours },
    { ...own, language: "en" },
  ];
}

/** Says how the text was understood: in another time zone than the reader's, it may be another moment than was meant. */
function wrongSide(text: string, date: Date, reading: DateReading): InputError {
  const { option, timeZone, must } = reading;
  const facts = { option, timeZone, given: typedText(text), moment: date.getTime() };
  return new InputError(`option ${option} is not in the ${must}`, {
    code: must === "past" ? "date_future" : "date_past",
    facts,
  });
}
