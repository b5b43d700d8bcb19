import { priceOf } from "../../background/index.ts";
import { action, ask, type Ctx, files, type Reply } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import { resultButtons } from "./buttons.ts";
import { ready, type Step, send, stepText } from "./cut-out-one.ts";
import { foundSubject } from "./found-subject.ts";
import { requestOf } from "./plan.ts";
import { type Styling, styled } from "./styled.ts";
import type { Work } from "./work.ts";

/** A new look of a result, for the person who wished it; the result itself stays as it is. */
export const restyle = action<Work>({
  name: "background.look",
  answer: "private",
  by: "anyone",
  wants: ["channel"],
  run: (ctx, work) => orAsk(ctx, work),
});

/** The same in a message that nobody else sees: its look changes in place. */
export const restyleHere = action<Work>({
  name: "background.look-here",
  answer: "update",
  by: "requester",
  wants: ["channel"],
  run: (ctx, work) => styled(ctx, work),
});

/** One of several results, alone. */
export const lookAt = action<{ readonly works: readonly Work[] }>({
  name: "background.pick",
  answer: "private",
  by: "anyone",
  wants: ["channel"],
  run: (ctx, { works }, { values }) => {
    const work = works[Number(values[0] ?? 0)];
    if (work === undefined) throw new TypeError("no such result");
    return orAsk(ctx, work, { isAsItWas: true });
  },
});

/** Cutting out once more for a look that nothing is left of, when somebody has agreed to the price. */
const restylePaid = action<Work>({
  name: "background.look-paid",
  answer: "update",
  by: "requester",
  isOnce: true,
  needs: ["background-key"],
  wants: ["channel"],
  run: async (ctx, work) => {
    const title = ctx.words.say("background.progress.title", { count: 1 });
    const show = (step: Step) => ctx.progress({ title, text: stepText(ctx, step) });
    const { given, wishes } = work;
    show({ at: "reading" });
    const picture = "link" in given ? given : await ready(ctx, given.attachment);
    // Without what the service itself would compose: the look is laid out here.
    const { ground: _, ...plain } = wishes;
    const request = requestOf(plain, "link" in picture ? undefined : picture);
    const removal = await send(ctx, picture, { ...request, format: "zip" }, show);
    const { kept: __, base: ___, isWhole: ____, ...source } = work.source;
    const kept = ctx.keep(removal.image);
    const found = foundSubject(removal, wishes);
    const again = { ...work, source: { ...source, kept, isFlat: true as const, found } };
    return styled(ctx, again, { cutout: removal.image, charged: removal.creditsCharged });
  },
});

/** Shows to all what only one person sees. */
export const post = action<Work>({
  name: "background.post",
  answer: "public",
  by: "requester",
  wants: ["channel"],
  run: async (ctx, work) => {
    const { words } = ctx;
    const file = ctx.attachments[0];
    if (file === undefined) return styled(ctx, work, { isPublic: true });
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

/** The price is asked when nothing is left that the look could be made of. */
async function orAsk(ctx: Ctx<unknown>, work: Work, styling: Styling = {}): Promise<Reply> {
  try {
    return await styled(ctx, work, styling);
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

function mayCutAgain({ given, source }: Work): boolean {
  return "link" in given || source.original !== undefined;
}
