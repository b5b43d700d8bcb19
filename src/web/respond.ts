import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Log } from "../log.ts";
import type { Links } from "../oauth/index.ts";
import type { Browsers, LinkOutcomes } from "./cookies.ts";
import { describeRefusal, type PageFailure, type PageRefusal } from "./failure.ts";
import type { HubCallback } from "./hub.ts";
import { type PageTranslators, translatorFor } from "./page-translator.ts";
import type { PageContext } from "./pages/page-frame.ts";
import { messagePage } from "./pages/page-frame.ts";

/** What the pages and steps of a link need. */
export interface PageDeps {
  readonly links: Links;
  readonly words: PageTranslators;
  readonly browsers: Browsers;
  readonly outcomes: LinkOutcomes;
  /** Where people's browsers reach this server; never taken from a request. */
  readonly origin: string;
  /** Path of the public address; empty if it has none. */
  readonly base: string;
  /** Answers the hub that announces new videos. */
  readonly hub?: HubCallback | undefined;
  readonly log: Log;
  readonly now: () => number;
}

export function pageContextOf(
  c: Context,
  { words, base }: Pick<PageDeps, "words" | "base">,
): PageContext {
  return { speech: translatorFor(c.req.header("Accept-Language"), words), base };
}

/** Answers a request that the web server itself refuses. */
export function respondRefusal(c: Context, parts: PageDeps, refusal: PageRefusal) {
  return respond(c, parts, describeRefusal(refusal, pageContextOf(c, parts).speech));
}

export function respond(c: Context, parts: PageDeps, { status, message, headers }: PageFailure) {
  // Statuses come from this room's tables, and all of them allow a body.
  return c.html(
    messagePage(pageContextOf(c, parts), message),
    status as ContentfulStatusCode,
    headers,
  );
}
