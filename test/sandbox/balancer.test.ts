import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Balancer, startBalancer } from "../../src/sandbox/balancer.ts";

const open: { close(): Promise<unknown> }[] = [];

async function target(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  open.push({
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("startBalancer", () => {
  let balancer: Balancer;

  beforeEach(async () => {
    balancer = await startBalancer();
    open.push(balancer);
  });

  afterEach(async () => {
    for (const each of open.splice(0).reverse()) await each.close();
  });

  const ask = async () => (await fetch(`${balancer.url}/a?b=c`)).text();

  it("asks each in turn", async () => {
    balancer.use([await target((_, r) => r.end("one")), await target((_, r) => r.end("two"))]);

    expect([await ask(), await ask(), await ask()]).toEqual(["one", "two", "one"]);
  });

  it("leaves the request and its answer as they are", async () => {
    const body = '{ "a":  1,\n"b": "ä" }';
    balancer.use([
      await target(async (request, response) => {
        const { host, "x-signature-timestamp": time, "x-forwarded-for": from } = request.headers;
        const raw = (await buffer(request)).toString();
        response.writeHead(202, { "Set-Cookie": ["a=1", "b=2"] });
        response.end(JSON.stringify([request.method, request.url, host, time, from, raw]));
      }),
    ]);

    const answer = await fetch(`${balancer.url}/a?b=c`, {
      method: "POST",
      headers: { "X-Signature-Timestamp": "12" },
      body,
    });

    const { host } = new URL(balancer.url);
    expect(answer.status).toBe(202);
    expect(answer.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    expect(await answer.json()).toEqual(["POST", "/a?b=c", host, "12", "127.0.0.1", body]);
  });

  it("asks the next where one is gone, or begins nothing new", async () => {
    const leaving = await target((_, response) => response.writeHead(503).end());
    balancer.use(["http://127.0.0.1:9", leaving, await target((_, r) => r.end("still here"))]);

    expect([await ask(), await ask(), await ask()]).toEqual(Array(3).fill("still here"));
  });

  it("asks nobody again for what may have been begun", async () => {
    let count = 0;
    const broken = await target((_, response) => {
      count += 1;
      response.destroy();
    });
    balancer.use([broken, broken]);

    await expect(ask()).rejects.toThrow();

    expect(count).toBe(1);
  });

  it("asks the next where the connection it kept is closed", async () => {
    const sockets = new Set<unknown>();
    const stopping = await target((request, response) => {
      if (sockets.has(request.socket)) return request.socket.destroy();
      sockets.add(request.socket);
      response.end("one");
    });
    balancer.use([stopping, await target((_, r) => r.end("two"))]);

    expect([await ask(), await ask(), await ask()]).toEqual(["one", "two", "two"]);
  });

  it("answers 502 where nobody is there", async () => {
    expect((await fetch(balancer.url)).status).toBe(502);
  });
});
