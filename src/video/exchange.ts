import { NetworkError } from "../errors.ts";
import type { Http, HttpRequest, HttpResponse } from "../http/index.ts";
import { type Credentials, type Signed, type Signing, sign, signAgain } from "./credentials.ts";
import { failureOf, isExhausted, isThrottled } from "./failure.ts";
import type { Meter } from "./meter.ts";
import type { MethodSpec } from "./methods/spec.ts";

export interface ExchangeServices {
  readonly credentials: Credentials;
  readonly http: Http;
  readonly units: Meter;
  readonly now: () => number;
}

/** One request before it is signed. */
export interface Message extends Omit<HttpRequest, "isThrottled" | "signal"> {
  /** Without credentials. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly maxBytes: number;
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
  return exchangeBy(booked, services, signing, message);
}

/** The same for what the service does not count: the steps of an upload after its first. */
export async function exchangeUncounted(
  services: ExchangeServices,
  signing: Signing,
  message: Message,
): Promise<Exchange> {
  return exchangeBy(send, services, signing, message);
}

type Sending = (
  services: ExchangeServices,
  signing: Signing,
  signed: Signed,
  message: Message,
) => Promise<HttpResponse>;

async function exchangeBy(
  sending: Sending,
  services: ExchangeServices,
  signing: Signing,
  message: Message,
): Promise<Exchange> {
  signing.signal?.throwIfAborted();
  const signed = await sign(signing, services.credentials);
  const response = await sending(services, signing, signed, message);
  if (response.status !== 401 || !isRefusedToken(services, signing, { response, signed })) {
    return { response, signed };
  }
  const again = await signAgain(signing, services.credentials, signed);
  if (again === undefined) return { response, signed };
  const second = await sending(services, signing, again, message);
  return { response: merge(response, second), signed: again };
}

/** What the service answered instead of a success, translated. */
export function failed(
  { now }: Pick<ExchangeServices, "now">,
  { method, row }: Pick<Signing, "method" | "row">,
  { response, signed }: Exchange,
) {
  return failureOf(response, { method, row, signedBy: signed.by, now: now() });
}

const booked: Sending = async (services, signing, signed, message) => {
  const { method, row } = signing;
  const { bucket, cost } = row;
  const booking = await services.units.book({ method, bucket, cost });
  try {
    const response = await send(services, signing, signed, message);
    const exhausted = response.status >= 400 && isExhausted(response);
    await booking.settle({ attempts: response.attempts, exhausted });
    return response;
  } catch (error) {
    // An aborted request may have arrived: it stays spent.
    if (error instanceof NetworkError) {
      await booking.settle({ attempts: Number(error.facts.attempts ?? 1), exhausted: false });
    }
    throw error;
  }
};

const send: Sending = ({ http }, { signal }, { pair, authorization }, { url, ...message }) => {
  const { headers } = message;
  return http.request({
    ...message,
    url: pair === undefined ? url : `${url}${url.includes("?") ? "&" : "?"}${pair}`,
    headers: authorization === undefined ? headers : { ...headers, authorization },
    isThrottled,
    ...(signal && { signal }),
  });
};

/** Of the 401s only this one gets better with another token; the account behind it may also have no channel. */
function isRefusedToken(
  services: ExchangeServices,
  { method, row }: { readonly method: string; readonly row: MethodSpec },
  exchanged: Exchange,
): boolean {
  return failed(services, { method, row }, exchanged).code === "auth";
}

function merge(first: HttpResponse, second: HttpResponse): HttpResponse {
  return first.maybeDone ? { ...second, maybeDone: true } : second;
}
