import { BotError } from "../errors.ts";
import { retryAfterMs } from "../http/index.ts";
import { LostError } from "../ownership.ts";
import { isCallDone, maxAnswerBytes, maxDownloadBytes, readVideoAnswer } from "./answer.ts";
import { type CreateAttempt, createOnce, type ListedPage } from "./create-once.ts";
import { type EncodedCall, encodeCall } from "./encode.ts";
import {
  exchangeFailure,
  sendSigned,
  type UnsignedRequest,
  type VideoCallDeps,
} from "./exchange.ts";
import type { CallParams } from "./methods/spec.ts";
import type { ResourcePage } from "./resources/index.ts";
import type { UploadCall } from "./upload/open-upload.ts";
import { holdSource, uploadMedia } from "./upload/upload.ts";

export interface VideoCall extends UploadCall {
  /** For the whole call; the retry class of the method decides when absent. */
  readonly deadlineMs?: number;
}

/** Carries out one call: its request, its repeats, and the upload of its media. */
export async function callOnce(services: VideoCallDeps, call: VideoCall): Promise<unknown> {
  const { method, methodSpec, params } = call;
  const encode = () => encodeCall(method, methodSpec, params);
  const run = (message: UnsignedRequest) => carryOut(services, call, message);
  const spec = methodSpec.media;
  if (spec?.direction !== "up" || params.media === undefined) {
    return run(createMessage(services, call, encode()));
  }
  return holdSource(call, () => uploadMedia(services, { call, encoded: encode(), spec, run }));
}

async function carryOut(
  services: VideoCallDeps,
  call: VideoCall,
  message: UnsignedRequest,
): Promise<unknown> {
  if (call.methodSpec.retry === "create") {
    return createOnce(services, {
      ...call,
      send: (leftMs) => {
        const deadlineMs = Math.max(leftMs, message.deadlineMs ?? 0);
        return sendOnce(services, call, { ...message, deadlineMs });
      },
      list: (name, params, deadlineMs) => list(services, call, { name, params, deadlineMs }),
    });
  }
  const exchanged = await sendSigned(services, call, message);
  if (!isCallDone(call.methodSpec, exchanged.response)) {
    throw exchangeFailure(services, call, exchanged);
  }
  return readVideoAnswer(call, exchanged.response);
}

async function sendOnce(
  services: VideoCallDeps,
  call: VideoCall,
  message: UnsignedRequest,
): Promise<CreateAttempt> {
  try {
    const exchanged = await sendSigned(services, call, message);
    const { response } = exchanged;
    if (isCallDone(call.methodSpec, response))
      return { isDone: true, answer: readVideoAnswer(call, response) };
    const askedMs = retryAfterMs(response.headers["retry-after"], services.now());
    return {
      isDone: false,
      error: exchangeFailure(services, call, exchanged),
      retryAfterMs: askedMs,
    };
  } catch (error) {
    if (!(error instanceof BotError) || error instanceof LostError) throw error;
    return { isDone: false, error, retryAfterMs: undefined };
  }
}

/** The list call that looks for what a create made. Like every call it is checked, signed, booked and repeated. */
async function list(
  services: VideoCallDeps,
  { signal }: VideoCall,
  lookup: { readonly name: string; readonly params: CallParams; readonly deadlineMs: number },
): Promise<ListedPage> {
  const { name, deadlineMs } = lookup;
  const methodSpec = services.methodSpecs[name];
  if (methodSpec === undefined) throw new TypeError(`a lookup names ${name}, which is no method`);
  // Not every list takes the parameters of content owners.
  const params = Object.fromEntries(
    Object.entries(lookup.params).filter(
      ([param]) => Object.hasOwn(methodSpec.query, param) || !param.startsWith("onBehalfOf"),
    ),
  );
  const call: VideoCall = { method: name, methodSpec, params, signal, deadlineMs };
  const message = createMessage(services, call, encodeCall(name, methodSpec, params));
  const exchanged = await sendSigned(services, call, message);
  const { response } = exchanged;
  if (!isCallDone(methodSpec, response)) throw exchangeFailure(services, call, exchanged);
  return {
    page: readVideoAnswer(call, response) as ResourcePage<unknown>, // a lookup is a list, and lists answer pages
    behindMs: services.now() - Date.parse(response.headers.date ?? ""),
  };
}

/** Each try of a search counts as one of the day's hundred, and each of a caption file as 200 units. */
const expensiveTries = 4;

function createMessage(
  { baseUrl }: VideoCallDeps,
  { methodSpec, deadlineMs }: VideoCall,
  encoded: EncodedCall,
): UnsignedRequest {
  const { path, query, body } = encoded;
  const { retry, bucket, cost } = methodSpec;
  const isFile = methodSpec.media?.direction === "down";
  const isExpensive = retry === "read" && (bucket === "searches" || cost > 10);
  return {
    method: methodSpec.verb,
    url: query === "" ? `${baseUrl}${path}` : `${baseUrl}${path}?${query}`,
    headers: isFile ? fileHeaders : body === undefined ? plainHeaders : jsonHeaders,
    body,
    retry,
    tries: isExpensive ? expensiveTries : undefined,
    deadlineMs,
    maxBytes: isFile ? maxDownloadBytes : maxAnswerBytes,
  };
}

const fileHeaders = { accept: "*/*" } as const;
const plainHeaders = { accept: "application/json" } as const;
const jsonHeaders = {
  accept: "application/json",
  "content-type": "application/json; charset=utf-8",
} as const;
