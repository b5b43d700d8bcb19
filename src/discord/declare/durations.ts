import { dayMs } from "../../clock.ts";
import { InputError } from "../../errors.ts";
import { typedText } from "../draw/text.ts";
import { dateTokens, normalDateText } from "./date-tokens.ts";
import { type DateLanguage, dateWords } from "./date-words.ts";
import { lengthPattern } from "./lengths.ts";
import { longestTexts } from "./text-limits.ts";

const languages = Object.keys(dateWords) as readonly DateLanguage[];

/** Reads milliseconds of a length as people write it, in all our languages. @throws InputError `duration_unreadable` */
export async function readDuration(text: string, option: string): Promise<number> {
  const ms = text.length > longestTexts.phrase ? undefined : durationIn(normalDateText(text));
  if (ms !== undefined) return ms;
  throw new InputError(`option ${option} is not a length of time`, {
    code: "duration_unreadable",
    facts: { option, given: typedText(text) },
  });
}

function durationIn(text: string): number | undefined {
  const clock = /^(?:(\d{1,4}):)?(\d{1,4}):([0-5]\d)$/u.exec(text);
  if (clock !== null) {
    const [, hours = "0", minutes = "0", seconds = "0"] = clock;
    if (clock[1] !== undefined && Number(minutes) > 59) return undefined;
    return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  }
  if (/^\d{1,9}(?:[.,]\d{1,2})?$/u.test(text)) {
    return Math.round(Number(text.replace(",", ".")) * 1000);
  }
  // Every way to understand the whole text; months and years have no fixed length.
  const lengths = languages.flatMap((language) => {
    const tokens = dateTokens(text, language);
    return lengthPattern(tokens, 0)
      .filter(({ value, end }) => end === tokens.length && value.months === 0)
      .map(({ value: { days, ms } }) => days * dayMs + ms);
  });
  const [ms, ...others] = new Set(lengths);
  return others.length > 0 || !Number.isSafeInteger(ms) ? undefined : ms;
}
