import { type Button, limits, type Reply, type Select } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type { Ctx } from "../context/index.ts";
import {
  addChargeToError,
  estimateCredits,
  readFoundSubject,
  scaleFoundSubject,
  sourceEngine,
} from "../cutout/index.ts";
import { cutOutAll, type DonePicture, isPictureDone } from "./batch.ts";
import {
  anywayButtons,
  type CutoutLook,
  type CutoutOrder,
  type CutoutResult,
  fittedToSend,
  groundButton,
  type RepeatedCutout,
  resultButtons,
  resultSelects,
  sizeButtons,
  tryAgainButtons,
  whiteGround,
} from "./buttons.ts";
import type { CutoutOptions } from "./cutout-options.ts";
import { drawLook } from "./look.ts";
import { groundHere, isLaidOutHere } from "./make-picture.ts";
import { requireEngineOptions } from "./rembg-options.ts";
import { type BatchReport, drawFailures, drawResults } from "./reply.ts";
import { drawResultsPreview, fileStem, isZipped, resultFiles, zipResults } from "./result-files.ts";
import { isReduced, maxBytesForEach } from "./result-size.ts";

/**
 * Cuts every picture out: fetches it, checks its bytes, prepares, sends and composes it. The reply has the results of
 * those that worked, and says why the others failed.
 * @throws the failure itself if nothing worked and trying again would not help; the signal's reason when cancelled
 */
export async function cutOut(ctx: Ctx, { all, order }: RepeatedCutout): Promise<Reply> {
  if (all.length === 0) {
    throw new InputError("no picture among the attachments", { code: "no_picture" });
  }
  const { wishes: options } = order;
  requireEngineOptions(ctx, options, all);
  const chosen = all.slice(0, limits.message.files);
  const maxBytes = maxBytesForEach(ctx, chosen.length);
  const isForced = order.isForced === true;
  // The least that it can cost. Whether a picture is small, and so cheaper, or transparent is known only once it is fetched.
  // A JPEG has no transparency; what others claim to be is found out when they are read.
  const charged = chosen.filter(
    (source) => isForced || "link" in source || source.attachment.content_type === "image/jpeg",
  );
  await ctx.afford([], charged.length * estimateCredits(ctx.engine, options.size, 0));
  const batch = await cutOutAll(ctx, chosen, { options, maxBytes, isForced });
  const { engine } = ctx;
  const report: BatchReport = { batch, options, leftOut: all.length - chosen.length, engine };
  const done = batch.outcomes.filter(isPictureDone);
  const retries = [
    ...sizeButtons(batch.outcomes, order, ctx),
    ...tryAgainButtons(batch.outcomes, order, ctx),
    ...anywayButtons(batch.outcomes, order, ctx),
  ];
  if (done.length === 0) return withoutResults(ctx, report, retries);
  return withResults(ctx, { report, done, order, retries });
}

function withoutResults(ctx: Ctx, report: BatchReport, retries: readonly Button[]): Reply {
  const { outcomes, stoppedBy } = report.batch;
  if (ctx.signal.aborted) throw withCharge(ctx.signal.reason, outcomes);
  const errors = outcomes.flatMap((one) => (one.state === "failed" ? [one.error] : []));
  const [first = stoppedBy] = errors;
  const isOneReason = new Set(errors.map(({ code }) => code)).size <= 1;
  if (retries.length === 0 && isOneReason && first !== undefined) throw first;
  return drawFailures(ctx, report, retries);
}

/** Adds what was charged to the failure of a person who cancelled too late. */
function withCharge(reason: unknown, outcomes: BatchReport["batch"]["outcomes"]): unknown {
  const charges = outcomes.flatMap((one) =>
    one.state === "interrupted" && one.charged !== undefined ? [one.charged] : [],
  );
  if (charges.length === 0 || !(reason instanceof InputError)) return reason;
  const { message, code, facts } = reason;
  const charged = charges.reduce((sum, one) => sum + one, 0);
  return new InputError(message, { code, facts: { ...facts, charged }, cause: reason });
}

interface BatchResults {
  readonly report: BatchReport;
  readonly done: readonly DonePicture[];
  readonly order: CutoutOrder;
  readonly retries: readonly Button[];
}

async function withResults(ctx: Ctx, results: BatchResults): Promise<Reply> {
  const { report, done, order, retries } = results;
  const { options } = report;
  const [first] = done;
  if (options.oversize === "parts" && report.batch.outcomes.length === 1 && first !== undefined) {
    const work = await createWork(ctx, first, { order, at: 0, zipped: false });
    return drawPaidParts(ctx, work, { made: first.made, isPrivate: order.isPrivate === true });
  }
  const single = resultFiles(ctx, done, options);
  const zipped = isZipped(done.length, options);
  const [files, preview] = await Promise.all([
    zipped
      ? zipResults(ctx, single, options.name === undefined ? "cutouts" : fileStem(options.name))
      : single,
    // A message holds ten files, including the preview.
    zipped || single.length < limits.message.files ? drawResultsPreview(ctx, done) : undefined,
  ]);
  const works = await Promise.all(
    done.map((outcome, at) => createWork(ctx, outcome, { order, at, zipped })),
  );
  const [only] = works;
  const isSingle = works.length === 1 && only !== undefined;
  const selects: readonly Select[] = isSingle ? [] : resultSelects(ctx, works);
  const isMask = order.wishes.maskOnly === true;
  const buttons = isSingle
    ? resultButtons(ctx, only, { isPrivate: order.isPrivate === true })
    : isMask
      ? []
      : [groundButton(ctx.words, { works })];
  return drawResults(ctx, report, { files, preview, selects, buttons: [...buttons, ...retries] });
}

/** The parts of a result that has just been paid for. */
async function drawPaidParts(
  ctx: Ctx,
  work: CutoutResult,
  { made, isPrivate }: { readonly made: DonePicture["made"]; readonly isPrivate: boolean },
): Promise<Reply> {
  const { removal, result } = made;
  const paid = removal && { cutout: result.bytes, charged: removal.creditsCharged };
  try {
    return await drawLook(ctx, work, { ...paid, isAsItWas: true, isPublic: !isPrivate });
  } catch (error) {
    throw removal === undefined ? error : addChargeToError(ctx, error, removal);
  }
}

/** One result as its buttons store it. */
async function createWork(
  ctx: Ctx,
  { source, name, made }: DonePicture,
  {
    order,
    at,
    zipped,
  }: { readonly order: CutoutOrder; readonly at: number; readonly zipped: boolean },
): Promise<CutoutResult> {
  const { wishes, postedBy } = order;
  const { engine } = sourceEngine(ctx);
  const isRembg = engine !== undefined && made.removal !== undefined;
  const isGlass = wishes.ground?.kind === "glass" && made.removal !== undefined;
  const isCovered = made.isOpaque || isGlass;
  const isOwn = made.removal === undefined;
  const isComposed = isOwn || (isRembg && isLaidOutHere(wishes));
  const isFlat = zipped || isCovered || (isComposed && made.kept !== undefined);
  const kept = made.kept ?? (zipped && !isCovered ? await ctx.keep(made.result.bytes) : undefined);
  // What is kept is remove.bg's own file; the result that was made of it may have fewer pixels.
  const found = made.removal && readFoundSubject(made.removal, wishes);
  return {
    source: {
      name,
      at,
      ...(isFlat && { isFlat }),
      ...(kept !== undefined && { kept }),
      ...(isCovered && kept === undefined && !zipped && { isWhole: true as const }),
      ...(found && {
        found: made.kept === undefined ? scaleFoundSubject(found, made.result) : found,
      }),
      ...("attachment" in source &&
        (found
          ? { original: source.attachment }
          : // Other looks of a picture that was not sent are made from the picture itself.
            { isOwn: true as const, ...(isFlat && { base: source.attachment }) })),
      ...(postedBy !== undefined && { postedBy }),
      ...(isRembg && { engine }),
    },
    original: source,
    wishes,
    look: isOwn ? ownLook(wishes) : isRembg ? ownLook(wishes, wishes.ground) : chooseLook(wishes),
    ...(found && !isRembg && isReduced(wishes, made.prepared) && { isSmall: true as const }),
    ...fittedToSend(made.result),
    ...(made.whole !== undefined && { whole: made.whole }),
  };
}

/** The look that the result got from the options. */
function chooseLook({ ground, format, oversize }: CutoutOptions): CutoutLook {
  const isOurs = ground !== undefined && ground.kind !== "transparent";
  const behind = isOurs ? ground : format === "jpg" ? whiteGround : undefined;
  return {
    ...(behind !== undefined && { ground: behind }),
    ...(format === "png" || format === "webp" ? { format } : {}),
    ...(format === "zip" && oversize === "parts" && { format }),
    ...(oversize !== undefined && oversize !== "fit" && { oversize }),
  };
}

/** The same for a picture that was not sent: what remove.bg would have done is missing, the rest was done here. */
function ownLook(wishes: CutoutOptions, ground = groundHere(wishes.ground)): CutoutLook {
  const { crop, shadowType = "none" } = wishes;
  const { ground: _, ...rest } = wishes;
  return {
    ...chooseLook(ground === undefined ? rest : { ...rest, ground }),
    ...(crop === true && { crop }),
    ...(shadowType !== "none" && { shadow: true as const }),
  };
}
