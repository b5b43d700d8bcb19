import { setTimeout as delay } from "node:timers/promises";
import type { HttpBindings } from "@hono/node-server";

type Outgoing = HttpBindings["outgoing"];

export interface Drops {
  readonly delayMs: number;
  readonly dropBytes: number;
}

/** Sends the headers and the first bytes of the body, then breaks the connection. */
export async function sendPart(
  outgoing: Outgoing,
  answer: Response,
  afterBytes: number | undefined,
): Promise<void> {
  const body = await begin(outgoing, answer);
  const part = body.subarray(0, afterBytes ?? Math.floor(body.length / 2));
  if (part.length > 0) await sent(outgoing, part);
  outgoing.destroy();
}

/** Sends the body a few bytes at a time. */
export async function trickle(
  outgoing: Outgoing,
  answer: Response,
  { delayMs, dropBytes }: Drops,
): Promise<void> {
  const body = await begin(outgoing, answer);
  for (let from = 0; from < body.length && !outgoing.destroyed; from += dropBytes) {
    await sent(outgoing, body.subarray(from, from + dropBytes));
    await delay(delayMs);
  }
  outgoing.end();
}

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
