import { priceOf } from "../../background/index.ts";
import { action, ask } from "../../discord/index.ts";
import { names } from "./buttons.ts";
import { cutOut } from "./cut-out.ts";
import { fullSizeOptions } from "./result-size.ts";
import type { CutoutWork, RepeatedCutout } from "./work.ts";

const paid = {
  by: "requester",
  isOnce: true,
  needs: ["background-key"],
  wants: ["channel"],
} as const;

/** Tries the same pictures again, only ever because somebody pressed for it. */
const again = action<RepeatedCutout>({
  ...paid,
  name: names.again,
  answer: "public",
  run: (ctx, { all, order }) => cutOut(ctx, all, order),
});

/** The same where the answer was for one person only. */
const againPrivately = action<RepeatedCutout>({
  ...paid,
  name: names.againPrivately,
  answer: "private",
  run: (ctx, { all, order }) => cutOut(ctx, all, order),
});

/** Says what the result costs in full size, and asks. */
const full = action<CutoutWork>({
  name: names.full,
  answer: "private",
  by: "anyone",
  needs: ["background-key"],
  run: async ({ words }, work) => {
    const credits = priceOf(fullSizeOptions(work.wishes, work.given).size);
    return ask({
      title: words.say("background.full.title"),
      text: words.md("background.full.text", { name: work.source.name, credits }),
      confirm: {
        label: words.say("background.full.confirm", { credits }),
        style: "success",
        press: fullNow.press(work),
      },
    });
  },
});

const fullNow = action<CutoutWork>({
  ...paid,
  name: "background.full-now",
  answer: "update",
  run: (ctx, { wishes, given, source }) => {
    const { postedBy } = source;
    const order = { wishes: fullSizeOptions(wishes, given), postedBy, isPrivate: true } as const;
    return cutOut(ctx, [given], order);
  },
});

export const againActions = [again, againPrivately, full, fullNow] as const;
