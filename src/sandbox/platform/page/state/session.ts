import type { PersonName } from "../../../types.ts";
import { isLocale, type Locale } from "../../locales.ts";

// A sandbox that was started anew has forgotten what a person set; their open page has not.
const keyOf = (person: PersonName): string => `locale:${person}`;

export function rememberLocale(person: PersonName, locale: Locale): void {
  sessionStorage.setItem(keyOf(person), locale);
}

/** The language this person set on this page; undefined when they never did. */
export function rememberedLocale(person: PersonName): Locale | undefined {
  const kept = sessionStorage.getItem(keyOf(person));
  return isLocale(kept) ? kept : undefined;
}
