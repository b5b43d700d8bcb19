import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import tls from "node:tls";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { NetworkError } from "../../src/errors.ts";
import { createHttp, type Http, type RetryClass } from "../../src/http/index.ts";
import {
  answering,
  cut,
  deadAddress,
  failureOf,
  fakeTime,
  openHttp as http,
  serve,
} from "./server.ts";

/** How many attempts each retry class makes, by what the other side does. */
const table: readonly [
  RetryClass,
  { failed: number; throttled: number; cut: number; unsent: number },
][] = [
  ["read", { failed: 11, throttled: 4, cut: 11, unsent: 11 }],
  ["set", { failed: 4, throttled: 4, cut: 4, unsent: 4 }],
  ["delete", { failed: 4, throttled: 4, cut: 4, unsent: 4 }],
  ["keyed", { failed: 10, throttled: 10, cut: 10, unsent: 10 }],
  ["create", { failed: 1, throttled: 4, cut: 1, unsent: 4 }],
  // 14 minutes have room for 13 waits of one minute.
  ["paid", { failed: 3, throttled: 14, cut: 1, unsent: 3 }],
  ["upload", { failed: 1, throttled: 10, cut: 1, unsent: 10 }],
  ["token", { failed: 5, throttled: 5, cut: 1, unsent: 5 }],
];

type Asked = Parameters<Http["request"]>[0];

const read = (client: Http, url: string, more: Partial<Asked> = {}) =>
  client.request({ method: "GET", url, retry: "read", ...more });

const post = (client: Http, url: string, more: Pick<Asked, "retry"> & Partial<Asked>) =>
  client.request({ method: "POST", url, ...more });

const networkFailure = (asked: Promise<unknown>) => failureOf(asked, NetworkError);

describe("request", () => {
  it.each(table)("repeats %s as often as its class allows", async (retry, expected) => {
    const sent = { failed: 0, throttled: 0, cut: 0, unsent: 0 };
    for (const [name, answer] of [
      ["failed", answering(503)],
      ["throttled", answering(429)],
      ["cut", cut],
    ] as const) {
      const server = await serve(answer);
      const call = http({ ...fakeTime(), random: () => 0.01 });
      await call.request({ method: "POST", url: server.url, body: "x", retry }).catch(() => {});
      sent[name] = server.received.length;
    }
    const time = fakeTime();
    const call = http({ ...time, random: () => 0.01 });
    await call.request({ method: "GET", url: await deadAddress(), retry }).catch(() => {});
    sent.unsent = time.waits.length + 1;

    expect(sent).toEqual(expected);
  });

  it("answers with any status, lower-case headers, the body's bytes and the count of attempts", async () => {
    const server = await serve((_received, response, count) => {
      if (count === 1) return response.writeHead(502).end();
      response.writeHead(404, { "X-Thing": ["a", "b"] });
      response.write(Buffer.from([0, 255]));
      response.end(Buffer.from([7]));
    });

    const response = await read(http(fakeTime()), server.url);

    expect(response.status).toBe(404);
    expect(response.headers["x-thing"]).toBe("a, b");
    expect([...response.body]).toEqual([0, 255, 7]);
    expect(response.attempts).toBe(2);
  });

  it("sends method, path, query, headers and body as given", async () => {
    const server = await serve(answering(200, "ok"));

    await http().request({
      method: "PUT",
      url: `${server.url}/a/b?c=d%2Ce&f=ü`,
      headers: { "x-one": "1" },
      body: Buffer.from("bytes"),
      retry: "set",
    });

    const [received] = server.received;
    expect(received?.method).toBe("PUT");
    expect(received?.url.href).toContain("/a/b?c=d%2Ce&f=%C3%BC");
    expect(received?.headers["x-one"]).toBe("1");
    expect(received?.body.toString()).toBe("bytes");
  });

  it("encodes a form once, so that a repeat sends the same bytes", async () => {
    const server = await serve((_received, response, count) =>
      response.writeHead(count < 3 ? 500 : 200).end(),
    );
    const file = { name: "a.png", type: "image/png", bytes: Buffer.from("abc") };
    const body = [["file", file]] as const;

    await post(http(fakeTime()), server.url, { retry: "paid", body });

    const [first, second, third] = server.received;
    expect(first?.headers["content-type"]).toMatch(/^multipart\/form-data; boundary=/);
    expect(first?.body.toString()).toContain('filename="a.png"');
    expect(second?.body).toEqual(first?.body);
    expect(third?.headers["content-type"]).toBe(first?.headers["content-type"]);
    expect(third?.body).toEqual(first?.body);
  });

  it("waits at least as long as Retry-After says, in seconds or as a date", async () => {
    const time = fakeTime();
    const server = await serve((_received, response, count) => {
      if (count === 1) return response.writeHead(503, { "retry-after": "7" }).end();
      if (count === 2) {
        const at = new Date(time.now() + 9_000).toUTCString();
        return response.writeHead(429, { "retry-after": at }).end();
      }
      response.end("ok");
    });

    await read(http({ ...time, random: () => 0 }), server.url);

    expect(time.waits).toEqual([7_000, 9_000]);
  });

  it("returns the answer at once when the wait would outlive the deadline", async () => {
    const time = fakeTime();
    const server = await serve(answering(429, "", { "retry-after": "31" }));

    const response = await read(http(time), server.url);

    expect(response.status).toBe(429);
    expect(time.waits).toEqual([]);
  });

  it("waits with full jitter below a ceiling that doubles", async () => {
    const server = await serve(answering(500));
    const [low, high] = [fakeTime(), fakeTime()];
    const request = { method: "PUT", url: server.url, retry: "set" } as const;

    await http({ ...low, random: () => 0 }).request(request);
    await http({ ...high, random: () => 1 }).request(request);

    expect(low.waits).toEqual([0, 0, 0]);
    expect(high.waits).toEqual([500, 1_000, 2_000]);
  });

  it("repeats a read after short waits, and after longer ones when asked to slow down", async () => {
    const [failing, throttling] = [await serve(answering(500)), await serve(answering(429))];
    const [short, long] = [fakeTime(), fakeTime()];
    const request = { method: "GET", retry: "read" } as const;

    await http({ ...short, random: () => 1 }).request({ ...request, url: failing.url });
    await http({ ...long, random: () => 1 }).request({ ...request, url: throttling.url });

    expect(short.waits).toEqual([100, 200, 400, ...Array(7).fill(750)]);
    expect(long.waits).toEqual([500, 1_000, 2_000]);
  });

  it("makes each wait of a paid call longer than the one before, whatever the jitter", async () => {
    const server = await serve(answering(500));
    const time = fakeTime();
    const draws = [1, 0];

    await post(http({ ...time, random: () => draws.shift() ?? 0 }), server.url, { retry: "paid" });

    expect(time.waits).toEqual([2_000, 2_000]);
  });

  it("waits exactly Retry-After on a paid 429, a minute when it is absent, and never hammers on 0", async () => {
    const time = fakeTime();
    const asked = ["12", undefined, "0"];
    const server = await serve((_received, response) => {
      if (asked.length === 0) return response.end("ok");
      const seconds = asked.shift();
      response.writeHead(429, seconds === undefined ? {} : { "retry-after": seconds }).end();
    });

    await post(http({ ...time, random: () => 0.9 }), server.url, { retry: "paid" });

    expect(time.waits).toEqual([12_000, 60_000, 1_000]);
  });

  it("runs what takes turns around each attempt, and lets it wait after a 429", async () => {
    const time = fakeTime();
    const server = await serve((_received, response, count) =>
      response.writeHead([429, 500][count - 1] ?? 200).end(),
    );
    const statuses: number[] = [];

    await post(http({ ...time, random: () => 1 }), server.url, {
      retry: "paid",
      around: async (send) => {
        const answer = await send();
        statuses.push(answer.status);
        return answer;
      },
    });

    expect(statuses).toEqual([429, 500, 200]);
    expect(time.waits).toEqual([2_000]);
  });

  it("ends with the error of what takes turns", async () => {
    const server = await serve(answering(200));
    const busy = new Error("no turn");

    const asked = read(http(), server.url, { around: () => Promise.reject(busy) });

    await expect(asked).rejects.toBe(busy);
    expect(server.received).toHaveLength(0);
  });

  it("begins no attempt after the last moment for one", async () => {
    const time = fakeTime();
    const server = await serve(answering(503, "", { "retry-after": "5" }));

    const { attempts } = await read(http(time), server.url, { lastStartMs: 10_000 });

    expect(attempts).toBe(2);
    expect(time.waits).toEqual([5_000]);
  });

  it("lets the caller say which refusals are worth another try", async () => {
    const server = await serve((_received, response, count) =>
      response.writeHead(count === 1 ? 403 : 429).end(),
    );

    const response = await read(http(fakeTime()), server.url, {
      retryReason: ({ status }) => (status === 403 ? "throttled" : undefined),
    });

    expect(response.status).toBe(429);
    expect(response.attempts).toBe(2);
  });

  it("distinguishes a connection that never was from one that broke", async () => {
    const server = await serve(cut);
    const call = http(fakeTime());
    const dead = await deadAddress();

    const refused = await networkFailure(post(call, dead, { retry: "create" }));
    const broken = await networkFailure(post(call, server.url, { retry: "create", body: "x" }));

    expect([refused.code, refused.outcome]).toEqual(["unreachable", "nothing"]);
    expect([broken.code, broken.outcome]).toEqual(["cut", "unknown"]);
  });

  it("calls an answer that breaks off half way a cut", async () => {
    const server = await serve((_received, response) => {
      response.writeHead(200, { "content-length": "10" });
      response.write("half", () => response.socket?.destroy());
    });

    const error = await networkFailure(post(http(), server.url, { retry: "paid" }));

    expect([error.code, error.outcome]).toEqual(["cut", "unknown"]);
    expect(server.received).toHaveLength(1);
  });

  it("remembers an earlier cut when the last attempt never left", async () => {
    const server = await serve((_received, response) => {
      void server.close();
      response.socket?.destroy();
    });

    const error = await networkFailure(
      http(fakeTime()).request({ method: "PUT", url: server.url, body: "x", retry: "set" }),
    );

    expect([error.code, error.outcome]).toEqual(["unreachable", "unknown"]);
  });

  it("reads leave nothing behind even when they were cut", async () => {
    const server = await serve(cut);

    const error = await networkFailure(read(http(fakeTime()), server.url));

    expect(error.outcome).toBe("nothing");
  });

  it("ends at its deadline when no answer comes", async () => {
    const server = await serve(() => {});

    const error = await networkFailure(
      post(http(), server.url, { retry: "set", body: "x", deadlineMs: 150 }),
    );

    expect([error.code, error.outcome]).toEqual(["timeout", "unknown"]);
  });

  it("ends at its deadline when an answer never ends", async () => {
    const server = await serve((_received, response) => {
      const timer = setInterval(() => response.write("."), 20);
      response.once("close", () => clearInterval(timer));
    });

    const error = await networkFailure(read(http(), server.url, { deadlineMs: 200 }));

    expect(error.code).toBe("timeout");
  });

  it("leaves nothing behind when it waited in vain for a free connection", async () => {
    const server = await serve(() => {});
    const call = http();
    const hanging = Array.from({ length: 64 }, () =>
      post(call, server.url, { retry: "create", deadlineMs: 600 }),
    );

    const late = await networkFailure(
      post(call, `${server.url}/late`, { retry: "create", deadlineMs: 150 }),
    );
    await Promise.allSettled(hanging);
    await new Promise((resolve) => setTimeout(resolve, 100));

    expect([late.code, late.outcome]).toEqual(["timeout", "nothing"]);
    expect(server.received.filter(({ url }) => url.pathname === "/late")).toEqual([]);
  });

  it("rejects with the signal's reason before, during and between attempts", async () => {
    const reason = new Error("changed my mind");
    const during = new AbortController();
    const between = new AbortController();
    const server = await serve((received, response) => {
      if (received.url.pathname !== "/fails") return during.abort(reason);
      response.writeHead(503).end();
      setTimeout(() => between.abort(reason), 50);
    });
    const call = http({ random: () => 1 });
    const readPath = (path: string, signal: AbortSignal) =>
      read(call, `${server.url}${path}`, { signal });

    const results = await Promise.allSettled([
      readPath("/", AbortSignal.abort(reason)),
      readPath("/", during.signal),
      readPath("/fails", between.signal),
    ]);

    expect(results).toEqual([1, 2, 3].map(() => ({ status: "rejected", reason })));
    expect(server.received).toHaveLength(2);
  });

  it("sends nothing that is given up while the connections' code is loaded", async () => {
    const server = await serve(answering(200));
    const reason = new Error("changed my mind");
    const controller = new AbortController();

    const call = createHttp();
    onTestFinished(call.close);
    const { signal } = controller;
    const asked = read(call, server.url, { signal });
    controller.abort(reason);

    await expect(asked).rejects.toBe(reason);
    expect(server.received).toHaveLength(0);
  });

  it.each(["by header", "by count"])("refuses an answer over the limit %s, once", async (how) => {
    const server = await serve((_received, response) => {
      if (how === "by header") response.writeHead(200, { "content-length": "2000" });
      response.write(Buffer.alloc(1_500));
    });

    const error = await networkFailure(read(http(), server.url, { maxBytes: 1_000 }));

    expect(error.code).toBe("answer_too_large");
    expect(server.received).toHaveLength(1);
  });

  it("takes an answer of exactly the limit", async () => {
    const server = await serve((_received, response) => response.end(Buffer.alloc(1_000)));

    const { body } = await read(http(), server.url, { maxBytes: 1_000 });

    expect(body).toHaveLength(1_000);
  });

  it.each([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
  ] as const)(
    "unpacks an answer that comes as %s although nobody asked for it",
    async (coding, pack) => {
      const server = await serve((_received, response) => {
        response.writeHead(403, { "content-encoding": coding }).end(pack("plain words"));
      });

      const answer = await read(http(), server.url);

      expect(answer.body.toString()).toBe("plain words");
      expect(answer.headers).not.toHaveProperty("content-encoding");
    },
  );

  it("unpacks no more than it was to read", async () => {
    const server = await serve((_received, response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(1_001)));
    });
    const asked = { method: "GET", url: server.url, retry: "read", maxBytes: 1_000 } as const;

    const failure = await failureOf(http().request(asked), NetworkError);

    expect(failure).toMatchObject({ code: "answer_too_large", facts: { attempts: 1 } });
  });

  it("takes an answer that can't be unpacked for broken off", async () => {
    const server = await serve(answering(200, "no gzip", { "content-encoding": "gzip" }));
    const asked = { method: "GET", url: server.url, retry: "read", tries: 2 } as const;

    const failure = await networkFailure(http(fakeTime()).request(asked));

    expect(failure).toMatchObject({ code: "cut", facts: { attempts: 2 } });
  });

  it("follows no redirect", async () => {
    const server = await serve(answering(302, "", { location: "http://127.0.0.1:1/" }));

    const response = await read(http(), server.url);

    expect(response.status).toBe(302);
  });

  it("keeps the query out of what it throws", async () => {
    const error = await networkFailure(
      read(http(fakeTime()), `${await deadAddress()}/videos?key=canary-secret`),
    );

    const { message, stack, facts, cause } = error;
    const everything = [message, stack, JSON.stringify(facts), String(cause)];
    expect(everything.join()).not.toContain("canary-secret");
    expect(error.message).toContain("/videos");
  });

  it("sends nothing once it is closed", async () => {
    const server = await serve(answering(200));
    const call = createHttp(fakeTime());
    await read(call, server.url);

    await call.close();
    const error = await networkFailure(read(call, server.url));

    expect([error.code, error.outcome]).toEqual(["unreachable", "nothing"]);
    expect(server.received).toHaveLength(1);
  });

  it("does not repeat a request that can't be sent at all", async () => {
    const time = fakeTime();
    const server = await serve(answering(200));

    const call = read(http(time), server.url, { headers: { "x-bad": "line\nbreak" } });

    await expect(call).rejects.toThrow("invalid x-bad header");
    expect(time.waits).toEqual([]);
  });

  it("offers TLS 1.2 and newer, whatever the process has as its default", async () => {
    const before = tls.DEFAULT_MIN_VERSION;
    // OpenSSL itself offers nothing older than TLS 1.2, so only a stricter default shows that our setting is applied.
    tls.DEFAULT_MIN_VERSION = "TLSv1.3";
    const hello = firstBytes(http(fakeTime()));
    const versions = supportedVersions(await hello);
    tls.DEFAULT_MIN_VERSION = before;

    expect(versions).toEqual([0x0304, 0x0303]);
  });
});

/** The first bytes that a client sends to an https address. */
async function firstBytes(client: Http): Promise<Buffer> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  onTestFinished(() => void server.close());
  const call = post(client, `https://127.0.0.1:${port}`, { retry: "create" });
  const [socket] = (await once(server, "connection")) as [Socket];
  const [bytes] = (await once(socket, "data")) as [Buffer];
  for (const one of sockets) one.destroy();
  server.on("connection", (again) => again.destroy());
  await call.catch(() => {});
  return bytes;
}

/** The TLS versions that a ClientHello offers: https://www.rfc-editor.org/rfc/rfc8446#section-4.2.1 */
function supportedVersions(hello: Buffer): number[] {
  let at = 5 + 4 + 2 + 32;
  at += 1 + hello.readUInt8(at);
  at += 2 + hello.readUInt16BE(at);
  at += 1 + hello.readUInt8(at) + 2;
  while (at < hello.length) {
    const [type, length] = [hello.readUInt16BE(at), hello.readUInt16BE(at + 2)];
    if (type === 43) {
      const list = hello.subarray(at + 5, at + 4 + length);
      return Array.from({ length: list.length / 2 }, (_, index) => list.readUInt16BE(index * 2));
    }
    at += 4 + length;
  }
  return [];
}
