import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import { type CheckedFields, isObject } from "../check/check.ts";
import type { NewFile } from "../files.ts";
import { Rejection, rejection } from "../rejection.ts";

/** A request's body, read once. */
export interface RestBody {
  /** `payload_json` of a form, its plain fields, or the JSON body; undefined when there is none. */
  readonly json: unknown;
  /** By the n of `files[n]`, or by their field's name in a plain form. */
  readonly uploads: ReadonlyMap<string, NewFile>;
}

export interface RestEnv {
  Bindings: HttpBindings;
  Variables: { received: RestBody };
}

/** One request of the bot and its answer. */
export interface RestExchange {
  readonly method: string;
  /** Below the version, without the query: `/channels/1/messages`. */
  readonly path: string;
  readonly query: string;
  /** The JSON, or `payload_json` of a form; undefined when there was none. */
  readonly requestBody: unknown;
  readonly requestFiles: readonly {
    readonly name: string;
    readonly type: string;
    readonly bytes: number;
    readonly data: Uint8Array;
  }[];
  readonly status: number;
  /** Undefined for an answer without a body. */
  readonly responseBody: unknown;
}

export type RestContext = Context<RestEnv>;

const mebibyte = 1_024 * 1_024;
// Documented size of a request. Where one file may be larger, so may the request that brings it.
const maxRequestBytes = 25 * mebibyte;
const maxFiles = 10;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw rejection("notJson");
  }
}

/** @param isPlain Whether its fields are what is sent, without any JSON. */
async function readForm(request: Request, isPlain: boolean): Promise<RestBody> {
  const form = await request.formData().catch(() => {
    throw rejection("notJson");
  });
  const fields: Record<string, string> = {};
  const uploads = new Map<string, NewFile>();
  for (const [field, value] of form) {
    if (typeof value === "string") {
      fields[field] = value;
      continue;
    }
    const key = isPlain ? field : /^files\[(\d+)\]$/.exec(field)?.[1];
    if (key === undefined) throw new Rejection(400, 50_035, "Invalid Form Body");
    const data = new Uint8Array(await value.arrayBuffer());
    uploads.set(key, { name: value.name, type: value.type, data });
  }
  if (uploads.size > maxFiles) throw new Rejection(400, 30_015, "Too many attachments");
  return { json: isPlain ? fields : parse(fields.payload_json ?? "{}"), uploads };
}

/** @throws Rejection 40005, 50109 or 50035. */
export async function receiveRestBody(
  request: Request,
  attachmentLimit: number,
  isPlainForm = false,
): Promise<RestBody> {
  const uploads = new Map<string, NewFile>();
  if (request.method === "GET" || request.method === "DELETE") return { json: undefined, uploads };
  // A form adds its boundaries and its JSON.
  const max = Math.max(maxRequestBytes, attachmentLimit + mebibyte);
  if (Number(request.headers.get("content-length") ?? 0) > max) {
    // Read to its end, or the sender sees a broken connection instead of the answer.
    await request.arrayBuffer();
    throw rejection("tooLarge");
  }
  const type = request.headers.get("content-type") ?? "";
  if (type.startsWith("multipart/form-data")) {
    return readForm(request, isPlainForm);
  }
  const text = await request.text();
  if (text === "") return { json: undefined, uploads };
  if (!type.startsWith("application/json")) {
    throw new Rejection(
      400,
      50_035,
      `Expected "Content-Type" header to be one of {'application/json'}.`,
    );
  }
  return { json: parse(text), uploads };
}

export function bodyFields(c: RestContext): CheckedFields {
  const { json } = c.get("received");
  return isObject(json) ? json : {};
}

export function readParam(c: RestContext, name: string): string {
  return c.req.param(name) ?? "";
}

/** The `limit` of a list request: `usual` when absent, between 1 and `most`. */
export function readLimit(
  c: RestContext,
  { usual, most }: { usual: number; most: number },
): number {
  return Math.min(most, Math.max(1, Number(c.req.query("limit") ?? usual) || usual));
}
