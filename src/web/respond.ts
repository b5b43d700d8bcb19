import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Log } from "../log.ts";
import type { Links } from "../oauth/index.ts";
import type { LinkCookies } from "./cookies.ts";
import { describeOwnFailure, type OwnFailure, type PageFailure } from "./failure.ts";
import type { HubCallback } from "./hub.ts";
import { type PageTranslators, translatorFor } from "./page-translator.ts";
import { messagePage, type PageContext } from "./pages/page-frame.ts";

export interface PageDeps {
  readonly links: Links;
  readonly words: PageTranslators;
  readonly cookies: LinkCookies;
  /** Discord's own site, to which the last page leads back. */
  readonly discordUrl: string;
  /** Where people's browsers reach this server; never taken from a request. */
  readonly origin: string;
  /** Path of the public address; empty if it has none. */
  readonly base: string;
  /** Answers the hub that announces new videos. */
  readonly hub?: HubCallback | undefined;
  readonly log: Log;
  readonly now: () => number;
}

/** In the language of the person's Discord, as far as it is known, else in the browser's. */
export function pageContext(
  c: Context,
  { words, base, cookies }: Pick<PageDeps, "words" | "base" | "cookies">,
  locale = cookies.readLanguage(c),
): PageContext {
  const isKnown = locale !== undefined && words.locales.includes(locale);
  const translator = isKnown
    ? words.of(locale)
    : translatorFor(c.req.header("Accept-Language"), words);
  return { translator, base };
}

/** Answers with the page of a failure. */
export function respond(c: Context, parts: PageDeps, failure: PageFailure | OwnFailure) {
  const place = pageContext(c, parts);
  const { status, message, headers } =
    typeof failure === "string" ? describeOwnFailure(failure, place.translator) : failure;
  // Statuses come from this room's tables, and all of them allow a body.
  return c.html(messagePage(place, message), status as ContentfulStatusCode, headers);
}
