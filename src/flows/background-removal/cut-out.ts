import { priceOf } from "../../background/index.ts";
import { type Button, type Ctx, limits, type Reply, type Select } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import { foundIn, foundSubject } from "../cutout/index.ts";
import { cutOutAll, type DoneOutcome, isDone } from "./batch.ts";
import { againButtons, resultButtons, workOnOne } from "./buttons.ts";
import {
  archives,
  hasRoomForPreview,
  isZipped,
  previewOf,
  resultFiles,
  roomForEach,
  stemOf,
} from "./files.ts";
import type { PictureSource } from "./picture-source.ts";
import { type BatchReport, drawFailures, drawResults } from "./reply.ts";
import { isReduced } from "./result-size.ts";
import { type CutoutOrder, type CutoutWork, lookOf } from "./work.ts";

/**
 * Cuts every picture out: fetched, checked by its bytes, prepared, sent, composed. If only some of them work, those come
 * back, and the reply says why the others failed.
 * @throws the failure itself when nothing worked and nothing can be done about it; the signal's reason when cancelled
 */
export async function cutOut(
  ctx: Ctx,
  all: readonly PictureSource[],
  order: CutoutOrder,
): Promise<Reply> {
  if (all.length === 0) {
    throw new InputError("no picture among the attachments", { code: "no_picture" });
  }
  const { wishes: options } = order;
  const chosen = all.slice(0, limits.message.files);
  const maxBytes = roomForEach(ctx, chosen.length);
  // The least it can cost: which pictures are small, and so cheaper, is known only once they are fetched.
  await ctx.afford([], chosen.length * priceOf(options.size, 0));
  const batch = await cutOutAll(ctx, chosen, { options, maxBytes });
  const report: BatchReport = { batch, options, leftOut: all.length - chosen.length };
  const done = batch.outcomes.filter(isDone);
  const retries = againButtons(batch.outcomes, order, ctx.words);
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

/** Whoever cancels too late is told what was charged. */
function withCharge(reason: unknown, outcomes: BatchReport["batch"]["outcomes"]): unknown {
  const charges = outcomes.flatMap((one) =>
    one.state === "interrupted" && one.charged !== undefined ? [one.charged] : [],
  );
  if (charges.length === 0 || !(reason instanceof InputError)) return reason;
  const { message, code, facts } = reason;
  const charged = charges.reduce((sum, one) => sum + one, 0);
  return new InputError(message, { code, facts: { ...facts, charged }, cause: reason });
}

interface Results {
  readonly report: BatchReport;
  readonly done: readonly DoneOutcome[];
  readonly order: CutoutOrder;
  readonly retries: readonly Button[];
}

async function withResults(ctx: Ctx, results: Results): Promise<Reply> {
  const { report, done, order, retries } = results;
  const { options } = report;
  const single = resultFiles(ctx, done, options);
  const zipped = isZipped(done.length, options);
  const [files, preview] = await Promise.all([
    zipped
      ? archives(ctx, single, options.name === undefined ? "cutouts" : stemOf(options.name))
      : single,
    hasRoomForPreview(zipped ? 0 : single.length) ? previewOf(ctx, done) : undefined,
  ]);
  const works = done.map((outcome, at) => workOf(ctx, outcome, { order, at, zipped }));
  const [only] = works;
  const isSingle = works.length === 1 && only !== undefined;
  const selects: readonly Select[] = isSingle ? [] : workOnOne(ctx, works);
  const buttons = isSingle ? resultButtons(ctx, only, { isPrivate: order.isPrivate === true }) : [];
  return drawResults(ctx, report, { files, preview, selects, buttons: [...buttons, ...retries] });
}

/** What the buttons of one result start from. */
function workOf(
  ctx: Ctx,
  { given, name, made }: DoneOutcome,
  {
    order,
    at,
    zipped,
  }: { readonly order: CutoutOrder; readonly at: number; readonly zipped: boolean },
): CutoutWork {
  const { wishes, postedBy } = order;
  const isCovered = made.isOpaque || wishes.ground?.kind === "glass";
  const isFlat = zipped || isCovered;
  const kept = made.kept ?? (zipped && !isCovered ? ctx.keep(made.result.bytes) : undefined);
  // The service's own file is kept; the result made of it may have fewer pixels.
  const found = foundSubject(made.removal, wishes);
  return {
    source: {
      name,
      at,
      ...(isFlat && { isFlat }),
      ...(kept !== undefined && { kept }),
      ...(isCovered && kept === undefined && !zipped && { isWhole: true as const }),
      found: made.kept === undefined ? foundIn(found, made.result) : found,
      ...("attachment" in given && { original: given.attachment }),
      ...(postedBy !== undefined && { postedBy }),
    },
    given,
    wishes,
    look: lookOf(wishes),
    ...(isReduced(wishes, made.prepared) && { isSmall: true as const }),
  };
}
