import type { HttpBindings } from "@hono/node-server";
import type { MiddlewareHandler } from "hono";

type WriteHead = (status: number, headers?: Record<string, unknown>) => unknown;

/** Headers leave as the service was seen to spell them, `X-Ratelimit-Limit`; the platform's own would be lower case. */
export const spellHeaders: MiddlewareHandler<{ Bindings: HttpBindings }> = async (c, next) => {
  const outgoing = c.env.outgoing as unknown as { writeHead: WriteHead };
  const writeHead = outgoing.writeHead.bind(outgoing);
  outgoing.writeHead = (status, headers) => writeHead(status, headers && spelled(headers));
  await next();
};

function spelled(headers: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(headers);
  return Object.fromEntries(entries.map(([name, value]) => [capitalised(name), value]));
}

function capitalised(name: string): string {
  return name.replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase());
}
