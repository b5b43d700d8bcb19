import { type BotErrorOptions, InputError, ServiceError } from "../errors.ts";
import { compose } from "./cutout/compose.ts";
import { square } from "./cutout/square.ts";
import { chart } from "./draw/chart.ts";
import { sheet } from "./draw/sheet.ts";
import { thumbnail } from "./draw/thumbnail.ts";
import { fitPicture } from "./fit/fit-picture.ts";
import { inspect, prepare } from "./fit/prepare.ts";
import type {
  Backdrop,
  ChartOptions,
  ComposeOptions,
  FitOptions,
  SheetOptions,
  SquareOptions,
  ThumbnailOptions,
} from "./types.ts";

/** What is asked of the worker, beside the bytes. A backdrop's picture is the second input. */
export type Request =
  | { readonly job: "inspect"; readonly isProven: boolean }
  | { readonly job: "prepare"; readonly maxBytes: number; readonly maxPixels: number }
  | { readonly job: "fit"; readonly options: Omit<FitOptions, "signal"> }
  | { readonly job: "compose"; readonly options: Omit<ComposeOptions, "signal"> }
  | { readonly job: "square"; readonly options: Omit<SquareOptions, "signal"> }
  | { readonly job: "thumbnail"; readonly options: Omit<ThumbnailOptions, "signal"> }
  | { readonly job: "sheet"; readonly options: Omit<SheetOptions, "signal"> }
  | { readonly job: "chart"; readonly options: Omit<ChartOptions, "signal"> };

/** As it goes through the pipe: the inputs follow, each of its length. */
export interface Task {
  readonly request: Request;
  readonly lengths: readonly number[];
}

/** What the worker says, beside the bytes. */
export type Answer =
  | { readonly result: object; readonly isSame: boolean }
  | { readonly error: Wire }
  /** The worker's last words: it is about to end itself. */
  | { readonly gone: "memory" };

interface Wire {
  readonly kind: "input" | "service";
  readonly message: string;
  readonly options: BotErrorOptions;
}

export interface Outcome {
  readonly answer: Answer;
  readonly bytes?: Buffer;
}

/** Does one job; never throws, because a refusal is an answer too. */
export async function runJob(request: Request, inputs: readonly Buffer[]): Promise<Outcome> {
  try {
    const { bytes, ...result } = await perform(request, inputs);
    const isSame = bytes !== undefined && bytes === inputs[0];
    return { answer: { result, isSame }, ...(bytes && !isSame && { bytes }) };
  } catch (error) {
    return { answer: { error: toWire(error) } };
  }
}

async function perform(
  request: Request,
  inputs: readonly Buffer[],
): Promise<object & { readonly bytes?: Buffer }> {
  const [input = Buffer.alloc(0), second] = inputs;
  switch (request.job) {
    case "inspect":
      return inspect(input, request);
    case "prepare":
      return prepare(input, request);
    case "fit":
      return fitPicture(input, request.options);
    case "compose":
      return compose(input, withPicture(request.options, second));
    case "square":
      return square(input, request.options);
    case "thumbnail":
      return thumbnail(input, withPicture(request.options, second));
    case "sheet":
      return sheet(inputs, request.options);
    case "chart":
      return chart(request.options);
  }
}

function withPicture<O extends { readonly backdrop?: Backdrop }>(options: O, bytes?: Buffer): O {
  if (options.backdrop?.kind !== "picture" || bytes === undefined) return options;
  return { ...options, backdrop: { kind: "picture", bytes } };
}

function toWire(error: unknown): Wire {
  if (error instanceof InputError || error instanceof ServiceError) {
    const { kind, message, code, outcome, facts } = error;
    const cause = error.cause instanceof Error ? error.cause.message : undefined;
    return { kind, message, options: { code, outcome, facts, cause } };
  }
  const options = { code: "picture_worker", facts: { end: "died" } };
  return { kind: "service", message: `picture work failed: ${String(error)}`, options };
}

/** The error as it was thrown in the worker. */
export function fromWire({ kind, message, options }: Wire): InputError | ServiceError {
  return kind === "input" ? new InputError(message, options) : new ServiceError(message, options);
}
