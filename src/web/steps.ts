import type { Context } from "hono";
import { BotError } from "../errors.ts";
import { type Permission, permissions } from "../oauth/index.ts";
import { readForm } from "./bodies.ts";
import type { Refusal } from "./failure.ts";
import { isOwnForm, isVisit } from "./origin.ts";
import { donePage } from "./pages/done-page.ts";
import { linkPage } from "./pages/link-page.ts";
import { type Parts, placeOf, refused } from "./respond.ts";

/** Paths that others put into addresses: a link's page, and where the two services send people back to. */
export const paths = {
  link: "/connect",
  identified: "/discord/callback",
  answered: "/oauth/callback",
  /** Where the last page stands, without what was sent back. */
  done: "/oauth/done",
} as const;

type Answer = Promise<Response>;

/** Changes nothing, so that previews and second looks use nothing up. */
export async function showLink(c: Context, parts: Parts): Answer {
  const { links, browsers, now } = parts;
  const visit = await links.visit(ticketOf(c), browsers.keep(c));
  const identityPath = `${linkPath(parts, ticketOf(c))}/identity`;
  const page = linkPage(placeOf(c, parts), { visit, identityPath, now: now() });
  return c.html(page);
}

/** An address that somebody kept, or came back to. */
export async function backToLink(c: Context, parts: Parts): Answer {
  return c.redirect(linkPath(parts, ticketOf(c)), 303);
}

export async function sendToDiscord(c: Context, parts: Parts): Answer {
  return inBrowser(c, parts, isOwnForm(c, parts.origin), async (browser) =>
    c.redirect((await parts.links.identify(ticketOf(c), browser)).href, 303),
  );
}

export async function takeTicks(c: Context, parts: Parts): Answer {
  return inBrowser(c, parts, isOwnForm(c, parts.origin), async (browser) => {
    const ticked = await ticksOf(c);
    if (ticked === undefined) return refused(c, parts, "unreadable");
    return c.redirect((await parts.links.authorise(ticketOf(c), browser, ticked)).href, 303);
  });
}

/** Forms and answers count only from our own pages or on their way here, and in a browser that began a link. */
async function inBrowser(
  c: Context,
  parts: Parts,
  isOwn: boolean,
  step: (browser: string) => Answer,
): Answer {
  if (!isOwn) return refused(c, parts, "foreign");
  const browser = parts.browsers.read(c);
  return browser === undefined ? refused(c, parts, "unknown_browser") : step(browser);
}

/** Undefined for what our form never sends. */
async function ticksOf(c: Context): Promise<readonly Permission[] | undefined> {
  const given = new Set((await readForm(c))?.getAll("permission"));
  const ticked = permissions.filter((permission) => given.has(permission));
  return given.size > 0 && ticked.length === given.size ? ticked : undefined;
}

/** An answer is used up by taking it: only the person's own browser may bring it, on its way here. */
export async function takeIdentity(c: Context, parts: Parts): Answer {
  return inBrowser(c, parts, isOnItsWay(c), async (browser) => {
    const ticket = await parts.links.identified(answerOf(c, parts, paths.identified), browser);
    return c.redirect(linkPath(parts, ticket), 303);
  });
}

export async function takeAnswer(c: Context, parts: Parts): Answer {
  return inBrowser(c, parts, isOnItsWay(c), async (browser) => {
    try {
      const pending = await parts.links.answered(answerOf(c, parts, paths.answered), browser);
      parts.outcomes.put(c, pending);
      return c.redirect(`${parts.base}${paths.done}`, 303);
    } catch (error) {
      const refusal = error instanceof BotError ? afterwards[error.code] : undefined;
      if (refusal === undefined) throw error;
      return refused(c, parts, refusal);
    }
  });
}

/** Who loads it anew is told where to go on. */
export async function showOutcome(c: Context, parts: Parts): Answer {
  if (!isOnItsWay(c)) return refused(c, parts, "foreign");
  const outcome = parts.outcomes.take(c);
  if (outcome === undefined) return refused(c, parts, "taken");
  return c.html(donePage(placeOf(c, parts), outcome));
}

/** What is said otherwise here than in Discord: a page that is loaded anew has done its part, and a link stays open. */
const afterwards: Readonly<Record<string, Refusal>> = {
  link_over: "taken",
  no_channel: "without_channel",
};

function isOnItsWay(c: Context): boolean {
  return c.req.method === "GET" && isVisit(c);
}

/** The services' answer as they sent it, at the address that they were told. */
function answerOf(c: Context, { origin, base }: Parts, path: string): URL {
  const { url } = c.req;
  const query = url.includes("?") ? url.slice(url.indexOf("?")) : "";
  return new URL(`${origin}${base}${path}${query}`);
}

function ticketOf(c: Context): string {
  return c.req.param("ticket") ?? "";
}

function linkPath({ base }: Parts, ticket: string): string {
  return `${base}${paths.link}/${encodeURIComponent(ticket)}`;
}
