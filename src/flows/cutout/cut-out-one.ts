import type { QueuePlace, Removal, RemoveBackgroundRequest } from "../../background/index.ts";
import type { Attachment, Ctx } from "../../discord/index.ts";
import { BotError, ServiceError } from "../../errors.ts";
import type { Prepared } from "../../images/index.ts";

/** Where a picture is on its way. */
export type CutoutStep =
  | { readonly at: "reading" | "sent" }
  /** `charged` is what the service said it cost. */
  | { readonly at: "composing"; readonly charged: number | undefined }
  /** `until` is when its turn is expected, in milliseconds since the epoch. */
  | { readonly at: "queued"; readonly place: QueuePlace; readonly until: number };

/**
 * Cuts one picture out, and shows how far it is. The answer's picture is the service's ZIP, which every job of `Images`
 * takes as a cut-out.
 * @throws what `Images.prepare` and `removeBackground` throw; the signal's reason when cancelled.
 */
export async function cutOutOne(ctx: Ctx, bytes: Buffer): Promise<Removal> {
  const onStep = (step: CutoutStep) => showStep(ctx, step);
  onStep({ at: "reading" });
  const prepared = await prepare(ctx, bytes);
  onStep({ at: "sent" });
  return sendForCutout(ctx, prepared, { request: { size: "auto", format: "zip" }, onStep });
}

/** Fetches a picture and makes it ready to be sent. */
export async function readyPicture(ctx: Ctx, picture: Attachment): Promise<Prepared> {
  return prepare(ctx, await ctx.fetchAttachment(picture));
}

function prepare({ images, pictureLimits, signal }: Ctx, bytes: Buffer): Promise<Prepared> {
  return images.prepare(bytes, { ...pictureLimits, signal });
}

/** A picture made ready to be sent, or the address where the service finds it. */
export type ReadyPicture = Prepared | { readonly link: string };

interface SendOptions {
  /** All but the picture. */
  readonly request: RemoveBackgroundRequest;
  readonly onStep: (step: CutoutStep) => void;
}

/** Sends a picture when its turn has come. */
export function sendForCutout(
  ctx: Ctx,
  picture: ReadyPicture,
  { request, onStep }: SendOptions,
): Promise<Removal> {
  const source =
    "link" in picture
      ? { imageUrl: picture.link }
      : { image: picture.bytes, megapixels: (picture.width * picture.height) / 1e6 };
  const onQueued = (place: QueuePlace) => {
    const waits = place.ahead > 0 || place.waitMs > 0;
    onStep(waits ? { at: "queued", place, until: ctx.now() + place.waitMs } : { at: "sent" });
  };
  return ctx.background.removeBackground(
    { ...request, ...source },
    { signal: ctx.signal, onQueued },
  );
}

/** How far a single picture is. */
export function showStep(ctx: Ctx, step: CutoutStep): void {
  const title = ctx.words.say("background.progress.title", { count: 1 });
  ctx.progress({ title, text: stepText(ctx, step) });
}

/** The step in a few words. */
export function stepText({ words }: Ctx, step: CutoutStep): string {
  if (step.at !== "queued") return words.say(`background.progress.${step.at}`);
  const { ahead, waitMs } = step.place;
  const wait = words.duration(Math.max(1000, Math.ceil(waitMs / 1000) * 1000));
  return words.say("background.progress.queued", { ahead, wait });
}

/** An error after the service has answered, with what was charged all the same. */
export function afterCharge(error: unknown, { creditsCharged }: Omit<Removal, "image">): unknown {
  if (!(error instanceof BotError) || error.code === "cancelled") return error;
  return new ServiceError("the result was charged for and could not be composed", {
    code: error.code,
    outcome: "part",
    facts: { ...error.facts, charged: creditsCharged ?? "unknown" },
    cause: error,
  });
}
