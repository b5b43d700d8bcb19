import { type BotErrorOptions, InputError, ServiceError } from "../errors.ts";
import { compose } from "./compose.ts";
import { fitPicture } from "./fit-picture.ts";
import { inspect, prepare } from "./prepare.ts";
import type { ComposeOptions, FitOptions } from "./types.ts";

/** What is asked of the worker, beside the bytes. */
export type Request =
  | { readonly job: "inspect" }
  | { readonly job: "prepare"; readonly maxBytes: number; readonly maxPixels: number }
  | { readonly job: "fit"; readonly options: Omit<FitOptions, "signal"> }
  | { readonly job: "compose"; readonly options: Omit<ComposeOptions, "signal"> };

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
export async function runJob(request: Request, input: Buffer): Promise<Outcome> {
  try {
    const { bytes, ...result } = await perform(request, input);
    const isSame = bytes === input;
    return { answer: { result, isSame }, ...(bytes && !isSame && { bytes }) };
  } catch (error) {
    return { answer: { error: toWire(error) } };
  }
}

async function perform(
  request: Request,
  input: Buffer,
): Promise<object & { readonly bytes?: Buffer }> {
  switch (request.job) {
    case "inspect":
      return inspect(input);
    case "prepare":
      return prepare(input, request);
    case "fit":
      return fitPicture(input, request.options);
    case "compose":
      return compose(input, request.options);
  }
}

function toWire(error: unknown): Wire {
  if (error instanceof InputError || error instanceof ServiceError) {
    const { kind, message, code, hint, outcome, facts } = error;
    const cause = error.cause instanceof Error ? error.cause.message : undefined;
    return { kind, message, options: { code, hint, outcome, facts, cause } };
  }
  const options = {
    code: "picture_worker",
    hint: "The picture could not be worked on. Try again.",
    facts: { end: "died" },
  };
  return { kind: "service", message: `picture work failed: ${String(error)}`, options };
}

/** The error as it was thrown in the worker. */
export function fromWire({ kind, message, options }: Wire): InputError | ServiceError {
  return kind === "input" ? new InputError(message, options) : new ServiceError(message, options);
}
