import { priceOf } from "../../background/index.ts";
import { action, type Button, type Words } from "../../discord/index.ts";
import { type BotError, InputError } from "../../errors.ts";
import { compact } from "../compact.ts";
import type { Outcome } from "./batch.ts";
import { cutOut, type Order } from "./cut-out.ts";
import type { Given } from "./wishes.ts";

interface Again {
  readonly all: readonly Given[];
  readonly order: Order;
}

const paid = {
  by: "requester",
  isOnce: true,
  needs: ["background-key"],
  wants: ["channel"],
} as const;

/** The very same once more, on somebody's wish alone. */
const again = action<Again>({
  ...paid,
  name: "background.again",
  answer: "public",
  run: (ctx, { all, order }) => cutOut(ctx, all, order),
});

/** The same of what was for one person alone. */
const againPrivately = action<Again>({
  ...paid,
  name: "background.again-privately",
  answer: "private",
  run: (ctx, { all, order }) => cutOut(ctx, all, order),
});

export const againActions = [again, againPrivately] as const;

/** A picture that was refused is refused again; what failed on the way may work. */
const worthwhile: ReadonlySet<BotError["kind"]> = new Set(["service", "network", "limit"]);

/** What is wrong with the very picture, or with what was asked, comes back however often it is paid for. */
function mayWork({ kind, code, facts, cause }: BotError): boolean {
  if (!worthwhile.has(kind) || cause instanceof InputError) return false;
  return code !== "picture_worker" || (facts.end !== "memory" && facts.end !== "time");
}

/**
 * Ways to try failed pictures again: those that cost nothing together, and apart from them those that may be charged
 * twice.
 */
export function againButtons(
  outcomes: readonly Outcome[],
  order: Order,
  words: Words,
): readonly Button[] {
  const failed = outcomes.flatMap((one) => (one.state === "failed" ? [one] : []));
  const hopeful = failed.filter(({ error }) => mayWork(error));
  const free = hopeful.filter(({ error }) => error.outcome === "nothing");
  const risky = hopeful.filter(({ error }) => error.outcome !== "nothing");
  const untouched = outcomes.filter(({ state }) => state === "untouched");
  const isSingle = outcomes.length === 1;
  const button = order.isPrivate === true ? againPrivately : again;
  const press = (some: readonly Outcome[]) =>
    button.press({ all: some.map(({ given }) => given), order });
  const left = [...free, ...untouched];
  return compact([
    left.length > 0 && {
      label: isSingle
        ? words.say("background.again.one")
        : words.say("background.again.several", { count: left.length }),
      press: press(left),
    },
    risky.length > 0 && {
      label: words.say("background.again.risky", {
        count: risky.length,
        credits: risky.length * priceOf(order.wishes.size),
      }),
      press: press(risky),
    },
  ]);
}
