import { BotError } from "../errors.ts";
import { retryAfterMs } from "../http/index.ts";
import { answerOf, isDone, maxAnswerBytes, maxDownloadBytes } from "./answer.ts";
import { create, type Sent } from "./create.ts";
import { type Encoded, encode } from "./encode.ts";
import { exchange, failed, type Message } from "./exchange.ts";
import type { Listed } from "./lookup.ts";
import type { MethodSpec } from "./methods/spec.ts";
import type { Page } from "./resources/index.ts";
import type { Given } from "./split.ts";
import type { UploadCall, UploadServices } from "./upload/open-upload.ts";
import { holdSource, upload } from "./upload/upload.ts";

export interface CallServices extends UploadServices {
  /** Without a slash at its end, like `uploadBaseUrl`. */
  readonly baseUrl: string;
  /** The table, for a create that has to look for what it made. */
  readonly rows: Readonly<Record<string, MethodSpec>>;
}

export interface Call extends UploadCall {
  /** Whole call; the row's retry class decides when absent. */
  readonly deadlineMs?: number;
}

/** One call: its request, its repeats, and for media the steps of its upload. */
export async function callOnce(services: CallServices, call: Call): Promise<unknown> {
  const { method, row, params } = call;
  if (row.media?.direction !== "up" || params.media === undefined) {
    return carryOut(services, call, messageOf(services, call, encode(method, row, params)));
  }
  const spec = row.media;
  return holdSource(call, () => {
    const encoded = encode(method, row, params);
    const run = (message: Message) => carryOut(services, call, message);
    return upload(services, { call, encoded, spec, run });
  });
}

async function carryOut(services: CallServices, call: Call, message: Message): Promise<unknown> {
  if (call.row.retry === "create") return createOnce(services, call, message);
  const exchanged = await exchange(services, call, message);
  if (isDone(call.row, exchanged.response)) return answerOf(call, exchanged.response);
  throw failed(services, call, exchanged);
}

function createOnce(services: CallServices, call: Call, message: Message): Promise<unknown> {
  return create(services, {
    ...call,
    send: (leftMs) => {
      const deadlineMs = Math.max(leftMs, message.deadlineMs ?? 0);
      return sendOnce(services, call, { ...message, deadlineMs });
    },
    list: (name, given, deadlineMs) => list(services, call, { name, given, deadlineMs }),
  });
}

async function sendOnce(services: CallServices, call: Call, message: Message): Promise<Sent> {
  try {
    const exchanged = await exchange(services, call, message);
    const { response } = exchanged;
    if (isDone(call.row, response)) return { isDone: true, answer: answerOf(call, response) };
    const asked = retryAfterMs(response.headers["retry-after"], services.now());
    return { isDone: false, error: failed(services, call, exchanged), retryAfterMs: asked };
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
): Promise<Listed> {
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
  const message = messageOf(services, call, encode(name, row, params));
  const exchanged = await exchange(services, call, message);
  const { response } = exchanged;
  if (!isDone(row, response)) throw failed(services, call, exchanged);
  return {
    page: answerOf(call, response) as Page<unknown>, // a lookup is a list, and lists answer pages
    behindMs: services.now() - Date.parse(response.headers.date ?? ""),
  };
}

function messageOf(
  { baseUrl }: CallServices,
  { row, deadlineMs }: Call,
  encoded: Encoded,
): Message {
  const { path, query, body } = encoded;
  const isFile = row.media?.direction === "down";
  return {
    method: row.verb,
    url: query === "" ? `${baseUrl}${path}` : `${baseUrl}${path}?${query}`,
    headers: isFile ? fileHeaders : body === undefined ? plainHeaders : jsonHeaders,
    body,
    retry: row.retry,
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
