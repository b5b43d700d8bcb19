import {
  AccessError,
  type BotError,
  type BotErrorOptions,
  ConnectError,
  InputError,
  LimitError,
  ServiceError,
} from "../../errors.ts";
import { type KnownFailure, oauthFailures, serviceFailures } from "./reasons.ts";

const failuresByReason: ReadonlyMap<string, KnownFailure> = new Map(
  [serviceFailures, oauthFailures].flatMap((table) => Object.entries(table)),
);

type NamedFailure = KnownFailure & { readonly code: string };

/** What a reason means with this status, else with this method or its verb, else alone. */
export function failureByReason(
  reason: string,
  status: number,
  method: string,
): NamedFailure | undefined {
  const found =
    failuresByReason.get(`${reason} ${status}`) ??
    failuresByReason.get(`${reason} ${method}`) ??
    failuresByReason.get(`${reason} ${method.slice(method.indexOf(".") + 1)}`) ??
    failuresByReason.get(reason);
  if (found !== undefined) return { code: snakeCase(reason), ...found };
  // YouTube adds reasons without notice; this ending has only one meaning.
  return reason.endsWith("NotFound") ? { kind: "input", code: snakeCase(reason) } : undefined;
}

/** What a status means, where the reason is unknown or missing. */
export function failureByStatus(status: number, reason?: string): NamedFailure {
  const code = reason === undefined ? undefined : snakeCase(reason);
  if (status === 401) return { kind: "connect", code: "auth" };
  if (status === 403) return { kind: "access", code: code ?? "forbidden" };
  if (status === 404 || status === 410) return { kind: "input", code: code ?? "not_found" };
  if (status === 413) return { kind: "input", code: code ?? "too_large" };
  if (status >= 400 && status < 500) return { kind: "input", code: code ?? "invalid_parameter" };
  return { kind: "service", code: status >= 500 ? "service_unavailable" : "unexpected_answer" };
}

export const webPage = { kind: "service", code: "web_page_answer" } as const satisfies NamedFailure;

/** `videoNotFound` -> `video_not_found`. */
export function snakeCase(reason: string): string {
  return reason.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}

export const errorClasses = {
  input: InputError,
  access: AccessError,
  connect: ConnectError,
  limit: LimitError,
  service: ServiceError,
} as const;

type BuildOptions = Pick<BotErrorOptions, "facts" | "outcome"> & {
  readonly retryAt?: Date | undefined;
};

export function buildError(
  { kind, code, isThere }: NamedFailure,
  message: string,
  { facts, outcome = "nothing", retryAt }: BuildOptions,
): BotError {
  return new errorClasses[kind](message, {
    code,
    outcome,
    facts: { ...facts, ...(isThere && { isThere }) },
    ...(retryAt && { retryAt }),
  });
}
