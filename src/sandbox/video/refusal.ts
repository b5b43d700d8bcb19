import refusals from "./refusals.json" with { type: "json" };

/** Where a fault was found. */
interface RefusalPlace {
  readonly location: string;
  readonly locationType: "parameter" | "header" | "other";
}

interface RefusalOptions {
  readonly reason: string;
  readonly message: string;
  /** `youtube.parameter` and the like; `global` when absent. */
  readonly domain?: string;
  readonly place?: RefusalPlace;
}

/** Names that newer errors have beside the status; errors of the service's own domains have none. */
const statusNames: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  409: "ALREADY_EXISTS",
  412: "FAILED_PRECONDITION",
  416: "OUT_OF_RANGE",
  429: "RESOURCE_EXHAUSTED",
};

type VideoRefusalStatus = 400 | 401 | 403 | 404 | 409 | 410 | 412 | 413 | 416 | 429;

/** Ends a request with the service's error envelope. */
export class ApiRefusal extends Error {
  readonly status: VideoRefusalStatus;
  readonly options: RefusalOptions;

  constructor(status: VideoRefusalStatus, options: RefusalOptions) {
    super(options.message);
    this.status = status;
    this.options = options;
  }

  /** `{ error: { code, message, errors: [{ message, domain, reason, location?, locationType? }], status? } }`. */
  body(): object {
    const { reason, message, domain = "global", place } = this.options;
    const status = statusNames[this.status];
    return {
      error: {
        code: this.status,
        message,
        errors: [{ message, domain, reason, ...place }],
        ...(!domain.startsWith("youtube.") && status !== undefined && { status }),
      },
    };
  }
}

/** One of `refusals.json`: those that say the same whatever was asked. */
export function refusal(name: keyof typeof refusals): ApiRefusal {
  const { status, ...options } = refusals[name];
  // The compiler reads numbers and words of a JSON file as any number and any word.
  return new ApiRefusal(status as VideoRefusalStatus, options as RefusalOptions);
}

/** A 400 about one query parameter. */
export function badParameter(
  name: string,
  message: string,
  reason: string = "invalidParameter",
): ApiRefusal {
  const place = { location: name, locationType: "parameter" } as const;
  return new ApiRefusal(400, { reason, message, domain: "youtube.parameter", place });
}

/** A 400 about the body, or about one field of it by its place. */
export function badBody(resource: string, reason: string, field?: string): ApiRefusal {
  const location = field === undefined ? "body" : `body.${field}`;
  return new ApiRefusal(400, {
    reason,
    message: `The request's ${location} is missing, or its value is not accepted (${reason}).`,
    domain: resource === "" ? "global" : `youtube.${resource}`,
    place: { location, locationType: "other" },
  });
}

/** A 403 about something that is not the caller's, in the domain of its resource. */
export function forbidden(resource: string, reason: string = "forbidden"): ApiRefusal {
  return new ApiRefusal(403, {
    reason,
    message: "The request is not properly authorized for what it asks.",
    domain: `youtube.${resource}`,
  });
}

/** A 404 about something the request names, in the domain of its resource. */
export function notFound(resource: string, reason: string, parameter: string): ApiRefusal {
  return new ApiRefusal(404, {
    reason,
    message: `The ${reason.replace("NotFound", "")} identified with the request's ${parameter} parameter cannot be found.`,
    domain: `youtube.${resource}`,
    place: { location: parameter, locationType: "parameter" },
  });
}
