import { createHash, randomUUID, timingSafeEqual } from "node:crypto";
import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { createFaults, type Faults } from "../faults.ts";
import { listenOnLoopback } from "../listen.ts";
import { answerCutout, chooseAnswerFormat } from "./answer.ts";
import { createCreditAccount } from "./credit-account.ts";
import { BackgroundError, toBackgroundError } from "./errors.ts";
import type { ImprovementFile } from "./picture-worker.ts";
import { createPictureWorker } from "./picture-worker.ts";
import { createRembg } from "./rembg.ts";
import type { RequestBytes } from "./request/form.ts";
import { type DownloadReach, defaultMaxBytes } from "./request/input.ts";

export { backgroundFaults } from "./errors.ts";

export interface BackgroundOptions {
  /** A free one when absent. */
  readonly port?: number;
  /** Decides which requests a fault's `rate` affects. */
  readonly random?: () => number;
  /** Milliseconds since 1970, for the rate window, the month of free calls and the day of improvements. */
  readonly now?: () => number;
  /** The only key that is let in. */
  readonly key?: string;
  /** Credits the account starts with, 50 when absent; with Infinity nothing is charged. */
  readonly credits?: number;
  /** Previews a month that cost nothing; none when absent. */
  readonly freeCalls?: number;
  /** Rate limit, 500 when absent; with Infinity there is none, and no headers about it. */
  readonly megapixelsPerMinute?: number;
  /** Largest picture that is taken, in bytes; 12 MB when absent. */
  readonly maxBytes?: number;
  /** Where pictures may be downloaded from; `this machine` when absent. */
  readonly reach?: DownloadReach;
  /** A Host header that is accepted besides this machine's own, for a tunnel that leads here. */
  readonly alias?: string;
  /** `network` when absent. `ellipse` takes the middle of every picture for its subject, at once and always alike. */
  readonly matting?: "network" | "ellipse";
  /** Answers a repeated request with the stored file, so that benchmarks do not measure this engine. */
  readonly remembers?: boolean;
}

export interface BackgroundServer {
  /** Ends with the version segment, `/v1.0`. */
  readonly url: string;
  /** Where the same process answers as rembg's HTTP server. */
  readonly rembgUrl: string;
  readonly key: string;
  readonly faults: Faults;
  /** What POST /improve took, oldest first, the last hundred; without the bytes. */
  readonly improved: readonly Improved[];
  close(): Promise<void>;
}

const base = "/v1.0";

/**
 * Stand-in for remove.bg on 127.0.0.1. It really segments, obeys every parameter, and keeps
 * credits, free calls and a rate window. Pictures are worked on one after another in a thread of their own.
 */
export async function startBackground(options: BackgroundOptions = {}): Promise<BackgroundServer> {
  const { port = 0, random = Math.random, now = Date.now, credits = 50 } = options;
  const { key = "sandbox-background-key", maxBytes = defaultMaxBytes } = options;
  const { matting = "network", remembers = false, reach = "this machine", alias } = options;
  const faults = createFaults(random);
  const ledger = createCreditAccount({ ...options, credits, now });
  const improvements = createImprovements(now);
  const pictureWorker = createPictureWorker({ matting, intake: { maxBytes, reach }, remembers });

  const app = new Hono<{ Bindings: HttpBindings }>();
  app.use(async (c, next) => {
    const host = c.req.header("host");
    const named = loopbackHost.exec(host ?? "");
    const { localPort } = c.env.incoming.socket;
    const isOwn = named !== null && Number(named[1] ?? usualPort) === localPort;
    // Guards against DNS rebinding: a foreign page whose name resolves to this machine sends its own name as Host.
    if (!isOwn && (alias === undefined || host !== alias)) {
      const detail = `Send requests to http://127.0.0.1:${localPort}, from this machine.`;
      throw new BackgroundError(403, [{ title: "Unknown host", detail }]);
    }
    await next();
  });
  app.use(faults.middleware);
  app.use(`${base}/*`, async (c, next) => {
    c.header("Access-Control-Allow-Origin", "*");
    checkKey(c.req.header("x-api-key"), key);
    await next();
  });
  app.get(`${base}/account`, (c) => c.json(ledger.account()));
  app.post(`${base}/removebg`, limitBody(maxBytes), async (c) => {
    let refund = (): void => {};
    try {
      const { made, estimate, settled } = await pictureWorker.remove(await readBody(c.req.raw), {
        answer: chooseAnswerFormat(c),
        // A call is counted and charged once its request is in order; one that fails after that costs nothing.
        settle: ({ width, height, size }) => {
          const rate = ledger.admit(width * height);
          const charge = ledger.charge(size, width * height);
          refund = () => ledger.refund(charge);
          return { size: charge.size, charge, rate };
        },
      });
      return answerCutout(c, { made, estimate, charge: settled.charge, rate: settled.rate });
    } catch (cause) {
      refund();
      throw cause;
    }
  });
  app.post(`${base}/improve`, limitBody(maxBytes), async (c) => {
    improvements.admit();
    const improvement = await pictureWorker.improve(await readBody(c.req.raw));
    return c.json({ id: improvements.add(improvement).id });
  });
  app.route("/", createRembg({ worker: pictureWorker, readBody }));
  app.notFound((c) => c.json({ errors: [{ title: "Not found" }] }, 404));
  app.onError((error, c) => {
    if (!(error instanceof BackgroundError)) {
      return c.json({ errors: [{ title: "Internal server error", detail: String(error) }] }, 500);
    }
    return c.json({ errors: error.complaints }, error.status, {
      ...error.headers,
      "Content-Type": "application/json; charset=utf-8",
    });
  });

  const server = await listenOnLoopback(app, port);
  return {
    url: server.origin + base,
    rembgUrl: server.origin,
    key,
    faults,
    improved: improvements.list,
    close: async () => {
      await Promise.all([server.close(), pictureWorker.close()]);
    },
  };
}

function checkKey(sentKey: string | undefined, key: string): void {
  if (sentKey === undefined) {
    throw new BackgroundError(403, [{ title: "Missing API Key", code: "auth_failed" }]);
  }
  // Digests are equally long, and how much of one is right says nothing about the key.
  if (!timingSafeEqual(digest(sentKey), digest(key))) {
    throw new BackgroundError(403, [{ title: "API Key invalid", code: "auth_failed" }]);
  }
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

const loopbackHost = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::(\d{1,5}))?$/iu;
/** The port of http, where a Host names none. */
const usualPort = 80;

/**
 * Base64 takes a third more than the bytes, a background picture may be sent too, and the rest of a form is small.
 */
function limitBody(maxBytes: number): ReturnType<typeof bodyLimit> {
  const onError = (): never => {
    throw toBackgroundError("file_too_large");
  };
  return bodyLimit({ maxSize: Math.ceil((maxBytes * 7) / 3) + 1_000_000, onError });
}

async function readBody(request: Request): Promise<RequestBytes> {
  const type = request.headers.get("content-type") ?? "";
  return { bytes: new Uint8Array(await request.arrayBuffer()), type };
}

const filesPerDay = 100;
const dayMs = 86_400_000;

/** A picture that was accepted, with the id it got. */
interface Improved extends ImprovementFile {
  readonly id: string;
}

/** The pictures handed over by POST /improve, at most 100 a day (UTC); their bytes are not kept. */
interface Improvements {
  /** The last hundred, oldest first. */
  readonly list: readonly Improved[];
  /** @throws BackgroundError 429 when this day's files are used up. */
  admit(): void;
  add(improvement: ImprovementFile): Improved;
}

function createImprovements(now: () => number): Improvements {
  const list: Improved[] = [];
  let today = { day: Number.NaN, count: 0 };

  function countToday(): number {
    const day = Math.floor(now() / dayMs);
    if (day !== today.day) today = { day, count: 0 };
    return today.count;
  }

  return {
    list,
    admit() {
      if (countToday() < filesPerDay) return;
      const seconds = Math.ceil((dayMs - (now() % dayMs)) / 1000);
      throw new BackgroundError(429, [{ title: "Rate limit exceeded" }], {
        "Retry-After": `${seconds}`,
      });
    },
    add(improvement) {
      today.count = countToday() + 1;
      const improved = { id: randomUUID(), ...improvement };
      list.push(improved);
      if (list.length > filesPerDay) list.shift();
      return improved;
    },
  };
}
