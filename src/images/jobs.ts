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
import type { ComposeOptions, ThumbnailOptions } from "./types.ts";

type Inputs = readonly [Buffer, ...Buffer[]];

/** What the worker does: from the bytes and options of a job to its result. A backdrop's picture is the second input. */
const jobs = {
  inspect: ([picture]: Inputs, options: { readonly isProven?: boolean }) =>
    inspectPicture(picture, options),
  prove: ([result]: Inputs, _: object) => proveResult(result),
  prepare: ([picture]: Inputs, options: Options<typeof prepareForService>) =>
    prepareForService(picture, options),
  fit: ([picture]: Inputs, options: Options<typeof fitPicture>) => fitPicture(picture, options),
  compose: ([cutout, behind]: Inputs, options: Options<typeof compose>) =>
    compose(cutout, withPicture(options, behind)),
  square: ([cutout]: Inputs, options: Options<typeof composeSquare>) =>
    composeSquare(cutout, options),
  thumbnail: ([cutout, behind]: Inputs, options: Options<typeof composeThumbnail>) =>
    composeThumbnail(cutout, withPicture(options, behind)),
  sheet: (pictures: Inputs, options: Options<typeof composeSheet>) =>
    composeSheet(pictures, options),
  preview: ([picture]: Inputs, options: Options<typeof drawPreview>) =>
    drawPreview(picture, options),
  letters: (_: Inputs, { title }: { readonly title: string }) => findUnwritable(title),
  chart: (_: Inputs, options: Parameters<typeof drawChart>[0]) => drawChart(options),
} as const;

type Options<W extends (input: never, options: never) => unknown> = Parameters<W>[1];

type Jobs = typeof jobs;
export type JobName = keyof Jobs;
export type JobResult<J extends JobName> = Awaited<ReturnType<Jobs[J]>>;

/** A request to the worker, without the bytes. */
export type PictureRequest = {
  [J in JobName]: { readonly job: J; readonly options: Parameters<Jobs[J]>[1] };
}[JobName];

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

/** Does one job; never throws, because a refusal is an answer too. */
export async function runPictureJob(
  request: PictureRequest,
  inputs: readonly Buffer[],
): Promise<{ readonly answer: WorkerAnswer; readonly bytes?: Buffer }> {
  try {
    const perform = jobs[request.job] as (
      inputs: Inputs,
      options: object,
    ) => Promise<object & { readonly bytes?: Buffer }>;
    const [first = Buffer.alloc(0), ...rest] = inputs;
    // The compiler does not see that both are of the same job.
    const { bytes, ...result } = await perform([first, ...rest], request.options);
    const isSame = bytes !== undefined && bytes === inputs[0];
    return { answer: { result, isSame }, ...(bytes && !isSame && { bytes }) };
  } catch (error) {
    return { answer: { error: toWireError(error) } };
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
