import { maxResultMegapixels, priceOf } from "../../background/index.ts";
import { ask, files, type Reply } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type { Ctx } from "../context/index.ts";
import {
  type CutoutStep,
  keepCutout,
  prepareCutoutInput,
  readFoundSubject,
  sendForCutout,
  showCutoutStep,
} from "../cutout/index.ts";
import { action } from "../declarations/index.ts";
import {
  type CutoutResult,
  cutoutActionNames,
  type RepeatedCutout,
  resultButtons,
} from "./buttons.ts";
import { cutOut } from "./cut-out.ts";
import { cutoutRequest } from "./cutout-options.ts";
import { drawLook, type LookOptions } from "./look.ts";
import { fullSizeOptions } from "./result-size.ts";

const paid = {
  by: "requester",
  isOnce: true,
  needs: ["background-key"],
  wants: ["channel"],
} as const;

/** Tries the same pictures again; only when somebody presses the button, because it may cost credits. */
const again = action<RepeatedCutout>({
  ...paid,
  name: cutoutActionNames.again,
  answer: "public",
  run: (ctx, { all, order }) => cutOut(ctx, all, order),
});

/** The same for an answer that only one person sees. */
const againPrivately = action<RepeatedCutout>({
  ...paid,
  name: cutoutActionNames.againPrivately,
  answer: "private",
  run: (ctx, { all, order }) => cutOut(ctx, all, order),
});

/** Says what the result costs in full size, and asks for confirmation. */
const full = action<CutoutResult>({
  name: cutoutActionNames.full,
  answer: "private",
  by: "anyone",
  needs: ["background-key"],
  run: async ({ words }, work) => {
    const { size = "auto" } = fullSizeOptions(work.wishes, work.original);
    const credits = priceOf(size);
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
  ...paid,
  name: "background.full-now",
  answer: "update",
  run: (ctx, { wishes, original, source }) => {
    const { postedBy } = source;
    const order = { wishes: fullSizeOptions(wishes, original), postedBy, isPrivate: true } as const;
    return cutOut(ctx, [original], order);
  },
});

/** Shows a result in a new look to the person who pressed the button; the result itself stays as it is. */
const restyle = action<CutoutResult>({
  name: cutoutActionNames.look,
  answer: "private",
  by: "anyone",
  wants: ["channel"],
  run: (ctx, work) => drawOrAsk(ctx, work),
});

/** The same for a message that nobody else sees: it changes in place. */
const restyleHere = action<CutoutResult>({
  name: cutoutActionNames.lookHere,
  answer: "update",
  by: "requester",
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
    return drawOrAsk(ctx, work, { isAsItWas: true });
  },
});

/** Cuts the picture out again, after somebody agreed to the price, because its cut-out is no longer there. */
const restylePaid = action<CutoutResult>({
  ...paid,
  name: "background.look-paid",
  answer: "update",
  run: async (ctx, work) => {
    const onStep = (step: CutoutStep) => showCutoutStep(ctx, step);
    const { original, wishes } = work;
    onStep({ at: "reading" });
    const picture =
      "link" in original ? original : await prepareCutoutInput(ctx, original.attachment);
    // The service adds no background, because the look is composed here.
    const { ground: _, ...plain } = wishes;
    const sent = "link" in picture ? undefined : picture;
    const request = { ...cutoutRequest(plain, sent), format: "zip" } as const;
    const removal = await sendForCutout(ctx, picture, { request, onStep });
    const { kept: __, base: ___, isWhole: ____, ...source } = work.source;
    const kept = await keepCutout(ctx, removal);
    const found = readFoundSubject(removal, wishes);
    const again = { ...work, source: { ...source, kept, isFlat: true as const, found } };
    return drawLook(ctx, again, { cutout: removal.image, charged: removal.creditsCharged });
  },
});

/** Posts for everybody what only one person sees. */
const post = action<CutoutResult>({
  name: cutoutActionNames.post,
  answer: "public",
  by: "requester",
  wants: ["channel"],
  run: async (ctx, work) => {
    const { words } = ctx;
    const file = ctx.attachments[0];
    if (file === undefined) return drawLook(ctx, work, { isPublic: true });
    const data = await ctx.fetchAttachment(file);
    const alt = words.say("background.alt", { name: work.source.name.slice(0, 200) });
    const own = { ...work, source: { ...work.source, at: 0 } };
    return files({
      title: words.say("background.done.title"),
      files: [{ name: file.filename, data, alt }],
      buttons: resultButtons(ctx, own),
    });
  },
});

/** Draws the look; if the cut-out is gone, asks whether to pay for another one. */
async function drawOrAsk(ctx: Ctx, work: CutoutResult, options: LookOptions = {}): Promise<Reply> {
  try {
    return await drawLook(ctx, work, options);
  } catch (error) {
    const isGone = error instanceof InputError && goneCodes.has(error.code);
    if (!isGone || !mayCutAgain(work)) throw error;
    const { words } = ctx;
    const credits = priceOf(work.wishes.size);
    return ask({
      title: words.say("background.gone.title"),
      text: words.md("background.gone.text", { name: work.source.name, credits }),
      confirm: {
        label: words.say("background.full.confirm", { credits }),
        style: "success",
        press: restylePaid.press(work),
      },
      isPrivate: true,
    });
  }
}

const goneCodes: ReadonlySet<string> = new Set([
  "cutout_gone",
  "attachment_gone",
  "attachment_unavailable",
  "picture_opaque",
]);

function mayCutAgain({ original, source }: CutoutResult): boolean {
  return "link" in original || source.original !== undefined;
}

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
] as const;
