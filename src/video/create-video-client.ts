import { createHttp, type Http } from "../http/index.ts";
import { type CallServices, callOnce } from "./call.ts";
import { type Credentials, requireCredentials } from "./credentials.ts";
import { methods } from "./methods/index.ts";
import type { MethodSpec } from "./methods/spec.ts";
import type { Page } from "./resources.ts";
import { type Given, mergePages, splitLists } from "./split.ts";
import type { CallOptions, VideoClient } from "./types.ts";

export interface VideoClientOptions extends Credentials {
  /** Ends with the version, like `https://youtube.googleapis.com/youtube/v3`. */
  readonly baseUrl: string;
  /** Where media goes up; `baseUrl` when absent. */
  readonly uploadBaseUrl?: string;
  /** Shared pool; one is made when absent. */
  readonly http?: Http;
  /** Milliseconds since the epoch; `Date.now` when absent. */
  readonly now?: () => number;
}

/** A client for one set of credentials. @throws ConnectError `not_connected` when it has neither key nor token. */
export function createVideoClient(options: VideoClientOptions): VideoClient {
  requireCredentials(options);
  const services: CallServices = {
    baseUrl: options.baseUrl.replace(/\/+$/, ""),
    credentials: options,
    http: options.http ?? createHttp(),
    now: options.now ?? Date.now,
  };

  async function call(method: keyof typeof methods, params: Given, { signal }: CallOptions = {}) {
    const row: MethodSpec = methods[method];
    const once = (given: Given) => callOnce(services, { method, row, params: given, signal });
    const calls = splitLists(method, row, params);
    if (calls === undefined) return once(params);
    const pages: Page<unknown>[] = [];
    for (const given of calls) {
      // One at a time: a failure then costs no more units than it must. Only lists are split, so each is a page.
      pages.push(...(await wholeList(given, once as (given: Given) => Promise<Page<unknown>>)));
    }
    return mergePages(pages);
  }

  // The overloads that VideoClient derives from the table can't be followed inside a loop over its rows.
  return { call: call as VideoClient["call"] };
}

/** Some lists answer in pages of five even when the ids were named; what was named is fetched whole. */
async function wholeList(
  given: Given,
  once: (given: Given) => Promise<Page<unknown>>,
): Promise<Page<unknown>[]> {
  const pages: Page<unknown>[] = [];
  const seen = new Set<string>();
  let pageToken: string | undefined;
  do {
    const page = await once(pageToken === undefined ? given : { ...given, pageToken });
    pages.push(page);
    pageToken = page.nextPageToken;
    if (pageToken !== undefined && seen.has(pageToken)) break;
    if (pageToken !== undefined) seen.add(pageToken);
  } while (pageToken !== undefined && given.maxResults === undefined);
  return pages;
}
