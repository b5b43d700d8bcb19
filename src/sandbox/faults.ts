import { setTimeout as delay } from "node:timers/promises";
import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Context, MiddlewareHandler } from "hono";
import { cutRequest } from "./faults/cut-request.ts";
import { sendPart, trickle } from "./faults/send-answer.ts";

/**
 * `answer`: this status, headers and body instead of the work; with a `Location` it is a redirect.
 * `cut-before`: the connection breaks and nothing was done. `cut-during`: it breaks when the handler has read
 * `afterBytes` of the request's body, or once the work is done when the body is shorter. `cut-after`: the work was
 * done and the connection breaks before the answer. `cut-answer`: it breaks after `afterBytes` of the answer's body.
 * `delay`: late, then as usual. `slow`: the answer's body comes in drops, `delayMs` apart.
 */
export type FaultKind =
  | "answer"
  | "cut-before"
  | "cut-during"
  | "cut-after"
  | "cut-answer"
  | "delay"
  | "slow";

/** One way a stand-in misbehaves, for the requests it matches. */
export interface Fault {
  /** Every method when absent. */
  readonly method?: string;
  /** Tested against path and query; every request when absent. */
  readonly path?: RegExp;
  readonly kind: FaultKind;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** As it is, or made of the request's address. */
  readonly body?: string | ((url: URL) => string);
  /** Before the work and before a cut; between the drops of a slow answer, 50 when absent. */
  readonly delayMs?: number;
  /** Where a body is cut; its start when absent, the middle for an answer. */
  readonly afterBytes?: number;
  /** Size of the drops of a slow answer; 16 when absent. */
  readonly dropBytes?: number;
  /** How many requests it meets before it is spent; endless when absent. */
  readonly times?: number;
  /** Share of matching requests it strikes, 0 to 1; all when absent. */
  readonly rate?: number;
}

type Bindings = { Bindings: HttpBindings };

export interface Faults {
  /** `met` resolves when the fault strikes its first request. */
  add(fault: Fault): { readonly met: Promise<void> };
  clear(): void;
  readonly middleware: MiddlewareHandler<Bindings>;
}

/** Faults on demand for one stand-in; `random` decides where `rate` strikes. */
export function createFaults(random: () => number = Math.random): Faults {
  let armed: { fault: Fault; left: number; met: () => void }[] = [];

  function strike(method: string, path: string): Fault | undefined {
    const hit = armed.find(
      ({ fault }) =>
        (fault.method === undefined || fault.method === method) &&
        (fault.path === undefined || fault.path.test(path)) &&
        (fault.rate === undefined || random() < fault.rate),
    );
    if (hit === undefined) return undefined;
    hit.met();
    hit.left -= 1;
    if (hit.left <= 0) armed = armed.filter((other) => other !== hit);
    return hit.fault;
  }

  return {
    add: (fault) => {
      const { promise: met, resolve } = Promise.withResolvers<void>();
      armed.push({ fault, left: fault.times ?? Number.POSITIVE_INFINITY, met: resolve });
      return { met };
    },
    clear: () => {
      armed = [];
    },
    middleware: async (c, next) => {
      const url = new URL(c.req.url);
      const fault = strike(c.req.method, url.pathname + url.search);
      if (fault === undefined) return next();
      return acts[fault.kind](c, next, fault);
    },
  };
}

type Act = (
  c: Context<Bindings>,
  next: () => Promise<void>,
  fault: Fault,
) => Promise<Response | undefined>;

const acts = {
  answer: async (c, _next, { status = 500, headers = {}, body = null }) => {
    // Read to its end, so that the client hears the answer, and kept nowhere: it may be a video.
    await c.req.raw.body?.pipeTo(new WritableStream());
    const text = typeof body === "function" ? body(new URL(c.req.url)) : body;
    return new Response(text, { status, headers });
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
    await sendPart(c.env.outgoing, c.res, afterBytes);
    return sentAlready(c);
  },
  delay: async (_c, next, { delayMs }) => {
    await delay(delayMs);
    await next();
    return undefined;
  },
  slow: async (c, next, { delayMs = 50, dropBytes = 16 }) => {
    await next();
    await trickle(c.env.outgoing, c.res, { delayMs, dropBytes });
    return sentAlready(c);
  },
} as const satisfies Record<FaultKind, Act>;

function cut(c: Context<Bindings>): Response {
  c.env.outgoing.destroy();
  return sentAlready(c);
}

/** Keeps hono from answering once more; setting an answer over another would merge their headers. */
function sentAlready(c: Context<Bindings>): Response {
  c.res = undefined;
  c.res = RESPONSE_ALREADY_SENT;
  return RESPONSE_ALREADY_SENT;
}
