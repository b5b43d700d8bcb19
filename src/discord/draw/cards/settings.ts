import type { MessageKey } from "../../../language/index.ts";
import type { Playlist } from "../../../video/index.ts";
import type { Field } from "../reply.ts";
import { cut, fitted, formatted, join, type Text } from "../text.ts";
import type { Words } from "../words.ts";
import { present } from "./fields.ts";

/** One setting of a resource: what it is called, and what it is, in words; undefined while it is not set. */
export type Setting<T> = readonly [name: MessageKey, said: (thing: T) => Text | undefined];

export interface BeforeAndAfter<T> {
  readonly before: T;
  readonly after: T;
}

/** Everything that is set. */
export function settingFields<T>(words: Words, settings: readonly Setting<T>[], thing: T): Field[] {
  return present(
    words,
    settings.map(([name, said]) => [name, said(thing)] as const),
  );
}

/** What an edit changed, and nothing else: `Standard license → Creative Commons`. */
export function changedFields<T>(
  words: Words,
  settings: readonly Setting<T>[],
  { before, after }: BeforeAndAfter<T>,
): Field[] {
  return settings.flatMap(([name, said]) => {
    const [was, is] = [said(before) ?? "", said(after) ?? ""];
    if (formatted(was) === formatted(is)) return [];
    return [{ name: words.say(name), value: describeChange(words, was, is) }];
  });
}

/** An embed's field takes 1,024 characters, of which each side has its half. */
const longestSide = 420;

type Localizations = Playlist["localizations"];

/** The same of titles and descriptions in other languages, each language by itself. */
export function changedTranslations(
  words: Words,
  { before = {}, after = {} }: { readonly before: Localizations; readonly after: Localizations },
): Field[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((code) => {
    const [was, is] = [before[code], after[code]].map(({ title = "", description = "" } = {}) =>
      `${title}\n${description}`.trim(),
    ) as [string, string];
    return was === is
      ? []
      : [{ name: words.language(code), value: describeChange(words, was, is) }];
  });
}

/** In which languages there are some; undefined where there is none. */
export function translatedInto(words: Words, localizations: Localizations): string | undefined {
  const codes = Object.keys(localizations ?? {});
  return codes.length === 0 ? undefined : words.list(codes.map((code) => words.language(code)));
}

/** `before → after`, for whoever knows the two in words. */
export function describeChange(words: Words, was: Text, is: Text): Text {
  const unset = words.say("common.not_set");
  const start = typeof was === "string" && typeof is === "string" ? firstShown(was, is) : 0;
  const [before, after] = [was, is].map((side) => sideOf(side, start) ?? unset) as [Text, Text];
  const isLong = formatted(before).length + formatted(after).length > 80;
  return join([before, after], isLong ? "\n→ " : " → ");
}

function sideOf(side: Text, start: number): Text | undefined {
  if (typeof side !== "string") return side.markup === "" ? undefined : side;
  if (side === "") return undefined;
  const text = start === 0 ? side : `…${side.slice(start)}`;
  return { markup: fitted(cut(text, longestSide), longestSide + 60) };
}

/** Long texts begin shortly before the first letter that differs, so that the difference is seen. */
function firstShown(one: string, other: string): number {
  if (one === "" || other === "" || Math.max(one.length, other.length) <= longestSide) return 0;
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  const start = one.lastIndexOf(" ", Math.max(0, same - 40)) + 1;
  return same <= 200 ? 0 : start;
}
