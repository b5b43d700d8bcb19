import type { SpendingMeter } from "../budget/index.ts";
import { type BotError, NetworkError } from "../errors.ts";
import type { Http, HttpRequest, HttpResponse } from "../http/index.ts";
import { type Signed, type Signer, type Signing, secretOf } from "./credentials.ts";
import { failureOf, isThrottled } from "./failures/failure.ts";

export interface ExchangeServices {
  readonly signer: Signer;
  readonly http: Pick<Http, "request" | "backOff">;
  readonly units: SpendingMeter;
  readonly now: () => number;
}

/** One request before it is signed. */
export interface Message
  extends Pick<HttpRequest, "method" | "body" | "retry" | "deadlineMs" | "silenceMs" | "tries"> {
  /** Without credentials. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly maxBytes: number;
  /** Set for what the service does not count: the steps of an upload after its first. */
  readonly isFree?: true;
}

/** An answer, whatever its status, and what asked for it. */
export interface Exchange {
  readonly response: HttpResponse;
  readonly signed: Signed;
}

/** Sends signed and booked. A token that is refused is replaced once: a refused request has changed nothing. */
export async function exchange(
  services: ExchangeServices,
  signing: Signing,
  message: Message,
): Promise<Exchange> {
  signing.signal?.throwIfAborted();
  const signature = services.signer.sign(signing);
  const signed = signature instanceof Promise ? await signature : signature;
  const response = await sendBooked(services, signing, { signed, message });
  const exchanged = { response, signed };
  // Of the 401s only this one gets better with another token; the account behind it may also have no channel.
  const isRefusedToken =
    response.status === 401 && failed(services, signing, exchanged).code === "auth";
  const again = isRefusedToken ? await services.signer.signAgain(signing, signed) : undefined;
  if (again === undefined) return exchanged;
  const second = await sendBooked(services, signing, { signed: again, message });
  return { response: merge(response, second), signed: again };
}

/** What the service answered instead of a success, translated. */
export function failed(
  { now }: Pick<ExchangeServices, "now">,
  { method, row }: Pick<Signing, "method" | "row">,
  { response, signed }: Exchange,
): BotError {
  const secret = secretOf(signed);
  return failureOf(response, { method, row, signedBy: signed.by, now: now(), secret });
}

interface SignedMessage {
  readonly signed: Signed;
  readonly message: Message;
}

async function sendBooked(
  services: ExchangeServices,
  signing: Signing,
  sent: SignedMessage,
): Promise<HttpResponse> {
  if (sent.message.isFree) return send(services, signing, sent);
  const { method, row } = signing;
  const booking = await services.units.book({ method, bucket: row.bucket, cost: row.cost });
  try {
    const response = await send(services, signing, sent);
    const exchanged = { response, signed: sent.signed };
    const exhausted =
      response.status >= 400 && failed(services, signing, exchanged).code === "quota_exceeded";
    await booking.settle({ attempts: response.attempts, exhausted });
    return response;
  } catch (error) {
    // An aborted request may have arrived: it stays spent.
    if (error instanceof NetworkError) {
      await booking.settle({ attempts: Number(error.facts.attempts ?? 1), exhausted: false });
    }
    throw error;
  }
}

function send(
  { http }: ExchangeServices,
  { signal }: Signing,
  { signed, message }: SignedMessage,
): Promise<HttpResponse> {
  const { url, headers } = message;
  const { pair, authorization } = signed;
  // Always the same fields in the same order: the engine is quicker with one shape.
  return http.request({
    method: message.method,
    url: pair === undefined ? url : `${url}${url.includes("?") ? "&" : "?"}${pair}`,
    headers: authorization === undefined ? headers : { ...headers, authorization },
    body: message.body,
    retry: message.retry,
    deadlineMs: message.deadlineMs,
    silenceMs: message.silenceMs,
    tries: message.tries,
    maxBytes: message.maxBytes,
    signal,
    isThrottled,
  });
}

function merge(first: HttpResponse, second: HttpResponse): HttpResponse {
  return first.maybeDone ? { ...second, maybeDone: true } : second;
}
