import { type DiscordLocale, isLocale } from "../../../locales.ts";
import type { PersonName } from "../../../types.ts";

// After a restart the sandbox has forgotten what a person set; their open page still has it.
const localeKey = (person: PersonName): string => `locale:${person}`;
const doneKey = (person: PersonName): string => `done:${person}`;

export function rememberLocale(person: PersonName, locale: DiscordLocale): void {
  sessionStorage.setItem(localeKey(person), locale);
}

/** The language this person set on this page; undefined when they never did. */
export function rememberedLocale(person: PersonName): DiscordLocale | undefined {
  const stored = sessionStorage.getItem(localeKey(person));
  return isLocale(stored) ? stored : undefined;
}

export function rememberDone(person: PersonName, done: readonly string[]): void {
  localStorage.setItem(doneKey(person), JSON.stringify(done));
}

/** What this person has tried of the welcome's suggestions in this browser. */
export function rememberedDone(person: PersonName): readonly string[] {
  try {
    return JSON.parse(localStorage.getItem(doneKey(person)) ?? "");
  } catch {
    return [];
  }
}
