import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { createFaults, type Faults } from "../faults.ts";
import { listen } from "../listen.ts";
import { createCutter } from "./cutter.ts";
import { mediaTypes } from "./encode.ts";
import { maxInputBytes } from "./input.ts";
import { createLedger } from "./ledger.ts";
import { Refusal, refuse } from "./refusals.ts";
import { type Removed, removeBackground } from "./remove-background.ts";

export interface BackgroundOptions {
  /** A free one when absent. */
  readonly port?: number;
  /** Decides where a fault's `rate` strikes. */
  readonly random?: () => number;
  /** Milliseconds since 1970, for the rate window. */
  readonly now?: () => number;
  /** The only key that is let in. */
  readonly key?: string;
  /** Credits the account starts with. */
  readonly credits?: number;
}

export interface BackgroundServer {
  /** Ends with the version segment, `/v1.0`. */
  readonly url: string;
  readonly key: string;
  readonly faults: Faults;
  close(): Promise<void>;
}

type Bindings = { Bindings: HttpBindings };

const base = "/v1.0";

/** Stand-in for the background-removal service on 127.0.0.1. It really segments, and keeps credits and a rate window. */
export async function startBackground(options: BackgroundOptions = {}): Promise<BackgroundServer> {
  const { port = 0, random = Math.random, now = Date.now, credits = 50 } = options;
  const key = options.key ?? "sandbox-background-key";
  const faults = createFaults(random);
  const ledger = createLedger(credits, now);
  const cutter = createCutter();

  const app = new Hono<Bindings>();
  app.use(faults.middleware);
  app.use(`${base}/*`, async (c, next) => {
    c.header("Access-Control-Allow-Origin", "*");
    checkKey(c.req.header("x-api-key"), key);
    await next();
  });
  app.get(`${base}/account`, (c) => c.json(ledger.account()));
  app.post(`${base}/removebg`, limitBody(), async (c) =>
    answer(c, await removeBackground(c.req.raw, { ledger, cutter })),
  );
  app.notFound((c) => c.json({ errors: [{ title: "Not found" }] }, 404));
  app.onError((error, c) => {
    if (!(error instanceof Refusal)) {
      return c.json({ errors: [{ title: "Internal server error", detail: String(error) }] }, 500);
    }
    return c.json({ errors: error.complaints }, error.status, {
      ...error.headers,
      "Content-Type": "application/json; charset=utf-8",
    });
  });

  const server = await listen(app, port);
  return {
    url: server.origin + base,
    key,
    faults,
    close: async () => {
      await Promise.all([server.close(), cutter.close()]);
    },
  };
}

function checkKey(given: string | undefined, key: string): void {
  if (given === undefined) {
    throw new Refusal(403, [{ title: "Missing API Key", code: "auth_failed" }]);
  }
  if (given !== key) throw new Refusal(403, [{ title: "API Key invalid", code: "auth_failed" }]);
}

/** Base64 takes a third more than the bytes; the rest of a form is small. */
function limitBody(): ReturnType<typeof bodyLimit> {
  const onError = (): never => {
    throw refuse("file_too_large");
  };
  return bodyLimit({ maxSize: Math.ceil((maxInputBytes * 4) / 3) + 1_000_000, onError });
}

/** The file itself, or JSON when that is what the caller accepts first; sizes and costs are in headers either way. */
function answer(c: Context<Bindings>, removed: Removed): Response {
  const { box, rate } = removed;
  const headers = {
    ...(removed.type !== undefined && { "X-Type": removed.type }),
    "X-Width": `${removed.width}`,
    "X-Height": `${removed.height}`,
    "X-Credits-Charged": `${removed.credits}`,
    "X-Foreground-Top": `${box.top}`,
    "X-Foreground-Left": `${box.left}`,
    "X-Foreground-Width": `${box.width}`,
    "X-Foreground-Height": `${box.height}`,
    "X-RateLimit-Limit": `${rate.limit}`,
    "X-RateLimit-Remaining": `${rate.remaining}`,
    "X-RateLimit-Reset": `${rate.reset}`,
  };
  if (!/^\s*application\/json\b/i.test(c.req.header("accept") ?? "")) {
    const body = Uint8Array.from(removed.bytes);
    return c.body(body, 200, { ...headers, "Content-Type": mediaTypes[removed.format] });
  }
  const data = {
    result_b64: Buffer.from(removed.bytes).toString("base64"),
    foreground_top: box.top,
    foreground_left: box.left,
    foreground_width: box.width,
    foreground_height: box.height,
  };
  return c.json({ data }, 200, headers);
}
