import { action, type Button, type Words } from "../../discord/index.ts";
import type { BotError } from "../../errors.ts";
import type { Outcome } from "./batch.ts";
import { cutOut } from "./cut-out.ts";
import { type Given, priceOf, type Wishes } from "./wishes.ts";

interface Again {
  readonly all: readonly Given[];
  readonly wishes: Wishes;
}

/** The very same once more, on somebody's wish alone. */
export const again = action<Again>({
  name: "background.again",
  answer: "public",
  by: "requester",
  isOnce: true,
  needs: ["background-key"],
  wants: ["channel"],
  run: (ctx, { all, wishes }) => cutOut(ctx, all, { wishes }),
});

/** A picture that was refused is refused again; what failed on the way may work. */
const worthwhile: ReadonlySet<BotError["kind"]> = new Set(["service", "network", "limit"]);

/**
 * Ways to try failed pictures again: those that cost nothing together, and apart from them those that may be charged
 * twice.
 */
export function againButtons(
  outcomes: readonly Outcome[],
  wishes: Wishes,
  words: Words,
): readonly Button[] {
  const failed = outcomes.flatMap((one) => (one.state === "failed" ? [one] : []));
  const hopeful = failed.filter(({ error }) => worthwhile.has(error.kind));
  const free = hopeful.filter(({ error }) => error.outcome === "nothing");
  const risky = hopeful.filter(({ error }) => error.outcome !== "nothing");
  const untouched = outcomes.filter(({ state }) => state === "untouched");
  const isSingle = outcomes.length === 1;
  const press = (some: readonly Outcome[]) =>
    again.press({ all: some.map(({ given }) => given), wishes });
  const left = [...free, ...untouched];
  return [
    ...(left.length === 0
      ? []
      : [
          {
            label: isSingle
              ? words.say("background.again.one")
              : words.say("background.again.several", { count: left.length }),
            press: press(left),
          },
        ]),
    ...(risky.length === 0
      ? []
      : [
          {
            label: words.say("background.again.risky", {
              count: risky.length,
              credits: risky.length * priceOf(wishes.size),
            }),
            press: press(risky),
          },
        ]),
  ];
}
