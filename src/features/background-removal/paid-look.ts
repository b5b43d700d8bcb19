import { ask, type Reply } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type { Ctx } from "../context/index.ts";
import {
  addChargeToError,
  type CutoutStep,
  estimateCredits,
  keepCutout,
  prepareCutoutInput,
  readFoundSubject,
  sendForCutout,
  showCutoutStep,
} from "../cutout/index.ts";
import { action } from "../declarations/index.ts";
import type { CutoutResult } from "./buttons.ts";
import { cutoutRequest } from "./cutout-options.ts";
import { drawLook, type LookOptions, readLayout } from "./look.ts";

/** What every action declares that may cost credits. */
export const paidAction = {
  by: "requester",
  isOnce: true,
  needs: ["background-key"],
  wants: ["channel"],
} as const;

/** Draws the look; if the cut-out is gone, asks whether to pay for another one. */
export async function drawLookOrAsk(
  ctx: Ctx,
  work: CutoutResult,
  options: LookOptions = {},
): Promise<Reply> {
  // Not within the attempt: if the background picture is gone, another cut-out does not help.
  const layout = await readLayout(ctx, work);
  try {
    return await drawLook(ctx, work, { ...options, layout });
  } catch (error) {
    if (!isCutoutGone(error) || !mayCutAgain(work)) throw error;
    const { words } = ctx;
    const credits = estimateCredits(work.source.engine, work.wishes.size);
    return ask({
      title: words.say("background.gone.title"),
      text:
        credits === 0
          ? words.md("background.gone.text_free", { name: work.source.name })
          : words.md("background.gone.text", { name: work.source.name, credits }),
      confirm: {
        label:
          credits === 0
            ? words.say("background.gone.confirm_free")
            : words.say("background.full.confirm", { credits }),
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
  // Without the ZIP there is nothing that a blur could be made of.
  "picture_no_background",
]);

export function isCutoutGone(error: unknown): boolean {
  return error instanceof InputError && goneCodes.has(error.code);
}

export function mayCutAgain({ original, source, whole }: CutoutResult): boolean {
  // Another cut-out would not be what remove.bg composed.
  if (whole !== undefined) return false;
  return "link" in original || source.original !== undefined;
}

/** Cuts the picture out again, after somebody agreed to the price, because its cut-out is no longer there. */
export const restylePaid = action<CutoutResult>({
  ...paidAction,
  name: "background.look-paid",
  run: async (ctx, work) => {
    const onStep = (step: CutoutStep) => showCutoutStep(ctx, step);
    const { original, wishes } = work;
    onStep({ at: "reading" });
    // A background picture that is gone fails here, before anything is paid for.
    const layout = await readLayout(ctx, work);
    const picture =
      "link" in original ? original : await prepareCutoutInput(ctx, original.attachment);
    // remove.bg adds no background, because the look is composed here.
    const { ground: _, ...plain } = wishes;
    const sent = "link" in picture ? undefined : picture;
    const request = { ...cutoutRequest(plain, sent), format: "zip" } as const;
    const removal = await sendForCutout(ctx, picture, { request, onStep });
    const { kept: __, base: ___, isWhole: ____, ...source } = work.source;
    const kept = await keepCutout(ctx, removal);
    const found = readFoundSubject(removal, wishes);
    const again = { ...work, source: { ...source, kept, isFlat: true as const, found } };
    const charged = removal.creditsCharged;
    try {
      return await drawLook(ctx, again, { cutout: removal.image, charged, layout });
    } catch (error) {
      throw addChargeToError(ctx, error, removal);
    }
  },
});
