import type { Spendable } from "../../budget/index.ts";
import { type Ctx, type Field, join, type Text, time, type Words } from "../../discord/index.ts";

const kinds = ["video-key", "channel"] as const;
const buckets = ["units", "searches", "uploads"] as const satisfies readonly Spendable[];

type Left = NonNullable<Awaited<ReturnType<Ctx<unknown>["left"]>>>;

/** Of each project that calls are charged to what is left today; a count that can't be had hides nothing else. */
export async function projectFields(ctx: Ctx<unknown>): Promise<readonly Field[]> {
  const fields = kinds
    .filter((kind) => ctx.has(kind))
    .map(async (kind): Promise<Field> => {
      const name = ctx.words.say("usage.project", { kind: kind.replace("-", "_") });
      return { name, value: await leftOf(ctx, kind), inline: true };
    });
  return Promise.all(fields);
}

async function leftOf(ctx: Ctx<unknown>, kind: (typeof kinds)[number]): Promise<Text> {
  const { words } = ctx;
  try {
    const left = await ctx.left(kind);
    if (left === undefined) return words.say("usage.untold");
    return join(linesOf(left, words), "\n");
  } catch (error) {
    ctx.log.warn("what is left was not told", { error });
    return words.say("usage.untold");
  }
}

function linesOf(left: Left, words: Words): readonly Text[] {
  const { reserved, resetsAt } = left.units;
  return [
    ...buckets.map((bucket) => {
      const { left: count, limit } = left[bucket];
      return words.say("usage.left", { bucket, left: count, limit });
    }),
    ...(reserved > 0 ? [words.say("usage.reserved", { count: reserved })] : []),
    ...buckets.flatMap((bucket) => {
      const { share } = left[bucket];
      if (share === undefined) return [];
      return [words.say("usage.share", { bucket, left: share.left, limit: share.limit })];
    }),
    words.md("usage.resets", { relative: time(resetsAt), moment: time(resetsAt, "t") }),
  ];
}
