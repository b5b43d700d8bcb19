import { NetworkError } from "../../errors.ts";
import type { HttpRequest, HttpResponse } from "../../http/index.ts";
import type { DoctorContext } from "./finding.ts";

export const answerTimeoutMs = 5_000;

/** An answer and the time of the request, or why there is none. */
export type ServiceAnswer =
  | { readonly response: HttpResponse; readonly at: number; readonly failure?: never }
  | { readonly response?: never; readonly failure: RequestFailure };

export interface RequestFailure {
  readonly found: string;
  readonly advice: string;
}

type DoctorRequest = Pick<HttpRequest, "url"> &
  Partial<Pick<HttpRequest, "method" | "headers" | "body">>;

/** Sends a request once. Any status counts as an answer. */
export async function requestOnce(
  { http, now }: Pick<DoctorContext, "http" | "now">,
  asking: DoctorRequest,
): Promise<ServiceAnswer> {
  const startedAt = now();
  try {
    const response = await http.request({
      method: "GET",
      ...asking,
      retry: "read",
      tries: 1,
      deadlineMs: answerTimeoutMs,
      silenceMs: answerTimeoutMs,
      maxBytes: 4 * 1024 * 1024,
    });
    return { response, at: (startedAt + now()) / 2 };
  } catch (error) {
    return { failure: describeRequestFailure(error) };
  }
}

export function postFormOnce(
  context: DoctorContext,
  url: string,
  fields: Readonly<Record<string, string>>,
): Promise<ServiceAnswer> {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const body = `${new URLSearchParams(fields)}`;
  return requestOnce(context, { method: "POST", url, headers, body });
}

/** The answer's JSON; an empty object for anything else. */
export function parseJsonBody({ body }: HttpResponse): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(body.toString()));
  } catch {
    return {};
  }
}

/** This is wrong whether or not the bot runs. */
export const unknownHostName = {
  found: "its name cannot be resolved",
  advice: "Check the address, and this machine's DNS.",
};
const route = {
  found: "no route to it",
  advice: "Check this machine's network and its firewall.",
};
const silence = {
  found: `no answer within ${answerTimeoutMs / 1000} s`,
  advice: "Check the firewall, and whether this machine needs a proxy.",
};
const broken = {
  found: "the connection was cut",
  advice: "Check the address, and the proxies and firewalls on the way.",
};

const failures: Readonly<Record<string, RequestFailure>> = {
  ENOTFOUND: unknownHostName,
  EAI_AGAIN: unknownHostName,
  ECONNREFUSED: {
    found: "nothing listens there",
    advice: "Check the address and its port, and whether that service runs.",
  },
  EHOSTUNREACH: route,
  ENETUNREACH: route,
  UND_ERR_CONNECT_TIMEOUT: silence,
};

function describeRequestFailure(error: unknown): RequestFailure {
  if (!(error instanceof NetworkError)) throw error;
  const code = findCode(error.cause);
  const known = failures[code];
  if (known !== undefined) return known;
  if (/CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL|EPROTO/.test(code)) {
    return {
      found: `TLS failed (${code})`,
      advice:
        "Check that https is served there, that its certificate is valid, and this machine's clock. For certificates of your own set NODE_EXTRA_CA_CERTS.",
    };
  }
  return error.code === "timeout" ? silence : broken;
}

function findCode(cause: unknown): string {
  const { code, cause: deeper } = Object(cause) as { code?: unknown; cause?: unknown };
  if (typeof code === "string") return code;
  return deeper === undefined ? "" : findCode(deeper);
}
