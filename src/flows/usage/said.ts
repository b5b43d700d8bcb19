import { type Spendable, spendable } from "../../budget/index.ts";
import type { Words } from "../../discord/index.ts";
import type { Sum } from "./sums.ts";

/** `51 units, 3 searches and 0.25 credits` */
export function said(sum: Sum, words: Words): string {
  const parts = spendable
    .filter((kind) => sum[kind] > 0)
    .map((kind) => amount(kind, sum[kind], words));
  return parts.length === 0 ? words.say("usage.nothing") : words.list(parts);
}

export function amount(bucket: Spendable, count: number, words: Words): string {
  return words.say("usage.amount", { bucket, count });
}
