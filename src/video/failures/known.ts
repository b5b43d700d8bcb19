import {
  AccessError,
  type BotError,
  type BotErrorOptions,
  ConnectError,
  InputError,
  LimitError,
  ServiceError,
} from "../../errors.ts";

/** How one reason of the service is told. */
export interface Known {
  readonly kind: "input" | "access" | "connect" | "limit" | "service";
  readonly hint: string;
  /** The reason in snake_case when absent. */
  readonly code?: string;
  /** What was asked for is there already: whoever wanted it has it. */
  readonly isThere?: true;
}

/**
 * By the service's reason. Where the same word means something else, the status or the method follows it:
 * `channelNotFound 403`, `forbidden comments.delete`.
 */
export type KnownFailures = Readonly<Record<string, Known>>;

/** What the person gave can't be used. */
export const input = knownAs("input");
/** The account may not do that. */
export const access = knownAs("access");
/** A key, a link or a setting of the operator has to be mended. */
export const connect = knownAs("connect");
/** Too much, for now or for good. */
export const limit = knownAs("limit");
/** The service's own trouble. */
export const service = knownAs("service");

/** It is there already; told plainly, because nothing is wrong. */
export function isThere(hint: string): Known {
  return { kind: "input", hint, isThere: true };
}

function knownAs(kind: Known["kind"]) {
  return (hint: string, code?: string): Known => ({ kind, hint, ...(code && { code }) });
}

/** `videoNotFound` -> `video_not_found`. */
export function snakeCase(reason: string): string {
  return reason.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}

/** The class of each kind. */
export const classes = {
  input: InputError,
  access: AccessError,
  connect: ConnectError,
  limit: LimitError,
  service: ServiceError,
} as const;

export type BuildOptions = Pick<BotErrorOptions, "facts" | "outcome"> & {
  readonly code: string;
  readonly retryAt?: Date | undefined;
};

export function build(
  { kind, hint, isThere: there }: Known,
  message: string,
  { code, facts, outcome = "nothing", retryAt }: BuildOptions,
): BotError {
  return new classes[kind](message, {
    ...{ code, hint, outcome },
    facts: { ...facts, ...(there && { isThere: true }) },
    ...(retryAt && { retryAt }),
  });
}
