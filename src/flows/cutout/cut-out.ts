import { priceOf } from "../../background/index.ts";
import { type Button, type Ctx, limits, type Reply, type Select } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import { againButtons } from "./again.ts";
import { cutOutAll } from "./batch.ts";
import { resultButtons, workOnOne } from "./buttons.ts";
import {
  archives,
  type DoneOutcome,
  hasRoomForPreview,
  isZipped,
  previewOf,
  resultFiles,
  roomForEach,
  stemOf,
} from "./files.ts";
import { foundIn, foundSubject } from "./found-subject.ts";
import { drawFailures, drawResults, isDone, type Telling } from "./reply.ts";
import type { Given, Wishes } from "./wishes.ts";
import { isSmaller, lookOf, type Work } from "./work.ts";

export interface Order {
  readonly wishes: Wishes;
  /** Who posted the pictures, when it was not the person who wants them cut out. */
  readonly postedBy?: string | undefined;
  /** The answer is for one person alone, who may want to show it to the others. */
  readonly isPrivate?: true;
}

/**
 * Cuts every picture out: fetched, checked by its bytes, prepared, sent, composed. Of several those that worked come
 * back, and each that did not says why.
 * @throws the failure itself when nothing worked and nothing can be done about it; the signal's reason when cancelled
 */
export async function cutOut(ctx: Ctx, all: readonly Given[], order: Order): Promise<Reply> {
  if (all.length === 0) {
    throw new InputError("no picture among the attachments", {
      code: "no_picture",
      hint: "Choose a message that carries a picture as an attachment.",
    });
  }
  const { wishes } = order;
  const chosen = all.slice(0, limits.message.files);
  const maxBytes = roomForEach(ctx, chosen.length);
  await ctx.afford([], chosen.length * leastCredits(wishes.size));
  const batch = await cutOutAll(ctx, chosen, { wishes, maxBytes });
  const telling: Telling = { batch, wishes, leftOut: all.length - chosen.length };
  const done = batch.outcomes.filter(isDone);
  const retries = againButtons(batch.outcomes, order, ctx.words);
  if (done.length === 0) return withoutResults(ctx, telling, retries);
  return withResults(ctx, { telling, done, order, retries });
}

function withoutResults(ctx: Ctx, telling: Telling, retries: readonly Button[]): Reply {
  const { outcomes, stoppedBy } = telling.batch;
  if (ctx.signal.aborted) throw withCharge(ctx.signal.reason, outcomes);
  const errors = outcomes.flatMap((one) => (one.state === "failed" ? [one.error] : []));
  const [first = stoppedBy] = errors;
  const isOneReason = new Set(errors.map(({ code }) => code)).size <= 1;
  if (retries.length === 0 && isOneReason && first !== undefined) throw first;
  return drawFailures(ctx, telling, retries);
}

/** Somebody who cancelled too late hears what it cost all the same. */
function withCharge(reason: unknown, outcomes: Telling["batch"]["outcomes"]): unknown {
  const charges = outcomes.flatMap((one) =>
    one.state === "interrupted" && one.charged !== undefined ? [one.charged] : [],
  );
  if (charges.length === 0 || !(reason instanceof InputError)) return reason;
  const { message, code, hint, facts } = reason;
  const charged = charges.reduce((sum, one) => sum + one, 0);
  return new InputError(message, { code, hint, facts: { ...facts, charged }, cause: reason });
}

/** What a picture costs at least: whether it is a small one shows only when it is here. */
function leastCredits(size: Wishes["size"]): number {
  return priceOf(size, 0);
}

interface Results {
  readonly telling: Telling;
  readonly done: readonly DoneOutcome[];
  readonly order: Order;
  readonly retries: readonly Button[];
}

async function withResults(ctx: Ctx, results: Results): Promise<Reply> {
  const { telling, done, order, retries } = results;
  const { wishes } = order;
  const single = resultFiles(ctx, done, wishes);
  const zipped = isZipped(done.length, wishes);
  const [files, preview] = await Promise.all([
    zipped
      ? archives(ctx, single, wishes.name === undefined ? "cutouts" : stemOf(wishes.name))
      : single,
    hasRoomForPreview(zipped ? 0 : single.length) ? previewOf(ctx, done) : undefined,
  ]);
  const works = done.map((outcome, at) => workOf(ctx, outcome, { order, at, zipped }));
  const [only] = works;
  const isSingle = works.length === 1 && only !== undefined;
  const selects: readonly Select[] = isSingle ? [] : workOnOne(ctx, works);
  const buttons = isSingle ? resultButtons(ctx, only, { isPrivate: order.isPrivate === true }) : [];
  return drawResults(ctx, telling, { files, preview, selects, buttons: [...buttons, ...retries] });
}

/** What the buttons of one result start from. */
function workOf(
  ctx: Ctx,
  { given, name, attempt: { made } }: DoneOutcome,
  { order, at, zipped }: { readonly order: Order; readonly at: number; readonly zipped: boolean },
): Work {
  const { wishes, postedBy } = order;
  const isCovered = made.isOpaque || wishes.ground?.kind === "glass";
  const isFlat = zipped || isCovered;
  const kept = made.kept ?? (zipped && !isCovered ? ctx.keep(made.result.bytes) : undefined);
  // What is kept is the service's own file; what came of it may have fewer pixels.
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
    ...(isSmaller(wishes, made) && { isSmall: true as const }),
  };
}
