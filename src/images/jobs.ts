import { type BotErrorOptions, InputError, ServiceError } from "../errors.ts";
import { compose } from "./cutout/compose.ts";
import { proveResult } from "./cutout/prove-result.ts";
import { composeSquare } from "./cutout/square.ts";
import { drawChart } from "./draw/chart.ts";
import { drawPreview } from "./draw/preview.ts";
import { composeSheet } from "./draw/sheet.ts";
import { composeThumbnail, findUnwritable } from "./draw/thumbnail.ts";
import { fitPicture } from "./fit/fit-picture.ts";
import { inspectPicture, prepareForService } from "./fit/prepare.ts";
import type {
  ChartOptions,
  ComposeOptions,
  FitOptions,
  PreviewOptions,
  SheetOptions,
  SquareOptions,
  ThumbnailOptions,
} from "./types.ts";

/** A request to the worker, without the bytes. A backdrop's picture is the second input. */
export type PictureRequest =
  | { readonly job: "inspect"; readonly isProven: boolean }
  | { readonly job: "prove" }
  | { readonly job: "prepare"; readonly maxBytes: number; readonly maxPixels: number }
  | { readonly job: "fit"; readonly options: Omit<FitOptions, "signal"> }
  | { readonly job: "compose"; readonly options: Omit<ComposeOptions, "signal"> }
  | { readonly job: "square"; readonly options: Omit<SquareOptions, "signal"> }
  | { readonly job: "thumbnail"; readonly options: Omit<ThumbnailOptions, "signal"> }
  | { readonly job: "sheet"; readonly options: Omit<SheetOptions, "signal"> }
  | { readonly job: "preview"; readonly options: Omit<PreviewOptions, "signal"> }
  | { readonly job: "letters"; readonly title: string }
  | { readonly job: "chart"; readonly options: Omit<ChartOptions, "signal"> };

/** A request as it goes through the pipe. The inputs follow it, with these lengths. */
export interface PictureTask {
  readonly request: PictureRequest;
  readonly lengths: readonly number[];
}

/** The worker's answer, without the bytes. */
export type WorkerAnswer =
  | { readonly result: object; readonly isSame: boolean }
  | { readonly error: WireError }
  /** Sent by the worker just before it kills itself. */
  | { readonly gone: "memory" };

interface WireError {
  readonly kind: "input" | "service";
  readonly message: string;
  readonly options: BotErrorOptions;
}

export interface PictureJobResult {
  readonly answer: WorkerAnswer;
  readonly bytes?: Buffer;
}

/** Does one job; never throws, because a refusal is an answer too. */
export async function runPictureJob(
  request: PictureRequest,
  inputs: readonly Buffer[],
): Promise<PictureJobResult> {
  try {
    const { bytes, ...result } = await perform(request, inputs);
    const isSame = bytes !== undefined && bytes === inputs[0];
    return { answer: { result, isSame }, ...(bytes && !isSame && { bytes }) };
  } catch (error) {
    return { answer: { error: toWireError(error) } };
  }
}

async function perform(
  request: PictureRequest,
  inputs: readonly Buffer[],
): Promise<object & { readonly bytes?: Buffer }> {
  const [input = Buffer.alloc(0), second] = inputs;
  switch (request.job) {
    case "inspect":
      return inspectPicture(input, request);
    case "prove":
      return proveResult(input);
    case "prepare":
      return prepareForService(input, request);
    case "fit":
      return fitPicture(input, request.options);
    case "compose":
      return compose(input, withPicture(request.options, second));
    case "square":
      return composeSquare(input, request.options);
    case "thumbnail":
      return composeThumbnail(input, withPicture(request.options, second));
    case "sheet":
      return composeSheet(inputs, request.options);
    case "preview":
      return drawPreview(input, request.options);
    case "letters":
      return findUnwritable(request.title);
    case "chart":
      return drawChart(request.options);
  }
}

function withPicture<O extends Pick<ComposeOptions | ThumbnailOptions, "backdrop">>(
  options: O,
  bytes?: Buffer,
): O {
  if (options.backdrop?.kind !== "picture" || bytes === undefined) return options;
  return { ...options, backdrop: { kind: "picture", bytes } };
}

function toWireError(error: unknown): WireError {
  if (error instanceof InputError || error instanceof ServiceError) {
    const { kind, message, code, outcome, facts } = error;
    const cause = error.cause instanceof Error ? error.cause.message : undefined;
    return { kind, message, options: { code, outcome, facts, cause } };
  }
  const options = { code: "picture_worker", facts: { end: "died" } };
  return { kind: "service", message: `picture work failed: ${String(error)}`, options };
}

/** The error as it was thrown in the worker. */
export function errorFromWire({ kind, message, options }: WireError): InputError | ServiceError {
  return kind === "input" ? new InputError(message, options) : new ServiceError(message, options);
}
