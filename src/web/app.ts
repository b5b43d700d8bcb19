import { type Context, Hono } from "hono";
import { BotError } from "../errors.ts";
import { linkPermissions, type Permission } from "../oauth/index.ts";
import { readFormFields } from "./bodies.ts";
import { describePageFailure, logPageFailure, type PageRefusal } from "./failure.ts";
import { addHub } from "./hub.ts";
import { donePage, linkPage } from "./pages/link-page.ts";
import { messagePage } from "./pages/page-frame.ts";
import { type PageDeps, pageContext, respond, respondRefusal } from "./respond.ts";

interface Assets {
  readonly style: string;
  /** An SVG. */
  readonly sign: string;
}

/** Paths in addresses that others know: a link's page, and where the two services send people back to. */
const linkPaths = {
  link: "/connect",
  identified: "/discord/callback",
  answered: "/oauth/callback",
  /** The last page, whose address has nothing of what the service sent back. */
  done: "/oauth/done",
} as const;

/** 256 bits in base64url; nothing else is ever looked up. */
const link = `${linkPaths.link}/:token{[A-Za-z0-9_-]{43}}`;
const keepable = { "Cache-Control": "public, max-age=300" } as const;

/** The pages of a link. Opening one never changes anything: only forms and the services' answers do. */
export function createPagesApp(parts: PageDeps, assets: Assets): Hono {
  const pages = new Hono();
  pages.get("/", (c) => c.html(homePage(c, parts)));
  pages.get(link, (c) => showLink(c, parts));
  pages.post(link, (c) => takeTicks(c, parts));
  // For an address that somebody bookmarked, or came back to.
  pages.get(`${link}/identity`, (c) => c.redirect(linkPath(parts, linkToken(c)), 303));
  pages.post(`${link}/identity`, (c) => sendToDiscord(c, parts));
  pages.get(linkPaths.identified, (c) => takeIdentity(c, parts));
  pages.get(linkPaths.answered, (c) => takeAnswer(c, parts));
  pages.get(linkPaths.done, (c) => showOutcome(c, parts));
  pages.get("/style.css", (c) => c.body(assets.style, 200, asset("text/css; charset=utf-8")));
  pages.get("/favicon.svg", (c) => c.body(assets.sign, 200, asset("image/svg+xml")));
  pages.get("/robots.txt", (c) => c.text("User-agent: *\nDisallow: /\n", 200, keepable));

  if (parts.hub !== undefined) addHub(pages, parts.hub);

  const app = new Hono();
  app.route("/", pages);
  // A proxy that serves this under a path may remove that path, or leave it.
  if (parts.base !== "") app.route(parts.base, pages);
  app.notFound((c) => respondRefusal(c, parts, "nothing_here"));
  app.onError((error, c) => {
    const failure = describePageFailure(error, pageContext(c, parts).translator);
    logPageFailure(error, { step: stepName(c), log: parts.log, failure });
    return respond(c, parts, failure);
  });
  return app;
}

function asset(type: string) {
  return { ...keepable, "Content-Type": type };
}

function homePage(c: Context, parts: PageDeps) {
  const place = pageContext(c, parts);
  const { translator } = place;
  return messagePage(place, {
    title: translator.say("web.home.title"),
    hint: translator.say("web.home.text"),
  });
}

/** The step's name for the log, which must contain neither a token nor a state. */
function stepName(c: Context): string {
  const steps = Object.entries(linkPaths);
  return steps.find(([, path]) => c.req.path.includes(path))?.[0] ?? "page";
}

type PageResponse = Promise<Response>;

/** Changes nothing, so that previews and reloads do no harm. */
async function showLink(c: Context, parts: PageDeps): PageResponse {
  const { links, cookies, now } = parts;
  const visit = await links.visit(linkToken(c), cookies.keepBrowser(c));
  const identityPath = `${linkPath(parts, linkToken(c))}/identity`;
  parts.cookies.keepLanguage(c, visit.locale);
  const place = pageContext(c, parts, visit.locale);
  const page = linkPage(place, { visit, identityPath, now: now() });
  return c.html(page);
}

async function sendToDiscord(c: Context, parts: PageDeps): PageResponse {
  return stepInBrowser(c, parts, isOwnForm(c, parts.origin), async (browser) =>
    c.redirect((await parts.links.identify(linkToken(c), browser)).href, 303),
  );
}

async function takeTicks(c: Context, parts: PageDeps): PageResponse {
  return stepInBrowser(c, parts, isOwnForm(c, parts.origin), async (browser) => {
    const ticked = await readTicks(c);
    if (ticked === undefined) return respondRefusal(c, parts, "unreadable");
    return c.redirect((await parts.links.authorise(linkToken(c), browser, ticked)).href, 303);
  });
}

/** Accepts forms only from our own pages, answers only on their way here, and both only in a browser that began a link. */
async function stepInBrowser(
  c: Context,
  parts: PageDeps,
  isOwn: boolean,
  step: (browser: string) => PageResponse,
): PageResponse {
  if (!isOwn) return respondRefusal(c, parts, "foreign");
  const browser = parts.cookies.readBrowser(c);
  return browser === undefined ? respondRefusal(c, parts, "unknown_browser") : step(browser);
}

/** The ticked permissions; undefined for anything that our form never sends. */
async function readTicks(c: Context): Promise<readonly Permission[] | undefined> {
  const names = new Set((await readFormFields(c))?.getAll("permission"));
  const ticked = linkPermissions.filter((permission) => names.has(permission));
  return names.size > 0 && ticked.length === names.size ? ticked : undefined;
}

/** An answer works only once, so only the person's own browser may bring it, and only by a redirect to this page. */
async function takeIdentity(c: Context, parts: PageDeps): PageResponse {
  return stepInBrowser(c, parts, isOnItsWay(c), async (browser) => {
    const token = await parts.links.identified(answerUrl(c, parts, linkPaths.identified), browser);
    return c.redirect(linkPath(parts, token), 303);
  });
}

async function takeAnswer(c: Context, parts: PageDeps): PageResponse {
  return stepInBrowser(c, parts, isOnItsWay(c), async (browser) => {
    try {
      const pending = await parts.links.answered(answerUrl(c, parts, linkPaths.answered), browser);
      parts.cookies.putOutcome(c, pending);
      return c.redirect(`${parts.base}${linkPaths.done}`, 303);
    } catch (error) {
      const refusal = error instanceof BotError ? pageRefusals[error.code] : undefined;
      if (refusal === undefined) throw error;
      return respondRefusal(c, parts, refusal);
    }
  });
}

/** After a reload the page only says where to continue. */
async function showOutcome(c: Context, parts: PageDeps): PageResponse {
  if (!isOnItsWay(c)) return respondRefusal(c, parts, "foreign");
  const outcome = parts.cookies.takeOutcome(c);
  if (outcome === undefined) return respondRefusal(c, parts, "taken");
  return c.html(donePage(pageContext(c, parts), outcome, parts.discordUrl));
}

/** Worded differently here than in Discord: a reloaded page has already done its part, and a link stays open. */
const pageRefusals: Readonly<Record<string, PageRefusal>> = {
  link_over: "taken",
  no_channel: "without_channel",
};

function isOnItsWay(c: Context): boolean {
  return c.req.method === "GET" && isVisit(c);
}

/** The service's answer, at the address that the service was given. */
function answerUrl(c: Context, { origin, base }: PageDeps, path: string): URL {
  const { url } = c.req;
  const query = url.includes("?") ? url.slice(url.indexOf("?")) : "";
  return new URL(`${origin}${base}${path}${query}`);
}

function linkToken(c: Context): string {
  return c.req.param("token") ?? "";
}

function linkPath({ base }: PageDeps, token: string): string {
  return `${base}${linkPaths.link}/${encodeURIComponent(token)}`;
}

/**
 * Whether a form was sent from a page of our own. `no-referrer` makes browsers send `Origin: null` with our own forms,
 * so `Sec-Fetch-Site` counts, which no page can set. A request without either comes from no browser that we know.
 */
function isOwnForm(c: Context, origin: string): boolean {
  const site = c.req.header("Sec-Fetch-Site");
  const from = c.req.header("Origin");
  if (from !== undefined && from !== "null" && from !== origin) return false;
  return site === undefined ? from === origin : site === "same-origin";
}

/**
 * Whether somebody really opens this address: not a picture, a frame or a script of another page, and not a prefetch.
 * Requests without these headers are let through, because the headers only protect people with browsers.
 */
function isVisit(c: Context): boolean {
  const isAhead = [c.req.header("Sec-Purpose"), c.req.header("Purpose")].some((purpose) =>
    purpose?.includes("prefetch"),
  );
  return !isAhead && is(c, "Sec-Fetch-Mode", "navigate") && is(c, "Sec-Fetch-Dest", "document");
}

function is(c: Context, header: string, expected: string): boolean {
  const value = c.req.header(header);
  return value === undefined || value === expected;
}
