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
import type { ComposeOptions, SheetOptions, ThumbnailOptions } from "./types.ts";

/** What the worker does: from the first input of a job, its options and further inputs to its result. */
const jobs = {
  inspect: inspectPicture,
  prove: proveResult,
  prepare: prepareForService,
  fit: fitPicture,
  compose,
  square: composeSquare,
  thumbnail: composeThumbnail,
  sheet: (picture: Buffer, options: Omit<SheetOptions, "signal">, others: readonly Buffer[]) =>
    composeSheet([picture, ...others], options),
  preview: drawPreview,
  letters: (_: Buffer, options: Parameters<typeof findUnwritable>[0]) => findUnwritable(options),
  chart: (_: Buffer, options: Parameters<typeof drawChart>[0]) => drawChart(options),
} as const;

type Jobs = typeof jobs;
export type JobName = keyof Jobs;
export type JobResult<J extends JobName> = Awaited<ReturnType<Jobs[J]>>;

type OptionsOf<W> = W extends (input: Buffer, options: infer O, others: never) => unknown
  ? NonNullable<O>
  : never;

/** A request to the worker, without the bytes. */
export type PictureRequest = {
  [J in JobName]: { readonly job: J; readonly options: OptionsOf<Jobs[J]> };
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

/** Does one job; never throws, because an error is an answer too. */
export async function runPictureJob(
  request: PictureRequest,
  inputs: readonly Buffer[],
): Promise<{ readonly answer: WorkerAnswer; readonly bytes?: Buffer }> {
  try {
    // The compiler does not see that both are of the same job.
    const perform = jobs[request.job] as (
      input: Buffer,
      options: object,
      others: readonly Buffer[],
    ) => Promise<object & { readonly bytes?: Buffer }>;
    const [first = Buffer.alloc(0), ...others] = inputs;
    const [behind] = others;
    const { backdrop } = request.options as Backdropped;
    // A backdrop's picture comes as the second input.
    const isOnPicture = backdrop?.kind === "picture" && behind !== undefined;
    const filled = isOnPicture && { backdrop: { ...backdrop, bytes: behind } };
    const { bytes, ...result } = await perform(first, { ...request.options, ...filled }, others);
    const isSame = bytes !== undefined && bytes === inputs[0];
    return { answer: { result, isSame }, ...(bytes && !isSame && { bytes }) };
  } catch (error) {
    if (error instanceof InputError || error instanceof ServiceError) {
      const { kind, message, code, outcome, facts } = error;
      const cause = error.cause instanceof Error ? error.cause.message : undefined;
      return { answer: { error: { kind, message, options: { code, outcome, facts, cause } } } };
    }
    const options = { code: "picture_worker", facts: { end: "died" } };
    const message = `picture work failed: ${String(error)}`;
    return { answer: { error: { kind: "service", message, options } } };
  }
}

/** Options of a job that may have a backdrop. */
export type Backdropped = Partial<Pick<ComposeOptions | ThumbnailOptions, "backdrop">>;
