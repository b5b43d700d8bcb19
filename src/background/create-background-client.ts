import { rememberExhaustion, type SpendingMeter } from "../budget/index.ts";
import { BotError, LimitError } from "../errors.ts";
import { createHttp, type Http, type HttpRequest } from "../http/index.ts";
import { createKeyAllowance, type KeyAllowance, type KeyClient } from "./allowance.ts";
import { readAccountAnswer, readImprovement, readRateLimit, readRemoval } from "./answers.ts";
import { estimatePrice } from "./balance.ts";
import { checkRequest } from "./check-request.ts";
import { probePublic, rateLimited, requireKey, sendTranslated } from "./failure.ts";
import { encodeImprovement, encodeRequestBody, listNotices } from "./request-body.ts";
import { sendPaid } from "./send-paid.ts";
import type {
  BackgroundCallOptions,
  BackgroundClient,
  CreditAccount,
  ImproveRequest,
  ImproveResult,
  Removal,
  RemoveBackgroundRequest,
  RemoveOptions,
} from "./types.ts";

export interface BackgroundClientOptions {
  /** Ends with the version, like `https://api.remove.bg/v1.0`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Shared pool; one is made when absent. */
  readonly http?: Http;
  /** As in `HttpRequest`, for an address that a server chose. */
  readonly reach?: HttpRequest["reach"];
  /** The host to name in failures if a server uses another service than remove.bg. */
  readonly engineHost?: string | undefined;
  /** Milliseconds since the epoch; `Date.now` when absent. */
  readonly now?: () => number;
  /** Shared by all clients of this key; one is made when absent. */
  readonly allowance?: KeyAllowance;
  /** Whose calls these are, such as a server: tenants of one key take turns. */
  readonly tenant?: string;
  /** Who makes the calls: the people of one tenant take turns too. */
  readonly person?: string;
  /** Most bytes of a picture; 12 MB when absent (docs/services/removebg.md#input-limits). */
  readonly maxBytes?: number;
  /** Counts and limits what cut-outs cost; without it only remove.bg's own limits apply. */
  readonly credits?: SpendingMeter;
}

const defaultMaxBytes = 12_000_000;
/** Long enough to upload a picture of 12 MB. */
const improveDeadlineMs = 120_000;

/**
 * A client for one API key. Because a cut-out is paid for, it is never sent again once its answer may have been lost.
 * @throws ConnectError `background_key_refused` when the key has characters that no key has.
 */
export function createBackgroundClient(options: BackgroundClientOptions): BackgroundClient {
  const { apiKey, tenant, person, http = createHttp(), now = Date.now } = options;
  const { allowance = createKeyAllowance({ now }), maxBytes = defaultMaxBytes } = options;
  const { credits = rememberExhaustion(now), reach } = options;
  requireKey(apiKey);
  const baseUrl = /^.*[^/]/.exec(options.baseUrl)?.[0] ?? "";
  const client = {
    http,
    now,
    allowance,
    baseUrl,
    apiKey,
    maxBytes,
    credits,
    tenant,
    person,
    reach,
  };
  const named = <T>(call: Promise<T>) => nameHost(options.engineHost, call);
  return {
    removeBackground: (request, how = {}) => named(removeBackground(client, request, how)),
    probe: (how = {}) => named(probePublic(baseUrl, readAccount(client, how))),
    account: (how = {}) => named(readAccount(client, how)),
    rateLimit: allowance.rateLimits.last,
    improve: (request, how = {}) => named(improve(client, request, how)),
  };
}

/** Adds the host to errors of the call, so that messages name it instead of remove.bg. */
async function nameHost<T>(engineHost: string | undefined, call: Promise<T>): Promise<T> {
  return call.catch((error: unknown) => {
    const isOfService = error instanceof BotError && error.facts.service === "background";
    throw isOfService && engineHost !== undefined ? error.addFacts({ engineHost }) : error;
  });
}

async function removeBackground(
  client: KeyClient,
  request: RemoveBackgroundRequest,
  how: RemoveOptions,
): Promise<Removal> {
  const { baseUrl, apiKey, maxBytes } = client;
  const { signal, onQueued, onSend, body = "multipart", answer = "file" } = how;
  const { megapixels, ...content } = checkRequest(request, { body, maxBytes });
  const sendable = encodeRequestBody(body, { ...content, name: request.imageName });
  // remove.bg returns JSON if it is requested; errors are JSON in any case.
  const accept = answer === "json" ? "application/json" : "*/*";
  const price = estimatePrice(request.size, megapixels);
  return sendBooked(client.credits, price, async (sending) => {
    const response = await sendPaid(client, {
      ask: () => readAccount(client, {}),
      request: {
        url: `${baseUrl}/removebg`,
        headers: { "x-api-key": apiKey, ...sendable.headers, accept },
        body: sendable.body,
        reach: client.reach,
      },
      price,
      megapixels,
      ...(signal && { signal }),
      ...(onQueued && { onQueued }),
      onSend: async () => {
        await onSend?.();
        sending.isOnItsWay = true;
      },
      onUncharged: () => {
        sending.isOnItsWay = false;
      },
    });
    return { ...readRemoval(response, megapixels), notices: listNotices(request) };
  });
}

/** Whether an attempt was sent and has no answer yet: it may be charged even if none arrives. */
interface AttemptState {
  isOnItsWay: boolean;
}

/**
 * Books the price before sending, so that two calls at once can't both spend the last credits. It stays booked if the call was
 * cancelled on its way or its answer was lost, because it may have been paid for.
 */
async function sendBooked(
  credits: SpendingMeter,
  cost: number,
  send: (attempt: AttemptState) => Promise<Removal>,
): Promise<Removal> {
  const booking = await credits.book({ method: "removebg", bucket: "credits", cost });
  const attempt: AttemptState = { isOnItsWay: false };
  try {
    const removal = await send(attempt);
    const { creditsCharged: charged } = removal;
    await booking.settle({ attempts: 1, ...(charged !== undefined && { charged }) });
    return removal;
  } catch (error) {
    await booking.settle({ attempts: attempt.isOnItsWay ? 1 : 0 });
    throw error;
  }
}

async function readAccount(
  { http, now, allowance, baseUrl, apiKey, reach }: KeyClient,
  { signal }: Pick<BackgroundCallOptions, "signal">,
): Promise<CreditAccount> {
  await requireNoHold(allowance);
  const askedAt = now();
  const response = await sendTranslated("account", { now, apiKey }, () =>
    http.request({
      method: "GET",
      url: `${baseUrl}/account`,
      headers: { "x-api-key": apiKey, accept: "application/json" },
      reach,
      retry: "read",
      // A 429 holds the whole key instead of being repeated here.
      retryReason: () => undefined,
      ...(signal && { signal }),
    }),
  ).catch(async (error: unknown) => {
    const until = error instanceof LimitError ? error.retryAt : undefined;
    if (until) await allowance.pacer.hold(until.getTime());
    throw error;
  });
  allowance.rateLimits.learn(readRateLimit(response.headers));
  const account = readAccountAnswer(response);
  allowance.balance.learn(account, askedAt);
  return account;
}

async function improve(
  { http, now, allowance, baseUrl, apiKey, maxBytes, reach }: KeyClient,
  request: ImproveRequest,
  { signal, body = "multipart" }: BackgroundCallOptions,
): Promise<ImproveResult> {
  const sendable = encodeImprovement(request, { body, maxBytes });
  await requireNoHold(allowance);
  const response = await sendTranslated("improve", { now, apiKey }, () =>
    http.request({
      method: "POST",
      url: `${baseUrl}/improve`,
      headers: { "x-api-key": apiKey, ...sendable.headers, accept: "application/json" },
      body: sendable.body,
      reach,
      // A 429 may mean the daily number of submissions, which does not concern the cut-outs: the key is not held.
      retry: "paid",
      deadlineMs: improveDeadlineMs,
      ...(signal && { signal }),
    }),
  );
  allowance.rateLimits.learn(readRateLimit(response.headers));
  return readImprovement(response);
}

/** Calls that wait for no turn must not be sent either while the key is held. */
async function requireNoHold({ pacer }: KeyAllowance): Promise<void> {
  const until = await pacer.heldUntil();
  if (until !== undefined) throw rateLimited(until);
}
