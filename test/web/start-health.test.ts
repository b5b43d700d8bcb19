import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { ConfigError } from "../../src/errors.ts";
import { createLog, createSecrets } from "../../src/log.ts";
import { type Health, type HealthOptions, startHealth } from "../../src/web/index.ts";

const logged: string[] = [];
const write = (line: string) => logged.push(line);
const log = createLog({ level: "debug", secrets: createSecrets(), write });
const opened: Health[] = [];

async function open(options: Partial<HealthOptions> = {}): Promise<Health> {
  const metrics = { render: async () => ({ type: "text/plain; version=0.0.4", text: "a 1\n" }) };
  const health = await startHealth({ metrics, port: 0, ready: {}, log, ...options });
  opened.push(health);
  return health;
}

/** `fetch` does not let a Host header be set. */
function ask(
  url: string,
  { method = "GET", host }: { readonly method?: string; readonly host?: string } = {},
): Promise<{ status: number; body: string; headers: Record<string, unknown> }> {
  return new Promise((resolve, reject) => {
    const headers = host === undefined ? {} : { host };
    const sent = httpRequest(url, { method, headers }, (response) => {
      let body = "";
      response.on("data", (chunk) => {
        body += chunk;
      });
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, body, headers: response.headers }),
      );
    });
    sent.on("error", reject);
    sent.end();
  });
}

afterEach(() => {
  logged.length = 0;
});
afterAll(async () => {
  for (const health of opened) await health.close();
});

/** Asks a server that was just opened. */
const askNew = async (path: string, asked?: Parameters<typeof ask>[1]) =>
  ask(`${(await open()).url}${path}`, asked);

const alive = { isAlive: true, program: "greenroom" };
const ready = { isReady: true, parts: { gateway: true, store: true } };

describe("startHealth", () => {
  it.each<[string, string, HealthOptions["ready"], object]>([
    ["lives, whatever is not ready", "/healthz", { gateway: () => false }, alive],
    [
      "is ready when every part is",
      "/readyz",
      { gateway: () => true, store: async () => true },
      ready,
    ],
  ])("says that the process %s", async (_, path, parts, expected) => {
    const { url } = await open({ ready: parts });

    const { status, body } = await ask(`${url}${path}`);

    expect(status).toBe(200);
    expect(JSON.parse(body)).toEqual(expected);
  });

  it.each([
    ["says no", () => false],
    ["throws", () => Promise.reject(new Error("the disk is gone"))],
    ["never answers", () => new Promise<boolean>(() => undefined)],
  ])("names the part that %s", async (_, store) => {
    const { url } = await open({ ready: { gateway: () => true, store } });

    const { status, body } = await ask(`${url}/readyz`);

    expect(status).toBe(503);
    expect(JSON.parse(body)).toEqual({ isReady: false, parts: { gateway: true, store: false } });
    expect(body).not.toContain("disk");
  });

  it("hands out the metrics with their own type, and keeps nobody from asking anew", async () => {
    const { status, body, headers } = await askNew("/metrics?from=here");

    expect(status).toBe(200);
    expect(body).toBe("a 1\n");
    expect(headers).toMatchObject({
      "content-type": "text/plain; version=0.0.4",
      "cache-control": "no-store",
    });
  });

  it("says that metrics can't be given, and why only in the log", async () => {
    const { url } = await open({
      metrics: { render: () => Promise.reject(new Error("a series is broken")) },
    });

    const { status, body } = await ask(`${url}/metrics`);

    expect(status).toBe(500);
    expect(body).not.toContain("broken");
    expect(logged.join("")).toContain("a series is broken");
  });

  it.each(["/", "/metrics/", "/healthz/x", "//healthz", "/..%2fmetrics", "/constructor", "/.env"])(
    "has nothing at %s",
    async (path) => {
      const { status, body } = await askNew(path);

      expect(status).toBe(404);
      expect(body).not.toContain(path.slice(1) || "?");
    },
  );

  it.each(["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])("refuses %s", async (method) => {
    const { status, headers } = await askNew("/metrics", { method });

    expect(status).toBe(405);
    expect(headers).toMatchObject({ allow: "GET, HEAD" });
  });

  it("answers HEAD without a body", async () => {
    expect(await askNew("/healthz", { method: "HEAD" })).toMatchObject({ status: 200, body: "" });
  });

  it.each([
    "evil.example",
    "evil.example:9464",
    "127.0.0.1.evil.example",
    "10.0.0.1",
    "localhost.",
  ])("reveals nothing to a browser that was led here under the name %j", async (host) => {
    const { url } = await open();

    expect((await ask(`${url}/metrics`, { host })).status).toBeGreaterThanOrEqual(400);
    expect((await ask(`${url}/nowhere`, { host })).status).toBeGreaterThanOrEqual(400);
  });

  it.each(["localhost:1", "127.0.0.1", "[::1]:9464", "LOCALHOST"])(
    "answers under this machine's own name %s",
    async (host) => {
      expect((await askNew("/healthz", { host })).status).toBe(200);
    },
  );

  it("is not there for other machines", async () => {
    const { url } = await open();
    const outside = Object.values(networkInterfaces())
      .flat()
      .find((each) => each?.family === "IPv4" && !each.internal);
    if (outside === undefined) return;

    const reached = await new Promise((resolve) => {
      const socket = connect(Number(new URL(url).port), outside.address);
      socket.on("connect", () => resolve(true));
      socket.on("error", () => resolve(false));
    });

    expect(reached).toBe(false);
  });

  it.each([
    ["0.0.0.0", /^http:\/\/127\.0\.0\.1:\d+$/],
    ["::", /^http:\/\/\[::1\]:\d+$/],
  ])("is there for others, under any name, where it listens on %s", async (host, expected) => {
    const { url } = await open({ host });

    expect(url).toMatch(expected);
    expect((await ask(`${url}/healthz`, { host: "bot.internal:9464" })).status).toBe(200);
  });

  it("stays this machine's own on another of its addresses", async () => {
    const { url } = await open({ host: "127.0.0.2" });

    expect((await ask(`${url}/healthz`)).status).toBe(200);
    expect((await ask(`${url}/healthz`, { host: "evil.example" })).status).toBe(403);
  });

  it("names the variable when this machine has no such address", async () => {
    const failure = await open({ host: "203.0.113.1" }).catch((error: unknown) => error);

    expect(failure).toBeInstanceOf(ConfigError);
    expect(failure).toMatchObject({
      code: "host_unknown",
      message: "this machine has no address 203.0.113.1 (HEALTH_HOST)",
    });
  });

  it("refuses headers beyond 8 KB", async () => {
    const { url } = await open();

    const response = await fetch(`${url}/healthz`, { headers: { "x-long": "a".repeat(9_000) } });

    expect(response.status).toBe(431);
  });

  it("names the variable when its port is taken", async () => {
    const { url } = await open();
    const port = Number(new URL(url).port);

    const failure = await open({ port }).catch((error: unknown) => error);

    expect(failure).toBeInstanceOf(ConfigError);
    expect(failure).toMatchObject({
      code: "port_taken",
      hint: expect.stringContaining("HEALTH_PORT"),
    });
  });

  it("closes though somebody keeps a connection", async () => {
    const health = await open();
    const socket = connect(Number(new URL(health.url).port), "127.0.0.1");
    await new Promise((resolve) => socket.on("connect", resolve));

    const closed = once(socket, "close");
    socket.resume();
    await health.close();
    opened.splice(opened.indexOf(health), 1);

    await expect(closed).resolves.toBeDefined();
  });
});
