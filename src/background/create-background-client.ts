import { rememberExhaustion, type SpendingMeter } from "../budget/index.ts";
import { LimitError } from "../errors.ts";
import { createHttp, type Http } from "../http/index.ts";
import { type Allowance, createAllowance } from "./allowance.ts";
import { accountOf, improvementOf } from "./answers.ts";
import { priceOf } from "./balance.ts";
import { bodyOf, improveBodyOf } from "./body.ts";
import { checkRequest } from "./check/check-request.ts";
import { rateLimited, requireKey, translate } from "./failure.ts";
import { fieldsOf, noticesOf } from "./fields.ts";
import { rateLimitOf, removalOf } from "./removal.ts";
import { sendPaid } from "./send-paid.ts";
import type {
  Account,
  BackgroundClient,
  CallOptions,
  Improvement,
  ImproveRequest,
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
  /** Milliseconds since the epoch; `Date.now` when absent. */
  readonly now?: () => number;
  /** Shared by all clients of this key; one is made when absent. */
  readonly allowance?: Allowance;
  /** Whose calls these are: tenants of one key take turns. */
  readonly tenant?: string;
  /** Who asks: people of one tenant take turns too. */
  readonly person?: string;
  /** Most bytes of a picture; 12 MB when absent (interface specification, limits). */
  readonly maxBytes?: number;
  /** Counts and limits what cut-outs cost; without it only the service's own limits hold. */
  readonly credits?: SpendingMeter;
}

const defaultMaxBytes = 12_000_000;
/** A picture of 12 MB must have time to go up. */
const improveDeadlineMs = 120_000;

interface ClientDeps extends Required<Pick<BackgroundClientOptions, "http" | "now" | "allowance">> {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly keyHeader: Readonly<Record<string, string>>;
  readonly maxBytes: number;
  readonly credits: SpendingMeter;
  readonly tenant: string | undefined;
  readonly person: string | undefined;
}

/**
 * A client for one API key. A cut-out is paid for, so it is never sent again once its answer may have been lost.
 * @throws ConnectError `background_key_refused` when the key can't be one.
 */
export function createBackgroundClient(options: BackgroundClientOptions): BackgroundClient {
  const { apiKey, tenant, person, http = createHttp(), now = Date.now } = options;
  const { allowance = createAllowance({ now }), maxBytes = defaultMaxBytes } = options;
  const { credits = rememberExhaustion(now) } = options;
  requireKey(apiKey);
  const baseUrl = /^.*[^/]/.exec(options.baseUrl)?.[0] ?? "";
  const keyHeader = { "x-api-key": apiKey };
  const deps = { http, now, allowance, baseUrl, keyHeader, maxBytes, credits, tenant, person };
  return {
    removeBackground: (request, how = {}) => removeBackground(deps, request, how),
    account: (how = {}) => readAccount(deps, how),
    rateLimit: allowance.rateLimits.last,
    improve: (request, how = {}) => improve(deps, request, how),
  };
}

async function removeBackground(
  deps: ClientDeps,
  request: RemoveBackgroundRequest,
  how: RemoveOptions,
): Promise<Removal> {
  const { http, now, allowance, baseUrl, keyHeader, maxBytes, tenant, person } = deps;
  const { signal, onQueued, body = "multipart", answer = "file" } = how;
  const { megapixels, ...pictures } = checkRequest(request, { body, maxBytes });
  const fields = fieldsOf(request);
  const sendable = bodyOf(body, { ...pictures, fields, name: request.imageName });
  // The service answers JSON when it is asked for; errors are JSON in any case.
  const accept = answer === "json" ? "application/json" : "*/*";
  const price = priceOf(request.size, megapixels);
  const services = { http, now, allowance, ask: () => readAccount(deps, {}) };
  return counted(deps.credits, price, async () => {
    const response = await sendPaid(services, {
      request: {
        url: `${baseUrl}/removebg`,
        headers: { ...keyHeader, ...sendable.headers, accept },
        body: sendable.body,
      },
      ...{ price, megapixels, tenant, person },
      ...(signal && { signal }),
      ...(onQueued && { onQueued }),
    });
    return { ...removalOf(response, megapixels), notices: noticesOf(request) };
  });
}

/** What it may cost is booked before it is sent, so that two at once can't both take the last credits. */
async function counted(
  credits: SpendingMeter,
  cost: number,
  send: () => Promise<Removal>,
): Promise<Removal> {
  const booking = await credits.book({ method: "removebg", bucket: "credits", cost });
  try {
    const removal = await send();
    await booking.settle({ attempts: 1, charged: removal.creditsCharged ?? 0 });
    return removal;
  } catch (error) {
    await booking.settle({ attempts: 0 });
    throw error;
  }
}

async function readAccount(
  { http, now, allowance, baseUrl, keyHeader }: ClientDeps,
  { signal }: Pick<CallOptions, "signal">,
): Promise<Account> {
  requireNoHold(allowance);
  const askedAt = now();
  const response = await translate("account", now, () =>
    http.request({
      method: "GET",
      url: `${baseUrl}/account`,
      headers: { ...keyHeader, accept: "application/json" },
      retry: "read",
      // A 429 is no case for backing off.
      isThrottled: () => false,
      ...(signal && { signal }),
    }),
  ).catch((error: unknown) => {
    const until = error instanceof LimitError ? error.retryAt : undefined;
    if (until) allowance.pacer.hold(until.getTime());
    throw error;
  });
  allowance.rateLimits.learn(rateLimitOf(response.headers));
  const account = accountOf(response);
  allowance.balance.learn(account, askedAt);
  return account;
}

async function improve(
  { http, now, allowance, baseUrl, keyHeader, maxBytes }: ClientDeps,
  request: ImproveRequest,
  { signal, body = "multipart" }: CallOptions,
): Promise<Improvement> {
  const sendable = improveBodyOf(request, { body, maxBytes });
  requireNoHold(allowance);
  const response = await translate("improve", now, () =>
    http.request({
      method: "POST",
      url: `${baseUrl}/improve`,
      headers: { ...keyHeader, ...sendable.headers, accept: "application/json" },
      body: sendable.body,
      // Its own 429 may mean its daily number, which is none of the cut-outs' business.
      retry: "paid",
      deadlineMs: improveDeadlineMs,
      ...(signal && { signal }),
    }),
  );
  allowance.rateLimits.learn(rateLimitOf(response.headers));
  return improvementOf(response);
}

/** What needs no turn is not sent either while the service wants silence. */
function requireNoHold({ pacer }: Allowance): void {
  const until = pacer.heldUntil();
  if (until !== undefined) throw rateLimited(until);
}
