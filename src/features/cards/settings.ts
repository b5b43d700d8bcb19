import {
  type CardField,
  cut,
  fitted,
  formatted,
  join,
  type Text,
  type Words,
} from "../../discord/index.ts";
import type { MessageKey } from "../../language/index.ts";
import type { Playlist } from "../../video/index.ts";
import { presentFields } from "./fields.ts";

/** One setting of a resource: its name, and its value in words, undefined while it is not set. */
export type Setting<T> = readonly [name: MessageKey, describe: (resource: T) => Text | undefined];

export interface BeforeAndAfter<T> {
  readonly before: T;
  readonly after: T;
}

/** Everything that is set. */
export function settingFields<T>(
  words: Words,
  settings: readonly Setting<T>[],
  resource: T,
): CardField[] {
  const rows = settings.map(([name, describe]) => [name, describe(resource)] as const);
  return presentFields(words, rows);
}

/** What an edit changed, and nothing else: `Standard license → Creative Commons`. */
export function changedFields<T>(
  words: Words,
  settings: readonly Setting<T>[],
  { before, after }: BeforeAndAfter<T>,
): CardField[] {
  return settings.flatMap(([name, describe]) => {
    const [was, is] = [describe(before) ?? "", describe(after) ?? ""];
    if (formatted(was) === formatted(is)) return [];
    return [{ name: words.say(name), value: describeChange(words, was, is) }];
  });
}

/** An embed's field has 1,024 characters for both sides and their formatting. */
const longestSide = 420;

type ShownLocalizations = Playlist["localizations"];

/** The same for titles and descriptions in other languages, one field for each language. */
export function changedTranslations(
  words: Words,
  {
    before = {},
    after = {},
  }: { readonly before: ShownLocalizations; readonly after: ShownLocalizations },
): CardField[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((code) => {
    const [was, is] = [before[code], after[code]].map(({ title = "", description = "" } = {}) =>
      `${title}\n${description}`.trim(),
    ) as [string, string];
    return was === is
      ? []
      : [{ name: words.language(code), value: describeChange(words, was, is) }];
  });
}

/** The languages that have translations; undefined if there are none. */
export function translationLanguages(
  words: Words,
  localizations: ShownLocalizations,
): string | undefined {
  const codes = Object.keys(localizations ?? {});
  return codes.length === 0 ? undefined : words.list(codes.map((code) => words.language(code)));
}

/** `before → after`, of two values in words. */
export function describeChange(words: Words, was: Text, is: Text): Text {
  const unset = words.say("common.not_set");
  const start = typeof was === "string" && typeof is === "string" ? firstShown(was, is) : 0;
  const [before, after] = [was, is].map((side) => {
    if (typeof side !== "string") return side.markup === "" ? unset : side;
    if (side === "") return unset;
    const text = start === 0 ? side : `…${side.slice(start)}`;
    return { markup: fitted(cut(text, longestSide), longestSide + 60) };
  }) as [Text, Text];
  const isLong = formatted(before).length + formatted(after).length > 80;
  return join([before, after], isLong ? "\n→ " : " → ");
}

/** Long texts are shown from shortly before the first difference, so that it can be seen. */
function firstShown(one: string, other: string): number {
  if (one === "" || other === "" || Math.max(one.length, other.length) <= longestSide) return 0;
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  const start = one.lastIndexOf(" ", Math.max(0, same - 40)) + 1;
  return same <= 200 ? 0 : start;
}
