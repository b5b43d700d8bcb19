import type { SpendingMeter } from "../budget/index.ts";
import { BotError, NetworkError } from "../errors.ts";
import type { Http, HttpRequest, HttpResponse } from "../http/index.ts";
import { type CallSignature, type CallToSign, readSecret, type Signer } from "./credentials.ts";
import { retryReason, videoErrorFor } from "./failures/failure.ts";
import type { MethodSpec } from "./methods/spec.ts";

export interface VideoCallDeps {
  /** Without a slash at its end, like `uploadBaseUrl`. */
  readonly baseUrl: string;
  readonly uploadBaseUrl: string;
  /** How much of an upload is sent in one request; a multiple of 256 KiB (docs/services/youtube.md#uploads). */
  readonly chunkBytes: number;
  /** The table of methods, for a create that has to look for what it made. */
  readonly methodSpecs: Readonly<Record<string, MethodSpec>>;
  readonly signer: Signer;
  readonly http: Pick<Http, "request" | "backOff">;
  readonly units: SpendingMeter;
  readonly now: () => number;
}

export interface UnsignedRequest
  extends Pick<HttpRequest, "method" | "body" | "retry" | "deadlineMs" | "silenceMs" | "tries"> {
  /** Without credentials. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly maxBytes: number;
  /** Set for what YouTube does not charge: the steps of an upload after the first. */
  readonly isFree?: true;
}

/** An answer, whatever its status, and how the request was signed. */
export interface SignedExchange {
  readonly response: HttpResponse;
  readonly signed: CallSignature;
}

/** Signs, books and sends. A refused token is replaced once, because a refused request has changed nothing. */
export async function sendSigned(
  services: VideoCallDeps,
  signing: CallToSign,
  message: UnsignedRequest,
): Promise<SignedExchange> {
  signing.signal?.throwIfAborted();
  const signature = services.signer.sign(signing);
  const signed = signature instanceof Promise ? await signature : signature;
  const response = await sendBooked(services, signing, { signed, message });
  const exchanged = { response, signed };
  // Another token helps only against this kind of 401; others mean, for example, that the account has no channel.
  const isRefusedToken =
    response.status === 401 && exchangeFailure(services, signing, exchanged).code === "auth";
  const again = isRefusedToken ? await services.signer.signAgain(signing, signed) : undefined;
  if (again === undefined) return exchanged;
  const second = await sendBooked(services, signing, { signed: again, message });
  // If it is unknown what the first attempt has done, it is still unknown after the second.
  const maybeDone = response.maybeDone ?? second.maybeDone;
  return { response: { ...second, ...(maybeDone && { maybeDone }) }, signed: again };
}

export function exchangeFailure(
  { now }: Pick<VideoCallDeps, "now">,
  { method, methodSpec }: Pick<CallToSign, "method" | "methodSpec">,
  { response, signed }: SignedExchange,
): BotError {
  const secret = readSecret(signed);
  return videoErrorFor(response, { method, methodSpec, signedBy: signed.by, now: now(), secret });
}

interface SignedMessage {
  readonly signed: CallSignature;
  readonly message: UnsignedRequest;
}

async function sendBooked(
  services: VideoCallDeps,
  signing: CallToSign,
  sent: SignedMessage,
): Promise<HttpResponse> {
  if (sent.message.isFree) return send(services, signing, sent);
  const { method, methodSpec } = signing;
  const booking = await services.units.book({
    method,
    bucket: methodSpec.bucket,
    cost: methodSpec.cost,
  });
  try {
    const response = await send(services, signing, sent);
    const exchanged = { response, signed: sent.signed };
    const exhausted =
      response.status >= 400 &&
      exchangeFailure(services, signing, exchanged).code === "quota_exceeded";
    // An attempt that did not reach YouTube was not charged.
    const { attempts, unreached = 0 } = response;
    await booking.settle({ attempts: attempts - unreached, exhausted });
    return response;
  } catch (error) {
    // An aborted request may have arrived: it stays spent.
    const isCounted = error instanceof BotError && error.facts.attempts !== undefined;
    if (error instanceof NetworkError || isCounted) {
      const { attempts = 1, unreached = 0 } = error.facts;
      await booking.settle({ attempts: Number(attempts) - Number(unreached), exhausted: false });
    }
    throw error;
  }
}

function send(
  { http }: VideoCallDeps,
  { signal }: CallToSign,
  { signed, message }: SignedMessage,
): Promise<HttpResponse> {
  const { url, headers } = message;
  const { pair, authorization } = signed;
  // Always the same fields in the same order, because V8 is faster with one object shape.
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
    retryReason,
  });
}
