import {
  type Button,
  type Field,
  named,
  present,
  type Text,
  type Words,
} from "../../../discord/index.ts";
import type { MessageKey } from "../../../language/index.ts";
import type { Video } from "../../../video/index.ts";
import type { CategoryNames } from "../settings.ts";

/** What a page of details is drawn with. */
export interface DetailsFor {
  readonly words: Words;
  readonly categories: CategoryNames;
}

/** One page of details: nothing in it where the service says nothing. */
export interface DrawnDetails {
  readonly text?: Text | undefined;
  readonly fields: readonly Field[];
  readonly image?: string | undefined;
  readonly buttons?: readonly Button[];
}

export type DrawDetails = (video: Video, at: DetailsFor) => DrawnDetails;

export type DetailsRow = readonly [name: MessageKey, value: Text | undefined];

/** A page of nothing but named values. */
export function rowsOf(words: Words, rows: readonly DetailsRow[]): DrawnDetails {
  return { fields: present(words, rows) };
}

/** 1,234,567, of a decimal string or a number; undefined for what is no count. */
export function formatCount(count: string | undefined, words: Words): string | undefined {
  return /^\d+$/u.test(count ?? "") ? words.number(BigInt(count ?? 0)) : undefined;
}

/** 8.1 Mb/s */
export function formatBitrate(bps: string | undefined, words: Words): string | undefined {
  if (!/^\d+$/u.test(bps ?? "")) return undefined;
  const [unit, step] = Number(bps) < 1_000_000 ? ["kilobit", 1000] : ["megabit", 1_000_000];
  const format = new Intl.NumberFormat(words.speech, {
    style: "unit",
    unit: `${unit}-per-second`,
    maximumSignificantDigits: 3,
  });
  return format.format(Number(bps) / Number(step));
}

/** Values of the service by their names, one below the other. */
export function namesOf(
  words: Words,
  group: string,
  values: readonly string[] | undefined,
): string | undefined {
  return values?.map((value) => named(words, group, value)).join("\n");
}
