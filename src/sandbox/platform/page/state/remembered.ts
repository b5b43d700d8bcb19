import type { PersonName } from "../../../types.ts";
import { isLocale, type Locale } from "../../locales.ts";
import type { Reading } from "./reading.ts";

// A sandbox that was started anew has forgotten what a person set; their open page has not.
const keyOf = (person: PersonName): string => `locale:${person}`;

export function rememberLocale(person: PersonName, locale: Locale): void {
  sessionStorage.setItem(keyOf(person), locale);
}

const readingKeyOf = (person: PersonName): string => `reading:${person}`;

export function rememberReading(person: PersonName, reading: Reading): void {
  sessionStorage.setItem(readingKeyOf(person), JSON.stringify(reading));
}

/** How far this person had read on this page; nowhere when they never came. */
export function rememberedReading(person: PersonName): Reading {
  try {
    return JSON.parse(sessionStorage.getItem(readingKeyOf(person)) ?? "{}") as Reading;
  } catch {
    return {};
  }
}

/** The language this person set on this page; undefined when they never did. */
export function rememberedLocale(person: PersonName): Locale | undefined {
  const kept = sessionStorage.getItem(keyOf(person));
  return isLocale(kept) ? kept : undefined;
}
