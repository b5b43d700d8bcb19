import { priceOf } from "../../background/index.ts";
import { action, ask } from "../../discord/index.ts";
import { cutOut } from "./cut-out.ts";
import { fullWishes, type Work } from "./work.ts";

/** Says what all of the pixels cost. */
export const full = action<Work>({
  name: "background.full",
  answer: "private",
  by: "anyone",
  needs: ["background-key"],
  run: async ({ words }, work) => {
    const credits = priceOf(fullWishes(work).size);
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

const fullNow = action<Work>({
  name: "background.full-now",
  answer: "update",
  by: "requester",
  isOnce: true,
  needs: ["background-key"],
  wants: ["channel"],
  run: (ctx, work) => {
    const { postedBy } = work.source;
    return cutOut(ctx, [work.given], { wishes: fullWishes(work), postedBy, isPrivate: true });
  },
});

export const fullActions = [full, fullNow] as const;
