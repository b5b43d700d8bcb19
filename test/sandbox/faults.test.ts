import { once } from "node:events";
import { request } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createFaults, type Faults } from "../../src/sandbox/faults.ts";
import { type LoopbackServer, listenOnLoopback } from "../../src/sandbox/listen.ts";
import { seed, seeded } from "../support/random.ts";

const text = "0123456789".repeat(10);

let faults: Faults;
let server: LoopbackServer;
/** For each request, how many bytes of its body the handler received, and whether the body was complete. */
let received: { bytes: number; isWhole: boolean }[];
/** How many requests were carried out. */
let done: number;

beforeEach(async () => {
  faults = createFaults(seeded(seed));
  received = [];
  done = 0;
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.use(faults.middleware);
  app.onError((_error, c) => c.text("", 500));
  app.get("/text", (c) => {
    done += 1;
    return c.text(text);
  });
  app.post("/node-stream", async (c) => {
    const took = { bytes: 0, isWhole: false };
    received.push(took);
    for await (const chunk of c.env.incoming) took.bytes += (chunk as Buffer).length;
    took.isWhole = true;
    return c.text("taken");
  });
  app.post("/late-reader", async (c) => {
    const took = { bytes: 0, isWhole: false };
    received.push(took);
    await new Promise((resolve) => setTimeout(resolve, 60));
    for await (const chunk of c.env.incoming) took.bytes += (chunk as Buffer).length;
    took.isWhole = true;
    return c.text("taken");
  });
  app.post("/web-stream", async (c) => {
    const took = { bytes: 0, isWhole: false };
    received.push(took);
    for await (const chunk of c.req.raw.body ?? []) took.bytes += chunk.length;
    took.isWhole = true;
    return c.text("taken");
  });
  server = await listenOnLoopback(app, 0);
});

afterEach(() => server.close());

const get = (path = "/text", init?: RequestInit) => fetch(`${server.origin}${path}`, init);

/** `cut` when the connection broke, otherwise the answer's text. */
async function outcome(answering: Promise<Response>): Promise<string> {
  try {
    return await (await answering).text();
  } catch {
    return "cut";
  }
}

describe("a service that is down", () => {
  it("answers nothing but 503, before all faults, until it is up again", async () => {
    faults.add({ kind: "answer", status: 429 });
    faults.setDown(true);
    const whileDown = [(await get()).status, (await get()).status, faults.isDown()];
    faults.clear();

    expect(whileDown).toEqual([503, 503, true]);
    expect([(await get()).status, faults.isDown()]).toEqual([200, false]);
  });
});

describe("a fault", () => {
  it("answers in place of the service, with status, headers and body", async () => {
    const headers = { "Retry-After": "7" };
    faults.add({ kind: "answer", status: 429, headers, body: "slow down" });

    const response = await get();

    expect(response.status).toBe(429);
    expect(response.headers.get("retry-after")).toBe("7");
    expect(await response.text()).toBe("slow down");
    expect(done).toBe(0);
  });

  it("answers an upload once all of it was sent", async () => {
    faults.add({ kind: "answer", status: 503, body: "later" });

    expect(await upload("/node-stream", 8_000_000)).toEqual({ answer: "later" });
    expect(received).toEqual([]);
  });

  it("sends elsewhere when it has a location", async () => {
    const location = "http://127.0.0.1:9/elsewhere";
    faults.add({ kind: "answer", status: 307, headers: { Location: location } });

    const response = await get("/text", { redirect: "manual" });

    expect([response.status, response.headers.get("location")]).toEqual([307, location]);
  });

  it("cuts before the work is done", async () => {
    faults.add({ kind: "cut-before" });

    expect(await outcome(get())).toBe("cut");
    expect(done).toBe(0);
  });

  it("cuts after the work is done", async () => {
    faults.add({ kind: "cut-after" });

    expect(await outcome(get())).toBe("cut");
    expect(done).toBe(1);
  });

  it.each([undefined, 0, 30, 99])("cuts the answer after %s bytes of its body", async (after) => {
    faults.add({ kind: "cut-answer", ...(after !== undefined && { afterBytes: after }) });

    const { head, body, isWhole } = await raw("GET", "/text");

    expect(head["content-length"]).toBe("100");
    expect([body, isWhole]).toEqual([text.slice(0, after ?? 50), false]);
  });

  it("is late", async () => {
    faults.add({ kind: "delay", delayMs: 60 });
    const start = performance.now();

    expect(await outcome(get())).toBe(text);
    expect(performance.now() - start).toBeGreaterThan(55);
  });

  it("lets an answer come in drops", async () => {
    faults.add({ kind: "slow", delayMs: 5, dropBytes: 10 });

    const { body, pieces, isWhole } = await raw("GET", "/text");

    expect([body, isWhole]).toEqual([text, true]);
    expect(pieces).toBeGreaterThan(5);
  });

  it("ends a slow answer when its reader leaves", async () => {
    faults.add({ kind: "slow", delayMs: 5, dropBytes: 1, times: 1 });
    const response = await get("/text");
    await response.body?.cancel();

    expect(await outcome(get())).toBe(text);
  });

  it.each(["/node-stream", "/web-stream"])(
    "lets %s read the first bytes and no more",
    async (path) => {
      faults.add({ kind: "cut-during", afterBytes: 300_000 });

      const { answer } = await upload(path, 1_000_000);

      expect(answer).toBe("cut");
      // The handler notices the cut a moment after the client.
      await expect.poll(() => received).toEqual([{ bytes: 300_000, isWhole: false }]);
    },
  );

  it("waits for a handler that has not read yet what came", async () => {
    faults.add({ kind: "cut-during", afterBytes: 10_000 });

    const { answer } = await upload("/late-reader", 100_000);

    expect(answer).toBe("cut");
    await expect.poll(() => received).toEqual([{ bytes: 10_000, isWhole: false }]);
  });

  it("lets nothing of a body through when it is cut at its start", async () => {
    faults.add({ kind: "cut-during" });

    const { answer } = await upload("/node-stream", 1_000);

    expect(answer).toBe("cut");
    await expect.poll(() => received).toEqual([{ bytes: 0, isWhole: false }]);
  });

  it("lets a body that is shorter through and cuts the answer off", async () => {
    faults.add({ kind: "cut-during", afterBytes: 5_000 });

    const { answer } = await upload("/node-stream", 1_000);

    expect(answer).toBe("cut");
    await expect.poll(() => received).toEqual([{ bytes: 1_000, isWhole: true }]);
  });

  it("meets only the method and the path it names, as often as it says", async () => {
    faults.add({ method: "POST", kind: "cut-before" });
    faults.add({ path: /\?only$/, kind: "answer", status: 503, times: 2 });
    const statuses = [];

    for (const path of ["/text", "/text?only", "/text?only", "/text?only"]) {
      statuses.push((await get(path)).status);
    }

    expect(statuses).toEqual([200, 503, 503, 200]);
  });

  it(`strikes its share of requests, the same ones for the same seed (${seed})`, async () => {
    const runs: string[] = [];
    for (let run = 0; run < 2; run++) {
      const again = createFaults(seeded(seed));
      again.add({ kind: "answer", status: 503, rate: 0.2 });
      const app = new Hono<{ Bindings: HttpBindings }>();
      app.use(again.middleware).get("/", (c) => c.text(""));
      const ask = async () => (await app.request("/")).status;
      const statuses = [];
      for (let asked = 0; asked < 200; asked++) statuses.push(await ask());
      runs.push(statuses.join());
    }
    const struck = runs[0]?.split(",").filter((status) => status === "503").length;

    expect(runs[1]).toBe(runs[0]);
    expect(struck).toBeGreaterThan(20);
    expect(struck).toBeLessThan(60);
  });

  it("is over when faults are cleared", async () => {
    faults.add({ kind: "cut-before" });
    faults.clear();

    expect(await outcome(get())).toBe(text);
  });
});

interface Raw {
  readonly head: Readonly<Record<string, unknown>>;
  readonly body: string;
  readonly pieces: number;
  readonly isWhole: boolean;
}

/** Reads an answer piece by piece, because fetch would return nothing of one that was cut. */
async function raw(method: string, path: string): Promise<Raw> {
  const asking = request(`${server.origin}${path}`, { method, agent: false }).end();
  const [response] = await once(asking, "response");
  const pieces: Buffer[] = [];
  response.on("data", (piece: Buffer) => pieces.push(piece));
  const error = await once(response, "end").then(
    () => undefined,
    (reason: unknown) => reason,
  );
  const body = Buffer.concat(pieces).toString();
  return { head: response.headers, body, pieces: pieces.length, isWhole: error === undefined };
}

async function upload(path: string, bytes: number): Promise<{ answer: string }> {
  const answer = await outcome(
    fetch(`${server.origin}${path}`, { method: "POST", body: new Uint8Array(bytes) }),
  );
  // Gives bytes that must not arrive a moment to do so.
  await new Promise((resolve) => setTimeout(resolve, 20));
  return { answer };
}
