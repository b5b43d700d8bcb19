import type { Bucket, Left } from "../video/index.ts";
import type { Cost } from "./command.ts";
import type { Reply } from "./reply.ts";
import { join } from "./text.ts";
import type { Words } from "./words.ts";

export const buckets = ["units", "searches", "uploads"] as const satisfies readonly Bucket[];

/** What one interaction has spent so far, by bucket. */
export interface Tally {
  add(cost: Cost): void;
  readonly spent: Readonly<Partial<Record<Bucket, number>>>;
}

export function createTally(): Tally {
  const spent: Partial<Record<Bucket, number>> = {};
  return {
    add: ({ bucket, cost }) => {
      spent[bucket] = (spent[bucket] ?? 0) + cost;
    },
    spent,
  };
}

/** `50 units · 9,350 left today`: each bucket that was touched; undefined when nothing was spent. */
export function spentLine(
  spent: Tally["spent"],
  left: Readonly<Record<Bucket, Left>>,
  words: Words,
): string | undefined {
  const touched = buckets.filter((bucket) => (spent[bucket] ?? 0) > 0);
  if (touched.length === 0) return undefined;
  return touched
    .map((bucket) =>
      words.say("common.spent", {
        bucket,
        count: spent[bucket] ?? 0,
        left: left[bucket].left,
      }),
    )
    .join(" · ");
}

/** The same reply with that line at its foot. */
export function withSpent(reply: Exclude<Reply, { kind: "form" }>, line: string) {
  if (reply.kind === "list") {
    return {
      ...reply,
      footer: reply.footer === undefined ? line : join([reply.footer, line], " · "),
    };
  }
  const footer = reply.footer === undefined ? line : `${reply.footer} · ${line}`;
  return { ...reply, footer };
}

/** `This costs 50 units; 9,350 are left today.` */
export function priceLine(cost: Cost, left: Left, words: Words): string {
  const { bucket, cost: count } = cost;
  return words.say("common.price", { bucket, count, left: left.left });
}
