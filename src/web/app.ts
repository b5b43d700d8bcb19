import { type Context, Hono } from "hono";
import { BotError } from "../errors.ts";
import { linkPermissions } from "../oauth/index.ts";
import { readFormFields } from "./bodies.ts";
import { describePageFailure, logPageFailure, type OwnFailure } from "./failure.ts";
import { addHub } from "./hub.ts";
import { donePage, linkPage } from "./pages/link-page.ts";
import { messagePage } from "./pages/page-frame.ts";
import { type PageDeps, pageContext, respond } from "./respond.ts";

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
  /** The last page, whose address has nothing of what Google sent back. */
  done: "/oauth/done",
} as const;

/** 256 bits in base64url; nothing else is ever looked up. */
const link = `${linkPaths.link}/:token{[A-Za-z0-9_-]{43}}`;
const keepable = { "Cache-Control": "public, max-age=300" } as const;

/** The pages of a link. Opening one never changes anything: only forms and the services' answers do. */
export function createPagesApp(parts: PageDeps, assets: Assets): Hono {
  const pages = new Hono();
  pages.get("/", (c) => {
    const place = pageContext(c, parts);
    const { translator } = place;
    const [title, hint] = [translator.say("web.home.title"), translator.say("web.home.text")];
    return c.html(messagePage(place, { title, hint }));
  });
  pages.get(link, (c) => showLink(c, parts));
  pages.post(link, (c) => takeTicks(c, parts));
  // For an address that somebody bookmarked, or came back to.
  pages.get(`${link}/identity`, (c) => c.redirect(linkPath(parts, linkToken(c)), 303));
  pages.post(`${link}/identity`, (c) => sendToDiscord(c, parts));
  pages.get(linkPaths.identified, (c) => takeIdentity(c, parts));
  pages.get(linkPaths.answered, (c) => takeAnswer(c, parts));
  pages.get(linkPaths.done, (c) => showOutcome(c, parts));
  const files = [
    ["/style.css", "text/css; charset=utf-8", assets.style],
    ["/favicon.svg", "image/svg+xml", assets.sign],
    ["/robots.txt", "text/plain; charset=UTF-8", "User-agent: *\nDisallow: /\n"],
  ] as const;
  for (const [path, type, content] of files) {
    pages.get(path, (c) => c.body(content, 200, { ...keepable, "Content-Type": type }));
  }

  if (parts.hub !== undefined) addHub(pages, parts.hub);

  const app = new Hono();
  app.route("/", pages);
  // A proxy that serves this under a path may remove that path, or leave it.
  if (parts.base !== "") app.route(parts.base, pages);
  app.notFound((c) => respond(c, parts, "nothing_here"));
  app.onError((error, c) => {
    const failure = describePageFailure(error, pageContext(c, parts).translator);
    // The log must contain neither a token nor a state, so it gets only the step's name.
    const steps = Object.entries(linkPaths);
    const [step] = steps.find(([, path]) => c.req.path.includes(path)) ?? ["page"];
    logPageFailure(error, { step, log: parts.log, failure });
    return respond(c, parts, failure);
  });
  return app;
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
    const names = new Set((await readFormFields(c))?.getAll("permission"));
    const ticked = linkPermissions.filter((permission) => names.has(permission));
    // Our form sends at least one permission, and only those that exist.
    const isOurs = names.size > 0 && ticked.length === names.size;
    if (!isOurs) return respond(c, parts, "unreadable");
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
  if (!isOwn) return respond(c, parts, "foreign");
  const browser = parts.cookies.readBrowser(c);
  return browser === undefined ? respond(c, parts, "unknown_browser") : step(browser);
}

/** An answer works only once, so only the person's own browser may bring it, and only by a redirect to this page. */
async function takeIdentity(c: Context, parts: PageDeps): PageResponse {
  return stepInBrowser(c, parts, isVisit(c), async (browser) => {
    const token = await parts.links.identified(answerUrl(c, parts, linkPaths.identified), browser);
    return c.redirect(linkPath(parts, token), 303);
  });
}

async function takeAnswer(c: Context, parts: PageDeps): PageResponse {
  return stepInBrowser(c, parts, isVisit(c), async (browser) => {
    try {
      const pending = await parts.links.answered(answerUrl(c, parts, linkPaths.answered), browser);
      parts.cookies.putOutcome(c, pending);
      return c.redirect(`${parts.base}${linkPaths.done}`, 303);
    } catch (error) {
      const failure = error instanceof BotError ? answerFailures[error.code] : undefined;
      if (failure === undefined) throw error;
      return respond(c, parts, failure);
    }
  });
}

/** After a reload the page only says where to continue. */
async function showOutcome(c: Context, parts: PageDeps): PageResponse {
  if (!isVisit(c)) return respond(c, parts, "foreign");
  const outcome = parts.cookies.takeOutcome(c);
  if (outcome === undefined) return respond(c, parts, "taken");
  return c.html(donePage(pageContext(c, parts), outcome, parts.discordUrl));
}

/** Worded differently here than in Discord: a reloaded page has already done its part, and a link stays open. */
const answerFailures: Readonly<Record<string, OwnFailure>> = {
  link_over: "taken",
  no_channel: "without_channel",
};

/** The address that Discord or Google was given, with what it answered. */
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
function isVisit({ req }: Context): boolean {
  const mode = req.header("Sec-Fetch-Mode") ?? "navigate";
  const target = req.header("Sec-Fetch-Dest") ?? "document";
  const purpose = `${req.header("Sec-Purpose")} ${req.header("Purpose")}`;
  if (req.method !== "GET" || purpose.includes("prefetch")) return false;
  return mode === "navigate" && target === "document";
}
