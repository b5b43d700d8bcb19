import { createHttp, type Http, type HttpResponse } from "../http/index.ts";
import { accountOf } from "./account.ts";
import { requireKey, translate } from "./failure.ts";
import { formOf } from "./form.ts";
import { createPacer, type Pacer } from "./pace.ts";
import { rateLimitOf, removalOf } from "./removal.ts";
import type { BackgroundClient, RemoveBackgroundRequest, RemoveOptions } from "./types.ts";

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
}

/** A picture that is not done by then is given up: Discord takes no answer after 15 minutes. */
const paidDeadlineMs = 14 * 60_000;

/**
 * A client for one API key. A cut-out is paid for, so it is never sent again once its answer may have been lost.
 * @throws ConnectError `background_key_refused` when the key can't be one.
 */
export function createBackgroundClient(options: BackgroundClientOptions): BackgroundClient {
  const { apiKey, http = createHttp(), now = Date.now, pacer = createPacer({ now }) } = options;
  requireKey(apiKey);
  const baseUrl = options.baseUrl.replace(/\/+$/, "");
  // The service answers JSON when it is preferred; errors are JSON in any case.
  const headers = { "x-api-key": apiKey, accept: "*/*" };

  async function removeBackground(
    request: RemoveBackgroundRequest,
    { signal }: RemoveOptions = {},
  ): Promise<ReturnType<typeof removalOf>> {
    const form = formOf(request);
    const endAt = now() + paidDeadlineMs;
    const { megapixels } = request;
    await pacer.admit({
      deadlineAt: endAt,
      ...(megapixels !== undefined && { megapixels }),
      ...(signal && { signal }),
    });
    const response = await translate("removebg", now, () =>
      http.request({
        method: "POST",
        url: `${baseUrl}/removebg`,
        headers,
        body: form,
        retry: "paid",
        deadlineMs: endAt - now(),
        ...(signal && { signal }),
      }),
    );
    correctPace(response);
    return removalOf(response);
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

  async function improve(): Promise<never> {
    throw new TypeError("not there yet");
  }

  return { removeBackground, account, improve };
}
