import type { HttpBindings } from "@hono/node-server";
import type { MiddlewareHandler } from "hono";

/** One way a stand-in misbehaves, for the requests it matches. */
export interface Fault {
  /** Every method when absent. */
  readonly method?: string;
  /** Tested against path and query; every request when absent. */
  readonly path?: RegExp;
  /**
   * `answer`: this status, headers and body instead of the work. `cut-before`: the connection breaks and nothing was
   * done. `cut-after`: the work was done and the connection breaks before the answer. `delay`: late, then as usual.
   */
  readonly kind: "answer" | "cut-before" | "cut-after" | "delay";
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly delayMs?: number;
  /** How many requests it meets before it is spent; endless when absent. */
  readonly times?: number;
  /** Share of matching requests it strikes, 0 to 1; all when absent. */
  readonly rate?: number;
}

export interface Faults {
  add(fault: Fault): void;
  clear(): void;
  readonly middleware: MiddlewareHandler<{ Bindings: HttpBindings }>;
}

/** Faults on demand for one stand-in; `random` decides where `rate` strikes. */
export function createFaults(random: () => number = Math.random): Faults {
  let armed: { fault: Fault; left: number }[] = [];

  function strike(method: string, path: string): Fault | undefined {
    const hit = armed.find(
      ({ fault }) =>
        (fault.method === undefined || fault.method === method) &&
        (fault.path === undefined || fault.path.test(path)) &&
        (fault.rate === undefined || random() < fault.rate),
    );
    if (hit === undefined) return undefined;
    hit.left -= 1;
    if (hit.left <= 0) armed = armed.filter((other) => other !== hit);
    return hit.fault;
  }

  return {
    add: (fault) => armed.push({ fault, left: fault.times ?? Number.POSITIVE_INFINITY }),
    clear: () => {
      armed = [];
    },
    middleware: async (c, next) => {
      const url = new URL(c.req.url);
      const fault = strike(c.req.method, url.pathname + url.search);
      if (fault === undefined) return next();
      if (fault.kind === "answer") {
        await c.req.raw.arrayBuffer();
        return new Response(fault.body ?? null, {
          status: fault.status ?? 500,
          headers: fault.headers ?? {},
        });
      }
      if (fault.delayMs !== undefined) {
        await new Promise((resolve) => setTimeout(resolve, fault.delayMs));
      }
      if (fault.kind !== "cut-before") await next();
      if (fault.kind !== "delay") c.env.outgoing.destroy();
      return undefined;
    },
  };
}
