import type { Removal } from "../../background/index.ts";
import type { Ctx } from "../../discord/index.ts";
import { BotError, ServiceError } from "../../errors.ts";
import type { Composed, ComposeOptions, OutputFormat, Prepared } from "../../images/index.ts";
import { lingering } from "../linger.ts";
import { requirePossible } from "./check.ts";
import { ready, type Step, send } from "./cut-out-one.ts";
import { compositionOf, requestOf } from "./plan.ts";
import { type Given, nameOf, type Wishes } from "./wishes.ts";

/** A file that came of a picture. */
interface Result {
  readonly bytes: Buffer;
  readonly format: OutputFormat | "zip";
  readonly width: number | undefined;
  readonly height: number | undefined;
  /** As `Composed.fitted`; `opened`: the ZIP was too large to be handed over as it is. */
  readonly fitted: Composed["fitted"] | "opened";
}

/** A picture that worked. */
export interface Made {
  readonly result: Result;
  readonly removal: Omit<Removal, "image">;
  /** Absent when the service fetched the picture itself. */
  readonly prepared: Omit<Prepared, "bytes"> | undefined;
  /** What was sent, where it is worth its memory. */
  readonly sent: Buffer | undefined;
  /** Nothing shows through the result. */
  readonly isOpaque: boolean;
  /** Handle of what it can be composed of anew, when the result itself is no good for that. */
  readonly kept: string | undefined;
}

export interface Making {
  /** Largest file that may come out. */
  readonly maxBytes: number;
  readonly onStep: (step: Step) => void;
  /** Made before of the very same bytes; told when a picture is the first of its kind. */
  readonly known: Map<string, { readonly name: string; readonly made: Promise<Made> }>;
  /** Whether what was sent is to be shown beside the result. */
  readonly keepsSent: boolean;
}

export interface Attempt {
  readonly made: Made;
  /** Name of the picture in the same go that had the very same bytes, and was sent instead. */
  readonly sameAs?: string;
}

/** One picture's whole road, or that of its twin. */
export async function make(
  ctx: Ctx,
  given: Given,
  wishes: Wishes,
  making: Making,
): Promise<Attempt> {
  const { known, onStep } = making;
  onStep({ at: "reading" });
  const picture = "link" in given ? undefined : await ready(ctx, given.attachment);
  const key = "link" in given ? given.link : (picture?.digest ?? "");
  const twin = known.get(key);
  if (twin !== undefined) return { made: await twin.made, sameAs: twin.name };
  const made = carryOut(ctx, picture ?? given, wishes, making);
  known.set(key, { name: nameOf(given), made });
  return { made: await made };
}

async function carryOut(
  ctx: Ctx,
  picture: Prepared | Given,
  wishes: Wishes,
  { maxBytes, onStep, keepsSent }: Making,
): Promise<Made> {
  const prepared = "bytes" in picture ? picture : undefined;
  if (prepared !== undefined) requirePossible(wishes, prepared);
  const request = requestOf(wishes, prepared);
  // A background that can't be had is told before anything is paid for.
  const composition = await compositionOf(ctx, wishes);
  onStep({ at: "sent" });
  const removal = await send(ctx, prepared ?? (picture as { link: string }), request, onStep);
  onStep({ at: "composing", charged: removal.creditsCharged });
  try {
    const options = { ...composition, maxBytes, signal: lingering(ctx.signal) };
    const finished = await finish(ctx, removal, wishes, options);
    return { ...finished, removal: withoutImage(removal), ...told(prepared, keepsSent) };
  } catch (error) {
    throw afterCharge(error, removal);
  }
}

/** Several results wait for each other, and none of them needs what it was made of any more. */
function told(prepared: Prepared | undefined, keepsSent: boolean): Pick<Made, "prepared" | "sent"> {
  if (prepared === undefined) return { prepared, sent: undefined };
  const { bytes, ...rest } = prepared;
  return { prepared: rest, sent: keepsSent ? bytes : undefined };
}

function withoutImage({ image: _, ...rest }: Removal): Made["removal"] {
  return rest;
}

type Composition = ComposeOptions & { readonly maxBytes: number };
type Finished = Pick<Made, "result" | "isOpaque" | "kept">;

/** The service's answer as the file that was asked for. */
async function finish(
  ctx: Ctx,
  removal: Removal,
  wishes: Wishes,
  options: Composition,
): Promise<Finished> {
  const { image, format } = removal;
  if (format !== "zip") return asSent(ctx, removal, wishes, options);
  if (wishes.format === "zip" && image.length <= options.maxBytes) {
    const { width, height } = removal;
    const result = { bytes: image, format, width, height, fitted: "asked" } as const;
    return { result, isOpaque: false, kept: undefined };
  }
  const result = await composedTwice(ctx, image, options);
  const isOpaque = options.backdrop !== undefined || result.format === "jpg";
  const fitted = wishes.format === "zip" ? "opened" : result.fitted;
  return { result: { ...result, fitted }, isOpaque, kept: isOpaque ? ctx.keep(image) : undefined };
}

/** Composing costs nothing, and what was paid for is worth a second try when the worker died of it. */
async function composedTwice(ctx: Ctx, image: Buffer, options: Composition): Promise<Composed> {
  try {
    return await composed(ctx, image, options);
  } catch (error) {
    if (!(error instanceof BotError) || error.code !== "picture_worker") throw error;
    ctx.log.warn("composing is tried again", { code: error.code, reason: error.message });
    return composed(ctx, image, options);
  }
}

/** A file that the service made whole goes out as it is, or smaller when it has to. */
async function asSent(
  ctx: Ctx,
  { image, format, width, height }: Removal,
  wishes: Wishes,
  { maxBytes, signal }: Composition,
): Promise<Finished> {
  const isOpaque = wishes.maskOnly === true || wishes.ground?.kind === "link" || format === "jpg";
  if (image.length <= maxBytes) {
    const result = { bytes: image, format, width, height, fitted: "asked" } as const;
    return { result, isOpaque, kept: undefined };
  }
  const job = signal === undefined ? {} : { signal };
  if (!isOpaque) {
    const result = await asWebp(ctx, image, { maxBytes, ...job });
    if (result !== undefined) return { result, isOpaque, kept: undefined };
  }
  const side = Math.max(width ?? mostSide, height ?? mostSide);
  const place = { width: side, height: side, shape: "inside", format: "jpeg" } as const;
  const fitted = await ctx.images.fit(image, { ...place, maxBytes, ...job });
  const changed = fitted.fitted === "resized" ? "smaller" : "quality";
  const result = { ...fitted, format: "jpg", fitted: changed } as const;
  return { result, isOpaque, kept: undefined };
}

/** Undefined when nothing shows through what the service sent, although it might. */
async function asWebp(
  { images }: Ctx,
  image: Buffer,
  options: Omit<ComposeOptions, "format">,
): Promise<Composed | undefined> {
  try {
    return await images.compose(image, { format: "webp", ...options });
  } catch (error) {
    if (error instanceof BotError && error.code === "picture_opaque") return undefined;
    throw error;
  }
}

/** Longer than any side the service answers; only a smaller place changes anything. */
const mostSide = 16_000;

/** What fails once the service has answered has been charged for, and says so. */
export function afterCharge(error: unknown, removal: Removal): unknown {
  if (!(error instanceof BotError) || error.code === "cancelled") return error;
  return new ServiceError("the result was charged for and could not be composed", {
    code: error.code,
    hint: error.hint,
    outcome: "part",
    facts: { ...error.facts, charged: removal.creditsCharged ?? "unknown" },
    cause: error,
  });
}

/**
 * Composes a cut-out. A PNG of more pixels than a PNG may have becomes a WebP: how many are left of a cropped picture, or
 * of one that the service fetched, shows only once it is paid for.
 */
export async function composed(
  { images }: Ctx,
  cutout: Uint8Array,
  options: ComposeOptions,
): Promise<Composed> {
  try {
    return await images.compose(cutout, options);
  } catch (error) {
    if (!(error instanceof BotError) || error.code !== "png_too_large") throw error;
    const made = await images.compose(cutout, { ...options, format: "webp" });
    return { ...made, fitted: made.fitted === "asked" ? "webp" : made.fitted };
  }
}
