import type { QueuePlace, Removal, RemoveBackgroundRequest } from "../../background/index.ts";
import type { Attachment, Ctx } from "../../discord/index.ts";
import type { Prepared } from "../../images/index.ts";
import type { Given } from "./wishes.ts";

/** What one cut-out may ask of the service beside its picture. */
export type CutOutWishes = Omit<
  RemoveBackgroundRequest,
  "image" | "imageName" | "imageFileB64" | "imageUrl" | "megapixels"
>;

/** One picture as the service gave it back. */
export interface CutOut {
  /** The service's ZIP, which every job of `Images` takes as a cut-out, unless another format was wished. */
  readonly cutout: Buffer;
  /** What it cost lies in its `creditsCharged`; absent is not zero. */
  readonly removal: Removal;
  readonly prepared: Prepared;
}

/** Where a picture is on its road. */
export type Step =
  | { readonly at: "reading" | "sent" }
  /** `charged` is what the service said that it cost. */
  | { readonly at: "composing"; readonly charged: number | undefined }
  /** `until` is when its turn is expected, in milliseconds since the epoch. */
  | { readonly at: "queued"; readonly place: QueuePlace; readonly until: number };

/**
 * Cuts one picture out: fetched, checked by its bytes, prepared, sent in its turn. Shows how far it is.
 * @throws what `fetchAttachment`, `Images.prepare` and `removeBackground` throw; the signal's reason when cancelled.
 */
export async function cutOutOne(
  ctx: Ctx,
  picture: Attachment | Buffer,
  wishes: CutOutWishes = {},
): Promise<CutOut> {
  const { words } = ctx;
  const title = words.say("background.progress.title", { count: 1 });
  const show = (step: Step) => ctx.progress({ title, text: stepText(ctx, step) });
  show({ at: "reading" });
  const prepared = await ready(ctx, picture);
  show({ at: "sent" });
  const removal = await send(ctx, prepared, wishes, show);
  return { cutout: removal.image, removal, prepared };
}

/** Fetches a picture, unless it is here already, and makes it ready to be sent. */
export async function ready(ctx: Ctx, picture: Attachment | Buffer): Promise<Prepared> {
  const bytes = Buffer.isBuffer(picture) ? picture : await ctx.fetchAttachment(picture);
  return ctx.images.prepare(bytes, { ...ctx.pictureLimits, signal: ctx.signal });
}

/** Sends a picture, or the address where the service finds it, when its turn has come. */
export function send(
  ctx: Ctx,
  picture: Prepared | Extract<Given, { readonly link: string }>,
  wishes: CutOutWishes,
  onStep: (step: Step) => void,
): Promise<Removal> {
  const source =
    "link" in picture
      ? { imageUrl: picture.link }
      : { image: picture.bytes, megapixels: (picture.width * picture.height) / 1e6 };
  const onQueued = (place: QueuePlace) => {
    const waits = place.ahead > 0 || place.waitMs > 0;
    onStep(waits ? { at: "queued", place, until: ctx.now() + place.waitMs } : { at: "sent" });
  };
  const request = { size: "auto", format: "zip", ...wishes, ...source } as const;
  return ctx.background.removeBackground(request, { signal: ctx.signal, onQueued });
}

/** A step in a few words. */
export function stepText({ words }: Ctx, step: Step): string {
  if (step.at !== "queued") return words.say(`background.progress.${step.at}`);
  const { ahead, waitMs } = step.place;
  const wait = words.duration(Math.max(1000, Math.ceil(waitMs / 1000) * 1000));
  return words.say("background.progress.queued", { ahead, wait });
}
