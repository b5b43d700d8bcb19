import { BotError } from "../errors.ts";
import { retryAfterMs } from "../http/index.ts";
import { answerOf, isDone, maxAnswerBytes, maxDownloadBytes } from "./answer.ts";
import { create, type Sent } from "./create.ts";
import type { Signing } from "./credentials.ts";
import { type Encoded, encode } from "./encode.ts";
import { type ExchangeServices, exchange, failed, type Message } from "./exchange.ts";
import type { MethodSpec } from "./methods/spec.ts";
import { needsToken } from "./needs-token.ts";
import type { Page } from "./resources.ts";
import type { Given } from "./split.ts";
import type { CallOptions } from "./types.ts";
import { holdSource, upload } from "./upload/upload.ts";

export interface CallServices extends ExchangeServices {
  /** Without a slash at its end, like `uploadBaseUrl`. */
  readonly baseUrl: string;
  readonly uploadBaseUrl: string;
  /** How much of an upload travels at once; a multiple of 256 KiB (facts: uploads). */
  readonly chunkBytes: number;
  /** The table, for a create that has to look for what it made. */
  readonly rows: Readonly<Record<string, MethodSpec>>;
}

export interface Call {
  readonly method: string;
  readonly row: MethodSpec;
  readonly params: Given;
  readonly signal: AbortSignal | undefined;
  readonly onProgress?: CallOptions["onProgress"];
  /** Whole call; the row's retry class decides when absent. */
  readonly deadlineMs?: number;
}

/** One call: its request, its repeats, and for media the steps of its upload. */
export async function callOnce(services: CallServices, call: Call): Promise<unknown> {
  const { row, params } = call;
  if (row.media?.direction !== "up" || params.media === undefined) {
    const prepared = prepare(call);
    return carryOut(services, call, { ...prepared, message: messageOf(services, call, prepared) });
  }
  const spec = row.media;
  return holdSource(call, async () => {
    const { signing, encoded } = prepare(call);
    const run = (message: Message) => carryOut(services, call, { signing, message });
    return upload(services, { call, signing, encoded, spec, run });
  });
}

function prepare({ method, row, params, signal }: Call) {
  const encoded = encode(method, row, params);
  return { encoded, signing: { method, row, signal, needsToken: needsToken(row, params) } };
}

interface Prepared {
  readonly signing: Signing;
  readonly message: Message;
}

async function carryOut(
  services: CallServices,
  call: Call,
  { signing, message }: Prepared,
): Promise<unknown> {
  if (call.row.retry === "create") return createOnce(services, call, { signing, message });
  const exchanged = await exchange(services, signing, message);
  if (isDone(call.row, exchanged.response)) return answerOf(call, exchanged.response);
  throw failed(services, call, exchanged);
}

function createOnce(
  services: CallServices,
  call: Call,
  { signing, message }: Prepared,
): Promise<unknown> {
  return create(services, {
    ...call,
    send: (deadlineMs) => sendOnce(services, signing, { ...message, deadlineMs }),
    list: (name, given, deadlineMs) => list(services, call, { name, given, deadlineMs }),
  });
}

async function sendOnce(services: CallServices, signing: Signing, message: Message): Promise<Sent> {
  try {
    const exchanged = await exchange(services, signing, message);
    const { response } = exchanged;
    if (isDone(signing.row, response)) return { isDone: true, answer: answerOf(signing, response) };
    const asked = retryAfterMs(response.headers["retry-after"], services.now());
    const error = failed(services, signing, exchanged);
    return { isDone: false, error, retryAfterMs: asked };
  } catch (error) {
    if (error instanceof BotError) return { isDone: false, error, retryAfterMs: undefined };
    throw error;
  }
}

/** The look of a create goes the way of every call: checked, signed, booked, repeated. */
async function list(
  services: CallServices,
  { signal }: Call,
  look: { readonly name: string; readonly given: Given; readonly deadlineMs: number },
): Promise<Page<unknown>> {
  const { name, given, deadlineMs } = look;
  const row = services.rows[name];
  if (row === undefined) throw new TypeError(`a lookup names ${name}, which is no method`);
  // Not every list can be asked in a partner's name.
  const params = Object.fromEntries(
    Object.entries(given).filter(
      ([param]) => Object.hasOwn(row.query, param) || !param.startsWith("onBehalfOf"),
    ),
  );
  const call: Call = { method: name, row, params, signal, deadlineMs };
  return (await callOnce(services, call)) as Page<unknown>; // a lookup is a list, and lists answer pages
}

function messageOf(
  { baseUrl }: CallServices,
  { row, deadlineMs }: Call,
  { encoded }: { readonly encoded: Encoded },
): Message {
  const { path, query, body } = encoded;
  const isFile = row.media?.direction === "down";
  return {
    method: row.verb,
    url: query === "" ? `${baseUrl}${path}` : `${baseUrl}${path}?${query}`,
    headers: isFile ? fileHeaders : body === undefined ? plainHeaders : jsonHeaders,
    ...(body !== undefined && { body }),
    retry: row.retry,
    ...(deadlineMs !== undefined && { deadlineMs }),
    maxBytes: isFile ? maxDownloadBytes : maxAnswerBytes,
  };
}

const fileHeaders = { accept: "*/*" } as const;
const plainHeaders = { accept: "application/json" } as const;
const jsonHeaders = {
  accept: "application/json",
  "content-type": "application/json; charset=utf-8",
} as const;
