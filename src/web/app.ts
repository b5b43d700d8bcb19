import { type Context, Hono } from "hono";
import { describePageFailure, logPageFailure } from "./failure.ts";
import { addHub } from "./hub.ts";
import {
  backToLink,
  linkPaths,
  sendToDiscord,
  showLink,
  showOutcome,
  takeAnswer,
  takeIdentity,
  takeTicks,
} from "./link-steps.ts";
import { messagePage } from "./pages/page-frame.ts";
import { type PageDeps, pageContext, respond, respondRefusal } from "./respond.ts";

/** Files that pages load. */
interface Assets {
  readonly style: string;
  /** An SVG. */
  readonly sign: string;
}

/** 256 bits in base64url; nothing else is ever looked up. */
const link = `${linkPaths.link}/:token{[A-Za-z0-9_-]{43}}`;
const keepable = { "Cache-Control": "public, max-age=300" } as const;

/** The pages of a link. Opening one never changes anything: only forms and the services' answers do. */
export function createPagesApp(parts: PageDeps, assets: Assets): Hono {
  const pages = new Hono();
  pages.get("/", (c) => c.html(homePage(c, parts)));
  pages.get(link, (c) => showLink(c, parts));
  pages.post(link, (c) => takeTicks(c, parts));
  pages.get(`${link}/identity`, (c) => backToLink(c, parts));
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
