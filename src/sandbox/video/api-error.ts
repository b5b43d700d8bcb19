import fixedErrors from "./fixed-errors.json" with { type: "json" };

/** Names that newer errors have beside the status; errors of YouTube's own domains have none. */
const statusNames = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  409: "ALREADY_EXISTS",
  412: "FAILED_PRECONDITION",
  413: undefined,
  416: "OUT_OF_RANGE",
  429: "RESOURCE_EXHAUSTED",
} as const;

type ErrorStatus = keyof typeof statusNames;

interface ApiErrorOptions {
  readonly reason: string;
  readonly message: string;
  /** `youtube.parameter` and the like; `global` when absent. */
  readonly domain?: string;
  /** What is wrong in the request. */
  readonly place?:
    | { readonly parameter: string }
    | { readonly header: string }
    | { readonly other: string };
}

/** Ends a request with YouTube's error envelope. */
export class ApiError extends Error {
  readonly status: ErrorStatus;
  readonly options: ApiErrorOptions;

  constructor(status: ErrorStatus, options: ApiErrorOptions) {
    super(options.message);
    this.status = status;
    this.options = options;
  }

  /** `{ error: { code, message, errors: [{ message, domain, reason, location?, locationType? }], status? } }`. */
  body(): object {
    const { reason, message, domain = "global", place = {} } = this.options;
    const [[locationType, location] = []] = Object.entries<string>(place);
    return {
      error: {
        code: this.status,
        message,
        errors: [{ message, domain, reason, location, locationType }],
        status: domain.startsWith("youtube.") ? undefined : statusNames[this.status],
      },
    };
  }
}

/** An error of `fixed-errors.json`: its words do not depend on the request. */
export function fixedError(name: keyof typeof fixedErrors): ApiError {
  const { status, ...options } = fixedErrors[name];
  // The compiler reads a number of a JSON file as any number.
  return new ApiError(status as ErrorStatus, options);
}

/** A 400 about one query parameter. */
export function badParameter(
  parameter: string,
  message: string,
  reason: string = "invalidParameter",
): ApiError {
  const domain = "youtube.parameter";
  return new ApiError(400, { reason, message, domain, place: { parameter } });
}

/** A 400 about the body, or about one field of it by its place. */
export function badBody(resource: string, reason: string, field?: string): ApiError {
  const other = field === undefined ? "body" : `body.${field}`;
  return new ApiError(400, {
    reason,
    message: `The request's ${other} is missing, or its value is not accepted (${reason}).`,
    domain: resource === "" ? "global" : `youtube.${resource}`,
    place: { other },
  });
}

/** A 403 about something that is not the caller's, in the domain of its resource. */
export function forbidden(resource: string, reason: string = "forbidden"): ApiError {
  return new ApiError(403, {
    reason,
    message: "The request is not properly authorized for what it asks.",
    domain: `youtube.${resource}`,
  });
}

/** A 404 about something that a parameter names, in the domain of its resource. */
export function notFound(resource: string, reason: string, parameter: string): ApiError {
  return new ApiError(404, {
    reason,
    message: `The ${reason.replace("NotFound", "")} identified with the request's ${parameter} parameter cannot be found.`,
    domain: `youtube.${resource}`,
    place: { parameter },
  });
}

/** A 404 about something that a field of the body names. */
export function notFoundInBody(resource: string, reason: string, field: string): ApiError {
  return new ApiError(404, {
    reason,
    message: `What the request's body.${field} names can't be found.`,
    domain: `youtube.${resource}`,
    place: { other: `body.${field}` },
  });
}

export function bodyTooLarge(maxBytes: number): ApiError {
  const message = `The body is larger than the ${maxBytes} bytes that are accepted.`;
  return new ApiError(413, { reason: "uploadTooLarge", message });
}
