import { maxResultMegapixels } from "../../background/index.ts";
import { ask, files } from "../../discord/index.ts";
import { estimateCredits } from "../cutout/index.ts";
import { action } from "../declarations/index.ts";
import {
  type CutoutResult,
  cutoutActionNames,
  groundButton,
  type RepeatedCutout,
  resultButtons,
  resultSelects,
} from "./buttons.ts";
import { cutOut } from "./cut-out.ts";
import { groundActions } from "./ground-form.ts";
import { drawLook, resultTitle } from "./look.ts";
import { drawLookOrAsk, paidAction, restylePaid } from "./paid-look.ts";
import { fullSizeOptions } from "./result-size.ts";

/** Tries the same pictures again; only when somebody presses the button, because it may cost credits. */
const again = action<RepeatedCutout>({
  ...paidAction,
  name: cutoutActionNames.again,
  answer: "public",
  run: cutOut,
});

/** The same for an answer that only one person sees. */
const againPrivately = action<RepeatedCutout>({
  ...paidAction,
  name: cutoutActionNames.againPrivately,
  answer: "private",
  run: cutOut,
});

/** Says what the result costs in full size, and asks for confirmation. */
const full = action<CutoutResult>({
  name: cutoutActionNames.full,
  answer: "private",
  by: "anyone",
  needs: ["background-key"],
  run: async ({ words }, work) => {
    const { size = "auto" } = fullSizeOptions(work.wishes, work.original);
    const credits = estimateCredits(work.source.engine, size);
    const megapixels = maxResultMegapixels[size];
    return ask({
      title: words.say("background.full.title"),
      text: words.md("background.full.text", { name: work.source.name, credits, megapixels }),
      confirm: {
        label: words.say("background.full.confirm", { credits }),
        style: "success",
        press: fullNow.press(work),
      },
    });
  },
});

const fullNow = action<CutoutResult>({
  ...paidAction,
  name: "background.full-now",
  run: (ctx, { wishes, original, source }) => {
    const { postedBy } = source;
    const full = fullSizeOptions(wishes, original);
    const order = { wishes: full, postedBy, isPrivate: true, isForced: true } as const;
    return cutOut(ctx, { all: [original], order });
  },
});

/** Shows a result in a new look to the person who pressed the button; the result itself stays as it is. */
const restyle = action<CutoutResult>({
  name: cutoutActionNames.look,
  answer: "private",
  by: "anyone",
  wants: ["channel"],
  run: (ctx, work) => drawLookOrAsk(ctx, work),
});

/** The same for a message that nobody else sees: it changes in place. */
const restyleHere = action<CutoutResult>({
  name: cutoutActionNames.lookHere,
  wants: ["channel"],
  run: (ctx, work) => drawLook(ctx, work),
});

/** Shows one of several results by itself. */
const lookAt = action<{ readonly works: readonly CutoutResult[] }>({
  name: cutoutActionNames.pick,
  answer: "private",
  by: "anyone",
  wants: ["channel"],
  run: (ctx, { works }, { values }) => {
    const work = works[Number(values[0] ?? 0)];
    if (work === undefined) throw new TypeError("no such result");
    return drawLookOrAsk(ctx, work, { isAsItWas: true });
  },
});

/** Posts for everybody what only one person sees. */
const post = action<CutoutResult>({
  name: cutoutActionNames.post,
  answer: "public",
  wants: ["channel"],
  run: async (ctx, work) => {
    const { words } = ctx;
    const file = ctx.attachments[0];
    if (file === undefined) return drawLook(ctx, work, { isPublic: true });
    const data = await ctx.fetchAttachment(file);
    const alt = words.say("background.alt", { name: work.source.name.slice(0, 200) });
    const own = { ...work, source: { ...work.source, at: 0 } };
    return files({
      title: resultTitle(work, words),
      files: [{ name: file.filename, data, alt }],
      buttons: resultButtons(ctx, own),
    });
  },
});

/** The same for several results. */
const postSeveral = action<{ readonly works: readonly CutoutResult[] }>({
  name: cutoutActionNames.postSeveral,
  answer: "public",
  wants: ["channel"],
  run: async (ctx, { works }) => {
    const { words } = ctx;
    const shown = await Promise.all(
      ctx.attachments.map(async (file) => ({
        name: file.filename,
        data: await ctx.fetchAttachment(file),
      })),
    );
    return files({
      title: words.say("background.done.look"),
      files: shown,
      buttons: [groundButton(words, { works })],
      selects: resultSelects(ctx, works),
    });
  },
});

/** What the buttons below results start. */
export const resultActions = [
  again,
  againPrivately,
  full,
  fullNow,
  restyle,
  restyleHere,
  restylePaid,
  lookAt,
  post,
  postSeveral,
  ...groundActions,
] as const;
