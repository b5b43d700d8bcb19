import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Log } from "../log.ts";
import type { Links } from "../oauth/index.ts";
import type { Browsers } from "./browser.ts";
import { type Failure, type Refusal, refuse } from "./failure.ts";
import type { HubDoor } from "./hub.ts";
import type { Outcomes } from "./outcome.ts";
import type { Place } from "./pages/frame.ts";
import { messagePage } from "./pages/message-page.ts";
import { type Speeches, speechFor } from "./speech.ts";

/** What the steps of a link need. */
export interface Parts {
  readonly links: Links;
  readonly words: Speeches;
  readonly browsers: Browsers;
  readonly outcomes: Outcomes;
  /** Where people's browsers reach this; the requests themselves are not asked. */
  readonly origin: string;
  /** Path of the public address; empty where it has none. */
  readonly base: string;
  /** Answers the hub that tells of new videos. */
  readonly hub?: HubDoor | undefined;
  readonly log: Log;
  readonly now: () => number;
}

export function placeOf(c: Context, { words, base }: Pick<Parts, "words" | "base">): Place {
  return { speech: speechFor(c.req.header("Accept-Language"), words), base };
}

/** Answers what this room refuses by itself. */
export function refused(c: Context, parts: Parts, refusal: Refusal) {
  return respond(c, parts, refuse(refusal, placeOf(c, parts).speech));
}

export function respond(c: Context, parts: Parts, { status, message, headers }: Failure) {
  // Statuses come from tables of this room; each has a body.
  return c.html(messagePage(placeOf(c, parts), message), status as ContentfulStatusCode, headers);
}
