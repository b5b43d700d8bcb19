import { priceOf } from "../../background/index.ts";
import { action, ask, type Ctx, files, type Reply } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import {
  type CutoutStep,
  foundSubject,
  readyPicture,
  sendForCutout,
  showStep,
} from "../cutout/index.ts";
import { names, resultButtons } from "./buttons.ts";
import { requestOf } from "./cutout-options.ts";
import { drawLook, type Styling } from "./look.ts";
import type { CutoutWork } from "./work.ts";

/** Shows a result in a new look to the person who pressed; the result itself stays as it is. */
const restyle = action<CutoutWork>({
  name: names.look,
  answer: "private",
  by: "anyone",
  wants: ["channel"],
  run: (ctx, work) => orAsk(ctx, work),
});

/** The same in a message that nobody else sees, which changes in place. */
const restyleHere = action<CutoutWork>({
  name: names.lookHere,
  answer: "update",
  by: "requester",
  wants: ["channel"],
  run: (ctx, work) => drawLook(ctx, work),
});

/** Shows one of several results alone. */
const lookAt = action<{ readonly works: readonly CutoutWork[] }>({
  name: names.pick,
  answer: "private",
  by: "anyone",
  wants: ["channel"],
  run: (ctx, { works }, { values }) => {
    const work = works[Number(values[0] ?? 0)];
    if (work === undefined) throw new TypeError("no such result");
    return orAsk(ctx, work, { isAsItWas: true });
  },
});

/** Cuts the picture out again because nothing is left to make the look of, after somebody agreed to the price. */
const restylePaid = action<CutoutWork>({
  name: "background.look-paid",
  answer: "update",
  by: "requester",
  isOnce: true,
  needs: ["background-key"],
  wants: ["channel"],
  run: async (ctx, work) => {
    const onStep = (step: CutoutStep) => showStep(ctx, step);
    const { given, wishes } = work;
    onStep({ at: "reading" });
    const picture = "link" in given ? given : await readyPicture(ctx, given.attachment);
    // Without a background of the service: the look is composed here.
    const { ground: _, ...plain } = wishes;
    const sent = "link" in picture ? undefined : picture;
    const request = { ...requestOf(plain, sent), format: "zip" } as const;
    const removal = await sendForCutout(ctx, picture, { request, onStep });
    const { kept: __, base: ___, isWhole: ____, ...source } = work.source;
    const kept = ctx.keep(removal.image);
    const found = foundSubject(removal, wishes);
    const again = { ...work, source: { ...source, kept, isFlat: true as const, found } };
    return drawLook(ctx, again, { cutout: removal.image, charged: removal.creditsCharged });
  },
});

/** Shows everybody what only one person sees. */
const post = action<CutoutWork>({
  name: names.post,
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

export const restyleActions = [restyle, restyleHere, restylePaid, lookAt, post] as const;

/** Draws the look, or asks about the price of another cut-out where nothing is left to make it of. */
async function orAsk(ctx: Ctx, work: CutoutWork, styling: Styling = {}): Promise<Reply> {
  try {
    return await drawLook(ctx, work, styling);
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

function mayCutAgain({ given, source }: CutoutWork): boolean {
  return "link" in given || source.original !== undefined;
}
