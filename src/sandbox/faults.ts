import type { IncomingMessage } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Context, MiddlewareHandler } from "hono";

/**
 * `answer`: this status, headers and body instead of the work; with a `Location` it is a redirect.
 * `cut-before`: the connection breaks and nothing was done. `cut-during`: it breaks when the handler has read
 * `afterBytes` of the request's body, or once the work is done when the body is shorter. `cut-after`: the work was
 * done and the connection breaks before the answer. `cut-answer`: it breaks after `afterBytes` of the answer's body.
 * `delay`: late, then as usual. `slow`: the answer's body comes in drops, `delayMs` apart.
 */
type FaultKind =
  | "answer"
  | "cut-before"
  | "cut-during"
  | "cut-after"
  | "cut-answer"
  | "delay"
  | "slow";

/** One way a stand-in misbehaves, for the requests it matches. */
export interface InjectedFault {
  /** Every method when absent. */
  readonly method?: string;
  /** Tested against path and query; every request when absent. */
  readonly path?: RegExp;
  readonly kind: FaultKind;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** As it is, or made of the request's address. */
  readonly body?: string | Uint8Array<ArrayBuffer> | ((url: URL) => string);
  /** Before the work and before a cut; between the drops of a slow answer, 50 when absent. */
  readonly delayMs?: number;
  /** Where a body is cut; its start when absent, the middle for an answer. */
  readonly afterBytes?: number;
  /** Size of the drops of a slow answer; 16 when absent. */
  readonly dropBytes?: number;
  /** How many requests it affects; all of them when absent. */
  readonly times?: number;
  /** Share of matching requests that it affects, 0 to 1; all when absent. */
  readonly rate?: number;
}

const outage: InjectedFault = { kind: "answer", status: 503, body: "Service Unavailable" };

type FaultBindings = { Bindings: HttpBindings };

export interface Faults {
  /** `met` resolves when the fault affects its first request. */
  add(fault: InjectedFault): { readonly met: Promise<void> };
  /** Takes all faults away; what was down is up again. */
  clear(): void;
  /** Everything answers 503 until this is taken back, before all other faults. */
  setDown(isDown: boolean): void;
  isDown(): boolean;
  readonly middleware: MiddlewareHandler<FaultBindings>;
}

export function createFaults(random: () => number = Math.random): Faults {
  let isDown = false;
  let armed: { fault: InjectedFault; left: number; met: () => void }[] = [];

  return {
    add: (fault) => {
      const { promise: met, resolve } = Promise.withResolvers<void>();
      armed.push({ fault, left: fault.times ?? Number.POSITIVE_INFINITY, met: resolve });
      return { met };
    },
    clear: () => {
      armed = [];
      isDown = false;
    },
    setDown: (value) => {
      isDown = value;
    },
    isDown: () => isDown,
    middleware: async (c, next) => {
      if (isDown) return acts.answer(c, next, outage);
      const { pathname, search } = new URL(c.req.url);
      const hit = armed.find(
        ({ fault: { method = c.req.method, path, rate } }) =>
          method === c.req.method &&
          path?.test(pathname + search) !== false &&
          (rate === undefined || random() < rate),
      );
      if (hit === undefined) return next();
      hit.met();
      hit.left -= 1;
      if (hit.left <= 0) armed = armed.filter((other) => other !== hit);
      return acts[hit.fault.kind](c, next, hit.fault);
    },
  };
}

type FaultEffect = (
  c: Context<FaultBindings>,
  next: () => Promise<void>,
  fault: InjectedFault,
) => Promise<Response | undefined>;

const acts = {
  answer: async (c, _next, { status = 500, headers = {}, body = null }) => {
    // The body is read to its end so that the client gets the answer. It is not stored: it may be a video.
    await c.req.raw.body?.pipeTo(new WritableStream());
    const content = typeof body === "function" ? body(new URL(c.req.url)) : body;
    return new Response(content, { status, headers });
  },
  "cut-before": async (c, _next, { delayMs = 0 }) => {
    await delay(delayMs);
    return cut(c);
  },
  "cut-during": async (c, next, { afterBytes = 0 }) => {
    cutRequest(c.env.incoming, afterBytes);
    await next();
    return cut(c);
  },
  "cut-after": async (c, next, { delayMs = 0 }) => {
    await delay(delayMs);
    await next();
    return cut(c);
  },
  "cut-answer": async (c, next, { afterBytes }) => {
    await next();
    const body = await begin(c.env.outgoing, c.res);
    const part = body.subarray(0, afterBytes ?? Math.floor(body.length / 2));
    if (part.length > 0) await sent(c.env.outgoing, part);
    return cut(c);
  },
  delay: async (_c, next, { delayMs }) => {
    await delay(delayMs);
    await next();
    return undefined;
  },
  slow: async (c, next, { delayMs = 50, dropBytes = 16 }) => {
    await next();
    const { outgoing } = c.env;
    const body = await begin(outgoing, c.res);
    for (let from = 0; from < body.length && !outgoing.destroyed; from += dropBytes) {
      await sent(outgoing, body.subarray(from, from + dropBytes));
      await delay(delayMs);
    }
    outgoing.end();
    return sentAlready(c);
  },
} as const satisfies Record<FaultKind, FaultEffect>;

function cut(c: Context<FaultBindings>): Response {
  c.env.outgoing.destroy();
  return sentAlready(c);
}

/** Keeps hono from answering once more; setting an answer over another would merge their headers. */
function sentAlready(c: Context<FaultBindings>): Response {
  c.res = undefined;
  c.res = RESPONSE_ALREADY_SENT;
  return RESPONSE_ALREADY_SENT;
}

// Long enough for a reader to take in what has arrived: breaking a connection throws away what nobody has read yet.
const graceMs = 20;
/** A handler that does not read the body at all is not waited for. */
const longestWaitMs = 1_000;

/**
 * Passes the first bytes of a request's body on to the handler, however it reads them, and then breaks the
 * connection: the reader gets exactly so many bytes and then an error, as when a client's line goes dead. A handler
 * of uploads keeps what it got. Must run before the body is read.
 */
function cutRequest(incoming: IncomingMessage, afterBytes: number): void {
  const push = incoming.push.bind(incoming);
  let left = afterBytes;

  incoming.push = (chunk: Buffer | null) => {
    if (chunk === null) return push(null);
    // The last bytes must not be read as the end of a whole body: the cut comes first.
    const part = chunk.subarray(0, left);
    const isReached = left <= chunk.length;
    left -= part.length;
    const wantsMore = part.length === 0 || push(part);
    if (!isReached) return wantsMore;
    incoming.push = () => false;
    void breakOnceRead(incoming);
    return false;
  };
}

async function breakOnceRead(incoming: IncomingMessage): Promise<void> {
  const deadline = performance.now() + longestWaitMs;
  do {
    await new Promise((resolve) => setTimeout(resolve, graceMs));
  } while (incoming.readableLength > 0 && performance.now() < deadline);
  incoming.socket.destroy();
}

type Outgoing = HttpBindings["outgoing"];

/** Sends the headers, with the length of the whole body, and gives the body. */
async function begin(outgoing: Outgoing, answer: Response): Promise<Buffer> {
  const body = Buffer.from(await answer.arrayBuffer());
  const headers = Object.fromEntries(answer.headers);
  outgoing.writeHead(answer.status, { ...headers, "content-length": `${body.length}` });
  if ("flushHeaders" in outgoing) outgoing.flushHeaders();
  return body;
}

/** Resolves when the bytes have left, or never will. */
function sent(outgoing: Outgoing, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => outgoing.write(bytes, () => resolve()));
}
