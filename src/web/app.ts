import { type Context, Hono } from "hono";
import { explain, note } from "./failure.ts";
import { addHub } from "./hub.ts";
import { messagePage } from "./pages/message-page.ts";
import { type Parts, placeOf, refused, respond } from "./respond.ts";
import {
  backToLink,
  paths,
  sendToDiscord,
  showLink,
  showOutcome,
  takeAnswer,
  takeIdentity,
  takeTicks,
} from "./steps.ts";

/** Files that pages load. */
interface Assets {
  readonly style: string;
  /** An SVG. */
  readonly sign: string;
}

/** 256 bits in base64url; nothing else is ever looked up. */
const link = `${paths.link}/:ticket{[A-Za-z0-9_-]{43}}`;
const keepable = { "Cache-Control": "public, max-age=300" } as const;

/** The link's pages. Opening one changes nothing, however often: only forms do, and the services' answers. */
export function createApp(parts: Parts, assets: Assets): Hono {
  const pages = new Hono();
  pages.get("/", (c) => c.html(homePage(c, parts)));
  pages.get(link, (c) => showLink(c, parts));
  pages.post(link, (c) => takeTicks(c, parts));
  pages.get(`${link}/identity`, (c) => backToLink(c, parts));
  pages.post(`${link}/identity`, (c) => sendToDiscord(c, parts));
  pages.get(paths.identified, (c) => takeIdentity(c, parts));
  pages.get(paths.answered, (c) => takeAnswer(c, parts));
  pages.get(paths.done, (c) => showOutcome(c, parts));
  pages.get("/style.css", (c) => c.body(assets.style, 200, asset("text/css; charset=utf-8")));
  pages.get("/favicon.svg", (c) => c.body(assets.sign, 200, asset("image/svg+xml")));
  pages.get("/robots.txt", (c) => c.text("User-agent: *\nDisallow: /\n", 200, keepable));

  if (parts.hub !== undefined) addHub(pages, parts.hub);

  const app = new Hono();
  app.route("/", pages);
  // A proxy that gives a path of its own to this may take it away, or leave it.
  if (parts.base !== "") app.route(parts.base, pages);
  app.notFound((c) => refused(c, parts, "nothing_here"));
  app.onError((error, c) => {
    const failure = explain(error, placeOf(c, parts).speech);
    note(error, { step: stepOf(c), log: parts.log, failure });
    return respond(c, parts, failure);
  });
  return app;
}

function asset(type: string) {
  return { ...keepable, "Content-Type": type };
}

function homePage(c: Context, parts: Parts) {
  const place = placeOf(c, parts);
  const { speech } = place;
  return messagePage(place, {
    title: speech.say("web.home.title"),
    hint: speech.say("web.home.text"),
  });
}

/** For the log, which is told no ticket and no state. */
function stepOf(c: Context): string {
  const steps = Object.entries(paths);
  return steps.find(([, path]) => c.req.path.includes(path))?.[0] ?? "page";
}
