import { Readable } from "node:stream";
import { rememberExhaustion, type SpendingMeter } from "../budget/index.ts";
import { createHttp, type Http } from "../http/index.ts";
import type { CallServices } from "./call.ts";
import { type Credentials, createSigner, requireCredentials } from "./credentials.ts";
import { methods } from "./methods/index.ts";
import type { MethodSpec } from "./methods/spec.ts";
import { pagesOf } from "./pages.ts";
import { readParams, rowOf } from "./read-call.ts";
import type { Page } from "./resources/index.ts";
import { type Given, mergePages, splitLists } from "./split.ts";
import type { CallOptions, PagesOptions, VideoClient } from "./types.ts";

export interface VideoClientOptions extends Credentials {
  /** Ends with the version, like `https://youtube.googleapis.com/youtube/v3`. */
  readonly baseUrl: string;
  /** Where media goes up; `baseUrl` when absent. */
  readonly uploadBaseUrl?: string;
  /** Shared pool; one is made when absent. */
  readonly http?: Http;
  /** Milliseconds since the epoch; `Date.now` when absent. */
  readonly now?: () => number;
  /** Counts and limits what calls cost; without it only the service's own limits hold, and are remembered. */
  readonly units?: SpendingMeter;
}

/** Large enough to be quick, small enough to lose: what a cut costs at most, and what an upload holds in memory. */
const chunkBytes = 8 * 1024 * 1024;

/** Loads what the first call would otherwise wait for. */
export async function warmVideoClient(): Promise<void> {
  await loadCalls();
}

/** A client for one set of credentials. @throws ConnectError `not_connected` when it has neither key nor token. */
export function createVideoClient(options: VideoClientOptions): VideoClient {
  requireCredentials(options);
  const { baseUrl, uploadBaseUrl = baseUrl, http = createHttp(), now = Date.now } = options;
  const services: CallServices = {
    baseUrl: withoutSlash(baseUrl),
    uploadBaseUrl: withoutSlash(uploadBaseUrl),
    chunkBytes,
    rows: methods,
    signer: createSigner(options),
    http,
    now,
    units: options.units ?? rememberExhaustion(now),
  };

  async function call(method: keyof typeof methods, params: Given, options: CallOptions = {}) {
    const row = rowOf(method);
    const asked = readParams(method, row, params);
    // Named one by one: callers pass objects whose other properties must not even be looked at.
    const { signal, onProgress } = options;
    const how = { signal, ...(onProgress && { onProgress }) };
    const { callOnce } = loadedCalls() ?? (await listening(asked.media, loadCalls()));
    const once = (given: Given) => callOnce(services, { ...how, method, row, params: given });
    const calls = splitLists(method, row, asked);
    if (calls === undefined) return once(asked);
    const pages: Page<unknown>[] = [];
    for (const given of calls) {
      // One at a time: a failure then costs no more units than it must. Only lists are split, so each is a page.
      pages.push(
        ...(await wholeList(row, given, once as (given: Given) => Promise<Page<unknown>>)),
      );
    }
    return mergePages(pages);
  }

  function pages(method: keyof typeof methods, params: Given, options: PagesOptions = {}) {
    const { maxPages, signal } = options;
    const list = (given: Given) =>
      call(method, given, { ...(signal && { signal }) }) as Promise<Page<unknown>>; // only lists have pages
    return pagesOf(readParams(method, rowOf(method), params), list, maxPages);
  }

  // The overloads that VideoClient derives from the table can't be followed inside a loop over its rows.
  return { call: call as VideoClient["call"], pages: pages as VideoClient["pages"] };
}

/** A stream that fails meanwhile has nobody else to tell, and would end the process; whoever reads it is told later. */
function listening<Value>(media: unknown, work: Promise<Value>): Promise<Value> {
  const data: unknown = Object(media).data;
  if (data instanceof Readable) data.on("error", () => {});
  return work;
}

/** Some lists answer in pages of five even when the ids were named; what was named is fetched whole. */
async function wholeList(
  { query }: MethodSpec,
  given: Given,
  once: (given: Given) => Promise<Page<unknown>>,
): Promise<Page<unknown>[]> {
  const { pageToken } = query;
  const isPaged = pageToken && !pageToken.notWith?.some((name) => given[name] !== undefined);
  if (!isPaged || given.maxResults !== undefined) return [await once(given)];
  const pages: Page<unknown>[] = [];
  for await (const page of pagesOf(given, once)) pages.push(page);
  return pages;
}

function withoutSlash(url: string): string {
  return /^.*[^/]/.exec(url)?.[0] ?? "";
}

type Calls = typeof import("./call.ts");

let loaded: Calls | undefined;

/** What carries calls out, as soon as something has loaded it. */
function loadedCalls(): Calls | undefined {
  return loaded;
}

/** Loads it: half of this room, which only the first call needs and a start would wait for. */
async function loadCalls(): Promise<Calls> {
  loaded ??= await import("./call.ts");
  return loaded;
}
