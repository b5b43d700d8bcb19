import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { finished } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it, vi } from "vitest";
import { BotError, InputError, NetworkError, ServiceError } from "../../src/errors.ts";
import { createHttp, type Http } from "../../src/http/index.ts";
import { seed, seeded } from "../support/random.ts";
import { type Fault, type FileHost, startFileHost, tag } from "./file-host.ts";
import { deadAddress, failureOf, fakeTime } from "./server.ts";

const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function bytesOf(length: number, start = seed): Buffer {
  const random = seeded(start);
  return Buffer.from(Uint8Array.from({ length }, () => random() * 256));
}

const file = bytesOf(300_000);

async function open(fault?: (request: number) => Fault, content: Buffer = file) {
  const host = await startFileHost(content, fault);
  closing.push(host.close);
  const time = fakeTime();
  return { host, time, http: http(time) };
}

function http(options: Parameters<typeof createHttp>[0] = fakeTime()): Http {
  const made = createHttp({ random: () => 0.5, ...options });
  closing.push(made.close);
  return made;
}

const ask = ({ url, host }: FileHost, maxBytes = 1e9) => ({ url, hosts: [host], maxBytes });

/** Returns the server's host; the server closes after the test. */
async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function readWhole(client: Http, host: FileHost): Promise<Buffer> {
  const { body } = await client.open(ask(host));
  return buffer(body);
}

/** Faults by the number of the request; further requests succeed. */
const faults =
  (...list: readonly Fault[]) =>
  (request: number): Fault =>
    list[request - 1] ?? {};

describe("open", () => {
  it("gives the length and the bytes", async () => {
    const { host, http } = await open();

    const { bytes, body } = await http.open(ask(host));

    expect(bytes).toBe(file.length);
    expect((await buffer(body)).equals(file)).toBe(true);
    expect(host.asked).toHaveLength(1);
  });

  it("opens an empty file", async () => {
    const { host, http } = await open(undefined, Buffer.alloc(0));

    const { bytes, body } = await http.open(ask(host));

    expect([bytes, (await buffer(body)).length]).toEqual([0, 0]);
  });

  it.each([
    "https://cdn.discordapp.com.evil.example/a.mp4",
    "https://cdn.discordapp.com:444/a.mp4",
    "https://user:pass@cdn.discordapp.com/a.mp4",
    "http://cdn.discordapp.com/a.mp4",
    "file:///etc/passwd",
    "http://169.254.169.254/latest",
    "no address",
  ])("refuses %s without asking", async (url) => {
    const refused = http().open({ url, hosts: ["cdn.discordapp.com"], maxBytes: 1e6 });

    expect((await failureOf(refused, InputError)).code).toBe("attachment_host");
  });

  it.each([
    [302, InputError, "attachment_host"],
    [403, ServiceError, "attachment_gone"],
    [404, ServiceError, "attachment_gone"],
    [503, ServiceError, "attachment_unavailable"],
    [206, ServiceError, "attachment_unavailable"],
  ] as const)("refuses on %i", async (status, kind, code) => {
    const { host, http } = await open(() => ({ status }));

    const refused = await failureOf(http.open(ask(host)), BotError);

    expect(refused).toBeInstanceOf(kind);
    expect(refused.code).toBe(code);
  });

  it("refuses a file over the limit by its header alone, and hangs up", async () => {
    const { host, http } = await open();

    const refused = await failureOf(http.open(ask(host, file.length - 1)), InputError);

    expect([refused.code, refused.facts.maxBytes]).toEqual([
      "attachment_too_large",
      file.length - 1,
    ]);
    await vi.waitFor(async () => expect(await host.sockets()).toBe(0));
    expect((await http.open(ask(host, file.length))).bytes).toBe(file.length);
  });

  it.each([
    { "content-length": "", "transfer-encoding": "chunked" },
    { "content-encoding": "gzip" },
  ])("refuses a file whose length is not declared (%j)", async (headers) => {
    const { host, http } = await open(() => ({ headers }));

    const refused = await failureOf(http.open(ask(host)), ServiceError);

    expect(refused.code).toBe("attachment_unavailable");
  });

  it("asks again until headers come", async () => {
    const { host, http, time } = await open(faults({ cutAfter: 0 }, { status: 503 }));

    expect((await readWhole(http, host)).equals(file)).toBe(true);
    expect(time.waits).toHaveLength(2);
  });

  it("says that nobody answers", async () => {
    const url = await deadAddress();

    const refused = http().open({ url, hosts: [new URL(url).host], maxBytes: 1e6 });

    expect((await failureOf(refused, NetworkError)).code).toBe("unreachable");
  });

  it("takes a cut stream up where it broke off, and says of which file", async () => {
    const { host, http, time } = await open(faults({ cutAfter: 100_000 }, { cutAfter: 50_000 }));

    expect((await readWhole(http, host)).equals(file)).toBe(true);
    const [first, second, third] = host.asked;
    expect([first?.range, first?.["if-range"]]).toEqual([undefined, undefined]);
    expect(second?.range).toMatch(/^bytes=\d+-$/);
    expect(second?.["if-range"]).toBe(tag);
    expect(Number(third?.range?.slice(6, -1))).toBeGreaterThanOrEqual(
      Number(second?.range?.slice(6, -1)),
    );
    expect(time.waits).toHaveLength(2);
  });

  it("resumes after failures of the host in between", async () => {
    const { host, http } = await open(
      faults({ cutAfter: 100_000 }, { status: 429 }, { cutAfter: 0 }, { status: 503 }),
    );

    expect((await readWhole(http, host)).equals(file)).toBe(true);
    expect(host.asked).toHaveLength(5);
  });

  it("resumes a file without a tag, as long as nothing speaks against it", async () => {
    const { host, http } = await open((request) => ({
      headers: { etag: request === 1 ? "" : 'W/"one"' },
      ...(request === 1 && { cutAfter: 100_000 }),
    }));

    expect((await readWhole(http, host)).equals(file)).toBe(true);
    expect(host.asked[1]?.["if-range"]).toBeUndefined();
  });

  it.each<[string, Fault]>([
    ["the whole file comes again", { ignoresRange: true }],
    ["another part comes", { headers: { "content-range": "bytes 0-299999/300000" } }],
    ["the part is not named", { headers: { "content-range": "" } }],
    ["the length has changed", { headers: { "content-range": "bytes 100000-299999/300001" } }],
    ["the file has another tag", { headers: { etag: '"two"' } }],
    ["the part is packed", { headers: { "content-encoding": "gzip" } }],
    ["the file is gone", { status: 404 }],
    ["the place is not there", { status: 416 }],
    ["it has moved", { status: 302 }],
  ])("fails as cut when %s", async (_what, fault) => {
    const { host, http } = await open(faults({ cutAfter: 100_000 }, fault));

    const { body } = await http.open(ask(host));

    const failed = await failureOf(buffer(body), NetworkError);
    expect(failed).toMatchObject({ code: "cut", outcome: "nothing", facts: { host: host.host } });
    expect(host.asked).toHaveLength(2);
  });

  it("gives up on a host that never gets further", async () => {
    const { host, http } = await open((request) => ({ cutAfter: request === 1 ? 5_000 : 1 }));

    const failed = await failureOf(readWhole(http, host), NetworkError);

    expect(failed.code).toBe("cut");
    expect(host.asked.length).toBeLessThanOrEqual(11);
  });

  it("gives up on a host that is silent for the time of a read", async () => {
    const { host, http, time } = await open((request) =>
      request === 1 ? { cutAfter: 5_000 } : { status: 503 },
    );
    const start = time.now();

    const failed = await failureOf(readWhole(http, host), NetworkError);

    expect(failed.code).toBe("cut");
    expect(time.now() - start).toBeLessThanOrEqual(30_000);
  });

  it("outlasts more cuts in a long file than in a short one", async () => {
    const long = Buffer.alloc(16 * 1024 * 1024, bytesOf(1_021));
    const { host, http } = await open(() => ({ cutAfter: 1_200_000 }), long);

    const { body } = await http.open(ask(host));

    expect((await buffer(body)).equals(long)).toBe(true);
    expect(host.asked.length).toBeGreaterThan(12);
  });

  it("waits until it is read, and has no second one hang on the wire", async () => {
    const { host, http } = await open();

    const { body } = await http.open(ask(host));
    await sleep(50);

    expect(body.readableLength).toBeLessThan(200_000);
    expect((await buffer(body)).equals(file)).toBe(true);
  });

  it("ends the request when the stream is destroyed", async () => {
    const { host, http } = await open(undefined, Buffer.alloc(30_000_000));
    const { body } = await http.open(ask(host));
    body.once("data", () => body.destroy());

    await finished(body).catch(() => {});

    await vi.waitFor(async () => expect(await host.sockets()).toBe(0));
    expect(host.asked).toHaveLength(1);
  });

  it("ends the request when nobody has read yet", async () => {
    const { host, http } = await open(undefined, Buffer.alloc(30_000_000));
    const { body } = await http.open(ask(host));

    body.destroy();

    await vi.waitFor(async () => expect(await host.sockets()).toBe(0));
  });

  it("ends while it waits to resume", async () => {
    const host = await startFileHost(file, () => ({ cutAfter: 1_000 }));
    closing.push(host.close);
    const waiting = vi.fn(
      (_ms: number, signal?: AbortSignal) =>
        new Promise<void>((_resolve, reject) => {
          signal?.addEventListener("abort", () => reject(signal.reason));
        }),
    );
    const { body } = await http({ sleep: waiting }).open(ask(host));
    body.resume();
    await vi.waitFor(() => expect(waiting).toHaveBeenCalled());

    body.destroy();

    await vi.waitFor(() => expect(waiting.mock.calls[0]?.[1]?.aborted).toBe(true));
    expect(host.asked).toHaveLength(1);
  });

  it("fails with the signal's reason, before the headers and after", async () => {
    const { host, http } = await open(undefined, Buffer.alloc(30_000_000));
    const abort = new AbortController();
    const { body } = await http.open({ ...ask(host), signal: abort.signal });
    const reading = buffer(body);

    abort.abort(new Error("changed my mind"));

    await expect(reading).rejects.toThrow("changed my mind");
    await expect(http.open({ ...ask(host), signal: abort.signal })).rejects.toThrow(
      "changed my mind",
    );
    await vi.waitFor(async () => expect(await host.sockets()).toBe(0));
  });

  it("fails as cut when its connections are closed", async () => {
    const { host } = await open(undefined, Buffer.alloc(30_000_000));
    const http = createHttp(fakeTime());
    const { body } = await http.open(ask(host));
    const late = failureOf(
      http.open(ask(host)).then(({ body }) => buffer(body)),
      NetworkError,
    );

    await http.close();

    expect((await failureOf(buffer(body), NetworkError)).code).toBe("cut");
    expect((await late).code).toBe("cut");
    await vi.waitFor(async () => expect(await host.sockets()).toBe(0));
  });

  it("gives up waiting for headers when its signal aborts", async () => {
    const host = await listen(createServer(() => {}));
    const signal = AbortSignal.timeout(50);

    const opening = http().open({ url: `http://${host}/a`, hosts: [host], maxBytes: 9, signal });

    await expect(opening).rejects.toMatchObject({ name: "TimeoutError" });
  });

  it("does not end the process when it fails before anybody reads", async () => {
    const { host, http } = await open(faults({ cutAfter: 1_000 }, { status: 404 }));

    const { body } = await http.open(ask(host));
    await vi.waitFor(() => expect(body.destroyed).toBe(true));

    expect((await failureOf(buffer(body), NetworkError)).code).toBe("cut");
  });

  it("gives the file or fails, whatever happens on the way", async () => {
    const random = seeded(seed);
    let whole = 0;
    for (let round = 0; round < 25; round++) {
      const content = bytesOf(Math.floor(random() ** 2 * 300_000), seed + round);
      const rate = random() * 0.9;
      const { host, http } = await open(() => {
        if (random() > rate) return {};
        const kind = random();
        if (kind < 0.2) return { status: [429, 500, 503][Math.floor(random() * 3)] ?? 500 };
        if (kind < 0.35) return { cutAfter: 0 };
        return { cutAfter: 1 + Math.floor(random() * content.length) };
      }, content);
      const about = `seed ${seed}, round ${round}`;
      const got: Buffer[] = [];
      try {
        const { bytes, body } = await http.open(ask(host));
        expect(bytes, about).toBe(content.length);
        for await (const chunk of body) {
          got.push(chunk);
          if (random() < 0.1) await sleep(1);
        }
        expect(Buffer.concat(got).equals(content), about).toBe(true);
        whole += 1;
      } catch (error) {
        if (!(error instanceof NetworkError || error instanceof ServiceError)) throw error;
        expect(error.code, about).toMatch(/^(cut|attachment_unavailable)$/);
        const part = Buffer.concat(got);
        expect(content.subarray(0, part.length).equals(part), about).toBe(true);
      }
      for (const close of closing.splice(0).reverse()) await close();
    }
    expect(whole).toBeGreaterThan(15);
  });

  it("takes in no more than it hands on, whatever the length, and waits while nobody reads", async () => {
    const chunk = Buffer.alloc(1024 * 1024, 7);
    const length = 200 * chunk.length;
    let left = 0;
    const server = createServer((_request, response) => {
      response.writeHead(200, { "content-length": length });
      const source = Readable.from(
        (function* () {
          for (let at = 0; at < length; at += chunk.length) {
            left = at;
            yield chunk;
          }
        })(),
        { highWaterMark: 1 },
      );
      source.pipe(response);
    });
    const host = await listen(server);
    let most = 0;
    let read = 0;

    const { bytes, body } = await http({}).open({
      url: `http://${host}/a`,
      hosts: [host],
      maxBytes: length,
    });
    await sleep(200);
    const leftUnread = left;
    for await (const piece of body) {
      read += (piece as Buffer).length;
      most = Math.max(most, body.readableLength);
    }

    expect([bytes, read]).toEqual([length, length]);
    // How much the kernel buffers on a loopback connection is not up to us, and differs between machines.
    expect(leftUnread).toBeLessThan(length / 2);
    expect(most).toBeLessThan(1_000_000);
  });
});
