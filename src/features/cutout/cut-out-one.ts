import {
  type BackgroundEngine,
  estimatePrice,
  type QueuePlace,
  type Removal,
  type RemoveBackgroundRequest,
  type ResultSize,
  resultLost,
} from "../../background/index.ts";
import type { Attachment, Button, Press, Words } from "../../discord/index.ts";
import { BotError, ConnectError, InputError, ServiceError } from "../../errors.ts";
import {
  createDamagedError,
  isDamagedPicture,
  type ServiceReadyPicture,
} from "../../images/index.ts";
import { hashToRecordId } from "../../store/index.ts";
import { type Ctx, credentialMissing } from "../context/index.ts";
import type { FoundSubject } from "./found-subject.ts";

/** The step that a picture is at. */
export type CutoutStep =
  | { readonly at: "reading" | "sent" }
  /** `charged` is what remove.bg said that it cost. */
  | { readonly at: "composing"; readonly charged: number | undefined }
  /** `until` is when its turn is expected, in milliseconds since the epoch. */
  | { readonly at: "queued"; readonly place: QueuePlace; readonly until: number };

/** Prepares one picture for remove.bg and shows that it is read. `isCutOut` says whether there is anything to send it for. */
export function prepareOne(ctx: Ctx, bytes: Buffer): Promise<ServiceReadyPicture> {
  showCutoutStep(ctx, { at: "reading" });
  return ctx.images.prepare(bytes, { ...ctx.pictureLimits, signal: ctx.signal });
}

/**
 * Cuts one picture out and shows the progress. The result is remove.bg's ZIP, which every job of `Images` accepts as
 * a cut-out.
 * @throws what `removeBackground` throws; ConnectError if there is no key; the signal's reason when cancelled.
 */
export async function cutOutOne(ctx: Ctx, prepared: ServiceReadyPicture): Promise<PaidRemoval> {
  if (!ctx.has("background-key")) throw credentialMissing("background-key", ctx.rank);
  const onStep = (step: CutoutStep) => showCutoutStep(ctx, step);
  onStep({ at: "sent" });
  return sendForCutout(ctx, prepared, { request: { size: "auto", format: "zip" }, onStep });
}

/** Fetches a picture and prepares it for remove.bg. */
export async function prepareCutoutInput(
  ctx: Ctx,
  picture: Attachment,
): Promise<ServiceReadyPicture> {
  const { images, pictureLimits, signal } = ctx;
  return images.prepare(await ctx.fetchAttachment(picture), { ...pictureLimits, signal });
}

/** A prepared picture, or an address from which remove.bg fetches it. */
export type CutoutInput = ServiceReadyPicture | { readonly link: string };

interface SendCutoutOptions {
  /** Everything except the picture. */
  readonly request: RemoveBackgroundRequest;
  readonly onStep: (step: CutoutStep) => void;
}

/** A cut-out, with its handle for `ctx.kept` where other processes find it already. */
export type PaidRemoval = Removal & { readonly kept?: string };

/** The handle of a cut-out for other looks. */
export async function keepCutout(ctx: Ctx, { kept, image }: PaidRemoval): Promise<string> {
  return kept ?? ctx.keep(image);
}

/**
 * Sends a picture to remove.bg as soon as it is its turn. If this interaction was begun by a process that died, what that
 * one paid for is used instead.
 */
export async function sendForCutout(
  ctx: Ctx,
  picture: CutoutInput,
  options: SendCutoutOptions,
): Promise<PaidRemoval> {
  // The same picture with the same options has the same name.
  const { imageName: _, ...rest } = options.request;
  const source = "link" in picture ? picture.link : picture.digest;
  const name = hashToRecordId(JSON.stringify([source, rest]));
  const found = await ctx.paid.find(name);
  if (found === "sent") throw resultLost();
  if (found !== undefined) {
    // Only removals without their image are stored.
    const facts = found.facts as Omit<Removal, "image" | "rateLimit">;
    return { ...facts, rateLimit: undefined, image: found.bytes, kept: found.kept };
  }
  const removal = await send(ctx, picture, { ...options, name }).catch(async (error: unknown) => {
    if (error instanceof BotError && error.outcome === "nothing") await ctx.paid.drop(name);
    throw error;
  });
  const { image, rateLimit: __, ...facts } = removal;
  const kept = await ctx.paid.keep(name, { bytes: image, facts });
  return { ...removal, ...(kept !== undefined && { kept }) };
}

function send(
  ctx: Ctx,
  picture: CutoutInput,
  { request, onStep, name }: SendCutoutOptions & { readonly name: string },
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
    { signal: ctx.signal, onQueued, onSend: () => ctx.paid.begin(name) },
  );
}

/** Most credits that a cut-out costs; with rembg it costs none. */
export function estimateCredits(
  engine: BackgroundEngine | undefined,
  size?: ResultSize,
  megapixels?: number,
): number {
  return engine === "rembg" ? 0 : estimatePrice(size, megapixels);
}

/** Refuses what only remove.bg has. @throws ConnectError `engine_without` */
export function requireRemoveBg({ engine }: Ctx): void {
  if (engine !== "rembg") return;
  throw new ConnectError("rembg has neither credits nor training", { code: "engine_without" });
}

/** Shows the step of a single picture. */
export function showCutoutStep(ctx: Ctx, step: CutoutStep): void {
  const title = ctx.words.say("background.progress.title", { count: 1 });
  ctx.progress({ title, text: describeCutoutStep(ctx, step) });
}

/** The step in a few words. */
export function describeCutoutStep({ words, engine }: Ctx, step: CutoutStep): string {
  if (step.at === "sent" && engine === "rembg") return words.say("background.progress.sent_rembg");
  if (step.at !== "queued") return words.say(`background.progress.${step.at}`);
  const { ahead, waitMs } = step.place;
  const wait = words.duration(Math.max(1000, Math.ceil(waitMs / 1000) * 1000));
  return words.say("background.progress.queued", { ahead, wait });
}

/**
 * Adds to an error after the engine's answer what was charged nevertheless. If a picture can't be read at that point, it is
 * the engine's result, not the person's picture.
 */
export function addChargeToError(
  { engine }: Ctx,
  reason: unknown,
  removal: Omit<Removal, "image">,
): unknown {
  const { creditsCharged } = removal;
  const error = isDamagedPicture(reason) ? createDamagedError(reason.message) : reason;
  if (!(error instanceof BotError) || error.code === "cancelled") return error;
  const { code, facts } = error;
  const [outcome, cost] =
    engine === "rembg"
      ? (["nothing", { isFree: true }] as const)
      : (["part", { charged: creditsCharged ?? "unknown" }] as const);
  return new ServiceError("the result could not be composed", {
    code,
    outcome,
    facts: { ...facts, ...cost },
    cause: error,
  });
}

/** What a cut-out cost; undefined if remove.bg did not say, which does not mean that it was free. */
export function describeCharge(
  { creditsCharged: count }: Pick<Removal, "creditsCharged">,
  words: Words,
) {
  return count === undefined ? undefined : words.say("background.credits", { count });
}

/** Undefined if the picture turns out to have no transparency, which is known only from its pixels. */
export async function unlessOpaque<T>(making: Promise<T>): Promise<T | undefined> {
  try {
    return await making;
  } catch (error) {
    if (error instanceof BotError && error.code === "picture_opaque") return undefined;
    throw error;
  }
}

/** A finished cut-out that buttons refer to. Their states store it, so it is small and JSON-shaped. */
export interface CutoutSource {
  /** The picture's original file name. */
  readonly name: string;
  /** The index of the message's attachment that shows the result. */
  readonly at: number;
  /** Handle of the transparent cut-out for `ctx.kept`; needed if the result itself is not transparent. */
  readonly kept?: string;
  /** A file of another message that has the cut-out, for when it is no longer kept. */
  readonly base?: Attachment;
  /** remove.bg itself put the result on a background; the result is `base`, or the message's own file. */
  readonly isWhole?: true;
  /** What remove.bg said about the subject, in pixels of the cut-out. */
  readonly found?: FoundSubject;
  /** The picture was transparent already and was not sent: it has no background of its own. */
  readonly isOwn?: true;
  /** The result can't be used as the cut-out: it has a background, was cropped here, or is in an archive. */
  readonly isFlat?: true;
  /** The picture that was handed in; Discord deletes it after a while. */
  readonly original?: Attachment;
  /** Who posted the picture, if it was not the person who had it cut out. */
  readonly postedBy?: string;
  /** What made the cut-out; remove.bg when absent. */
  readonly engine?: "rembg";
}

/** For `CutoutSource`. */
export const sourceEngine = ({ engine }: Ctx): Pick<CutoutSource, "engine"> =>
  engine === "rembg" ? { engine } : {};

/**
 * The cut-out with its transparency: as it is kept, from another message, or the message's own file.
 * @throws InputError `attachment_gone`, `cutout_gone`; what `fetchAttachment` throws.
 */
export async function readCutout(ctx: Ctx, source: CutoutSource): Promise<Uint8Array> {
  const kept = source.kept === undefined ? undefined : await ctx.kept(source.kept);
  if (kept !== undefined) return kept;
  const file = source.isWhole === true ? undefined : cutoutFile(ctx, source);
  if (file !== undefined) return ctx.fetchAttachment(file);
  throw source.isFlat === true
    ? new InputError("the cut-out is no longer kept", { code: "cutout_gone" })
    : new InputError("the picture is no longer there", { code: "attachment_gone" });
}

/** The file with the transparent cut-out, in another message or in this one. */
export function cutoutFile(ctx: Ctx, { base, isFlat, at }: CutoutSource): Attachment | undefined {
  return base ?? (isFlat === true ? undefined : ctx.attachments[at]);
}

/** A button that sends pictures which are transparent already, and says what that costs. */
export function removeAnywayButton(
  { words, engine }: Ctx,
  press: Press,
  {
    count = 1,
    size,
    megapixels,
  }: {
    readonly count?: number;
    readonly size?: ResultSize | undefined;
    readonly megapixels?: number | undefined;
  },
): Button {
  const credits = count * estimateCredits(engine, size, megapixels);
  const label =
    credits === 0
      ? words.say("background.already.anyway_free", { count })
      : words.say("background.already.anyway", { count, credits });
  return { label, press };
}

/** Says that nothing was sent, as a sentence of its own. */
export function alreadyTransparent({ words, engine }: Ctx): string {
  const [first = "", ...rest] = words.say(
    engine === "rembg" ? "background.already.plain" : "background.already.text",
  );
  return `${first.toLocaleUpperCase(words.tag)}${rest.join("")}`;
}
