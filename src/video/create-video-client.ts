import { Readable } from "node:stream";
import { rememberExhaustion, type SpendingMeter } from "../budget/index.ts";
import { ConnectError } from "../errors.ts";
import { createHttp, type Http } from "../http/index.ts";
import { describeValue, invalidParameterError } from "./check/parameter-errors.ts";
import { isJsonRecord } from "./check/values.ts";
import { createSigner, type VideoCredentials } from "./credentials.ts";
import type { VideoCallDeps } from "./exchange.ts";
import { methods } from "./methods/index.ts";
import type { CallParams, MethodSpec } from "./methods/spec.ts";
import { walkPages } from "./pages.ts";
import type { ResourcePage } from "./resources/index.ts";
import { mergePages, splitLists } from "./split-lists.ts";
import type { PagesOptions, VideoCallOptions, VideoClient } from "./types.ts";

export interface VideoClientOptions extends VideoCredentials {
  /** Ends with the version, like `https://youtube.googleapis.com/youtube/v3`. */
  readonly baseUrl: string;
  /** Where media goes up; `baseUrl` when absent. */
  readonly uploadBaseUrl?: string;
  /** Shared pool; one is created when absent. */
  readonly http?: Http;
  /** Milliseconds since the epoch; `Date.now` when absent. */
  readonly now?: () => number;
  /** Counts and limits what calls cost; when absent, only an empty bucket of YouTube is remembered. */
  readonly units?: SpendingMeter;
}

/** How much an upload holds in memory, and how much a cut connection loses at most. Large enough to be fast. */
const chunkBytes = 8 * 1024 * 1024;

/** Loads in advance what the first call would otherwise wait for. */
export async function warmVideoClient(): Promise<void> {
  await loadCalls();
}

/** A client for one set of credentials. @throws ConnectError `not_connected` when it has neither key nor token. */
export function createVideoClient(options: VideoClientOptions): VideoClient {
  if (!options.key && !options.token) {
    throw new ConnectError("neither an API key nor a token was given", { code: "not_connected" });
  }
  const { baseUrl, uploadBaseUrl = baseUrl, http = createHttp(), now = Date.now } = options;
  const services: VideoCallDeps = {
    baseUrl: withoutSlash(baseUrl),
    uploadBaseUrl: withoutSlash(uploadBaseUrl),
    chunkBytes,
    methodSpecs: methods,
    signer: createSigner(options),
    http,
    now,
    units: options.units ?? rememberExhaustion(now),
  };

  async function call(
    method: keyof typeof methods,
    params: CallParams,
    options: VideoCallOptions = {},
  ) {
    const methodSpec = requireMethodSpec(method);
    const callParams = readParams(method, methodSpec, params);
    // Picked one by one, because callers pass objects whose other properties must not be read.
    const { signal, onProgress } = options;
    const callOptions = { signal, ...(onProgress && { onProgress }) };
    const { callOnce } = loaded ?? (await withErrorListener(callParams.media, loadCalls()));
    const once = (one: CallParams) =>
      callOnce(services, { ...callOptions, method, methodSpec, params: one });
    const calls = splitLists(method, methodSpec, callParams);
    if (calls === undefined) return once(callParams);
    const onePage = once as (one: CallParams) => Promise<ResourcePage<unknown>>; // only lists are split
    const pages: ResourcePage<unknown>[] = [];
    // One at a time, so that a failure costs as few units as possible.
    for (const part of calls) pages.push(...(await wholeList(methodSpec, part, onePage)));
    return mergePages(pages);
  }

  function pages(method: keyof typeof methods, params: CallParams, options: PagesOptions = {}) {
    const { maxPages, signal } = options;
    const list = (callParams: CallParams) =>
      call(method, callParams, { ...(signal && { signal }) }) as Promise<ResourcePage<unknown>>; // only lists have pages
    return walkPages(readParams(method, requireMethodSpec(method), params), list, maxPages);
  }

  // TypeScript can't derive the overloads of VideoClient from functions that take any method.
  return { call: call as VideoClient["call"], pages: pages as VideoClient["pages"] };
}

/** Waits for the work. A stream that fails meanwhile without a listener would end the process; its reader gets it later. */
function withErrorListener<Value>(media: unknown, work: Promise<Value>): Promise<Value> {
  const data: unknown = Object(media).data;
  if (data instanceof Readable) data.on("error", () => {});
  return work;
}

/**
 * Some lists answer in pages of five even when ids are given, so all pages are fetched. Each page costs a unit, so the largest
 * page size is requested.
 */
async function wholeList(
  { query }: MethodSpec,
  params: CallParams,
  once: (params: CallParams) => Promise<ResourcePage<unknown>>,
): Promise<ResourcePage<unknown>[]> {
  const { pageToken, maxResults } = query;
  const isPaged = pageToken && !pageToken.notWith?.some((name) => params[name] !== undefined);
  if (!isPaged || params.maxResults !== undefined) return [await once(params)];
  const pages: ResourcePage<unknown>[] = [];
  const longest =
    maxResults?.max === undefined ? params : { ...params, maxResults: maxResults.max };
  for await (const page of walkPages(longest, once)) pages.push(page);
  return pages;
}

function withoutSlash(url: string): string {
  return /^.*[^/]/.exec(url)?.[0] ?? "";
}

type CallModule = typeof import("./call.ts");

let loaded: CallModule | undefined;

/** Loads it late: it is half of this room, and only the first call needs it. */
async function loadCalls(): Promise<CallModule> {
  loaded ??= await import("./call.ts");
  return loaded;
}

/** The spec of a method, for callers whose types are not checked. @throws InputError `invalid_parameter` */
export function requireMethodSpec(method: string): MethodSpec {
  if (Object.hasOwn(methods, method)) return methods[method as keyof typeof methods];
  const allowed = "the name of a method, like videos.list";
  throw invalidParameterError("call", { parameter: "method", allowed, was: describeValue(method) });
}

/**
 * Turns texts with commas into lists where the method takes lists. YouTube takes both, but only a list can be checked
 * and split. @throws InputError `invalid_parameter`
 */
export function readParams(
  method: string,
  { query }: MethodSpec,
  params: unknown = {},
): CallParams {
  if (!isJsonRecord(params)) {
    throw invalidParameterError(method, {
      parameter: "params",
      allowed: "an object",
      was: describeValue(params),
    });
  }
  let read = params;
  for (const name in params) {
    const value = params[name];
    if (typeof value !== "string" || !value.includes(",")) continue;
    if (!Object.hasOwn(query, name) || !query[name]?.repeated) continue;
    read = { ...read, [name]: value.split(",").map((one) => one.trim()) };
  }
  return read;
}
