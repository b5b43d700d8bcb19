import { createHttp, type Http, type HttpResponse } from "../http/index.ts";
import { accountOf } from "./account.ts";
import { bodyOf } from "./body.ts";
import { checkRequest } from "./check/check-request.ts";
import { requireKey, translate } from "./failure.ts";
import { fieldsOf, noticesOf } from "./fields.ts";
import { improveBodyOf, improvementOf } from "./improvement.ts";
import { createPacer, type Pacer } from "./pace.ts";
import { rateLimitOf, removalOf } from "./removal.ts";
import type {
  BackgroundClient,
  CallOptions,
  ImproveRequest,
  RemoveBackgroundRequest,
  RemoveOptions,
} from "./types.ts";

export interface BackgroundClientOptions {
  /** Ends with the version, like `https://api.remove.bg/v1.0`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Shared pool; one is made when absent. */
  readonly http?: Http;
  /** Milliseconds since the epoch; `Date.now` when absent. */
  readonly now?: () => number;
  /** Shared by all clients of this key; one is made when absent. */
  readonly pacer?: Pacer;
  /** Most bytes of a picture; 12 MB when absent (interface specification, limits). */
  readonly maxBytes?: number;
}

/** A picture that is not done by then is given up: Discord takes no answer after 15 minutes. */
const paidDeadlineMs = 14 * 60_000;
const defaultMaxBytes = 12_000_000;

/**
 * A client for one API key. A cut-out is paid for, so it is never sent again once its answer may have been lost.
 * @throws ConnectError `background_key_refused` when the key can't be one.
 */
export function createBackgroundClient(options: BackgroundClientOptions): BackgroundClient {
  const { apiKey, http = createHttp(), now = Date.now, pacer = createPacer({ now }) } = options;
  const { maxBytes = defaultMaxBytes } = options;
  requireKey(apiKey);
  const baseUrl = options.baseUrl.replace(/\/+$/, "");
  const headers = { "x-api-key": apiKey, accept: "*/*" };

  async function removeBackground(request: RemoveBackgroundRequest, how: RemoveOptions = {}) {
    const { signal, body = "multipart", answer = "file" } = how;
    const { megapixels, ...checked } = checkRequest(request, { body, maxBytes });
    const fields = fieldsOf(request);
    const sendable = bodyOf(body, { ...checked, fields, name: request.imageName });
    const endAt = now() + paidDeadlineMs;
    await pacer.admit({
      deadlineAt: endAt,
      ...(megapixels !== undefined && { megapixels }),
      ...(signal && { signal }),
    });
    const response = await translate("removebg", now, () =>
      http.request({
        method: "POST",
        url: `${baseUrl}/removebg`,
        // The service answers JSON when it is asked for; errors are JSON in any case.
        headers: {
          ...headers,
          ...sendable.headers,
          accept: answer === "json" ? "application/json" : "*/*",
        },
        body: sendable.body,
        retry: "paid",
        deadlineMs: endAt - now(),
        ...(signal && { signal }),
      }),
    );
    correctPace(response);
    return { ...removalOf(response), notices: noticesOf(request) };
  }

  async function account({ signal }: RemoveOptions = {}) {
    const response = await translate("account", now, () =>
      http.request({
        method: "GET",
        url: `${baseUrl}/account`,
        headers,
        retry: "read",
        ...(signal && { signal }),
      }),
    );
    return accountOf(response);
  }

  function correctPace({ headers: answered }: HttpResponse): void {
    const rate = rateLimitOf(answered);
    if (rate) pacer.correct(rate);
  }

  async function improve(request: ImproveRequest, how: CallOptions = {}) {
    const { signal, body = "multipart" } = how;
    const sendable = improveBodyOf(request, { body, maxBytes });
    const response = await translate("improve", now, () =>
      http.request({
        method: "POST",
        url: `${baseUrl}/improve`,
        headers: { ...headers, ...sendable.headers },
        body: sendable.body,
        retry: "paid",
        deadlineMs: 120_000,
        ...(signal && { signal }),
      }),
    );
    return improvementOf(response);
  }

  return { removeBackground, account, improve };
}
