import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { REST } from "@discordjs/rest";
import { afterEach, describe, expect, it } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import {
  type Gateway,
  type GatewayDeps,
  openGateway,
} from "../../../src/discord/gateway/open-gateway.ts";
import { createLog, createSecrets } from "../../../src/log.ts";
import { type Platform, startPlatform } from "../../../src/sandbox/platform/index.ts";
import { createIdentifyTurn } from "../../../src/store/index.ts";
import { openFor } from "../../database/open.ts";
import { arrivalAlone } from "../../support/arrival.ts";
import { serve } from "../../support/server.ts";

type Line = Readonly<Record<string, unknown>>;

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

interface Opened {
  readonly gateway: Promise<Gateway>;
  readonly lines: Line[];
  readonly waits: number[];
  readonly interactions: unknown[];
  pass(ms: number): void;
}

/** Waits are recorded instead of waited for, and each has its greatest possible length. */
function open(url: string, change: Partial<GatewayDeps> = {}): Opened {
  const lines: Line[] = [];
  const waits: number[] = [];
  const interactions: unknown[] = [];
  let clock = 0;
  const write = (line: string) => void lines.push(JSON.parse(line));
  const gateway = openGateway({
    token: "token",
    rest: new REST({ api: `${url}/api`, version: "10" }).setToken("token"),
    log: createLog({ level: "debug", secrets: createSecrets(), write }),
    now: () => clock,
    random: () => 1,
    wait: async (ms) => void waits.push(ms),
    onInteraction: (interaction) => interactions.push(interaction),
    ...arrivalAlone(),
    ...change,
  });
  closers.push(() => gateway.then((opened) => opened.close()).catch(() => undefined));
  return {
    gateway,
    lines,
    waits,
    interactions,
    pass: (ms) => {
      clock += ms;
    },
  };
}

async function platformWith(options: Parameters<typeof startPlatform>[0] = {}): Promise<Platform> {
  const platform = await startPlatform(options);
  closers.push(() => platform.close());
  return platform;
}

function openOn(platform: Platform, change: Partial<GatewayDeps> = {}): Opened {
  const { token } = platform;
  const rest = new REST({ api: `${platform.url}/api`, version: "10" }).setToken(token);
  return open(platform.url, { token, rest, ...change });
}

/** A gateway that does only what the test says. */
async function bareGateway(onSocket?: (socket: WebSocket, count: number) => void) {
  const limit = { total: 1_000, remaining: 999, reset_after: 1, max_concurrency: 1 };
  const server = createServer((_, response) => {
    const { port } = server.address() as AddressInfo;
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify({ url: `ws://127.0.0.1:${port}`, shards: 1, session_start_limit: limit }),
    );
  });
  let count = 0;
  if (onSocket !== undefined) {
    const sockets = new WebSocketServer({ server });
    sockets.on("connection", (socket) => {
      count += 1;
      onSocket(socket, count);
    });
    closers.push(async () => {
      for (const socket of sockets.clients) socket.terminate();
    });
  } else {
    server.on("upgrade", (_, socket) => {
      count += 1;
      socket.on("error", () => undefined);
      socket.end("HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\n\r\n");
    });
  }
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  closers.push(async () => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, count: () => count };
}

const send = (socket: WebSocket, packet: unknown) => socket.send(JSON.stringify(packet));
const ready = { session_id: "s", resume_gateway_url: "ws://127.0.0.1:1" };
const hello = { op: 10, d: { heartbeat_interval: 60_000 } };

const reconnects = (lines: readonly Line[]) =>
  lines.filter(({ message }) => message === "gateway reconnects");

const until = (isTrue: () => boolean) => expect.poll(isTrue, { interval: 10 }).toBe(true);

describe("openGateway", () => {
  it("connects again after every close that can be mended, and says which and why", async () => {
    const codes = [4_000, 4_001, 4_002, 4_003, 4_005, 4_007, 4_008, 4_009, 1_000];

    // In parallel, because the library waits five seconds between two logins.
    const failures = await Promise.all(
      codes.map(async (code) => {
        const platform = await platformWith();
        const { gateway, lines, waits } = openOn(platform);
        const { isConnected } = await gateway;
        platform.gateway.drop(code, "as the platform says");
        await until(() => waits.length === 1);
        await until(isConnected);
        return reconnects(lines);
      }),
    );

    const reason = "as the platform says";
    expect(failures).toEqual(
      codes.map((code) => [
        expect.objectContaining({
          level: "info",
          shard: 0,
          code,
          reason,
          failures: 1,
          waitMs: 500,
        }),
      ]),
    );
  });

  it("waits longer after each broken connection, and starts over after a stable one", async () => {
    const platform = await platformWith();
    const { gateway, lines, waits, pass } = openOn(platform);
    const { isConnected } = await gateway;

    for (let times = 1; times <= 4; times += 1) {
      await until(isConnected);
      platform.gateway.drop(4_002);
      await until(() => waits.length === times);
    }
    await until(isConnected);
    pass(60_000);
    platform.gateway.drop();
    await until(() => waits.length === 5);

    expect(waits).toEqual([500, 1_000, 2_000, 4_000, 500]);
    expect(reconnects(lines).map(({ level, code, reason }) => [level, code, reason])).toEqual([
      ["info", 4_002, "DecodeError"],
      ["warn", 4_002, "DecodeError"],
      ["warn", 4_002, "DecodeError"],
      ["warn", 4_002, "DecodeError"],
      ["info", 1_006, "No connection"],
    ]);
  });

  it.each([
    [4_004, "ConfigError", "token_refused"],
    [4_010, "ConfigError", "gateway_shards"],
    [4_011, "ConfigError", "gateway_shards"],
    [4_012, "ConfigError", "gateway_refused"],
    [4_013, "ConfigError", "gateway_refused"],
    [4_014, "ConfigError", "gateway_refused"],
  ])("ends for good with close code %i", async (closeCode, name, code) => {
    const platform = await platformWith();
    const { gateway, waits } = openOn(platform);
    const { ended } = await gateway;

    platform.gateway.drop(closeCode);

    expect(await ended).toMatchObject({ name, code });
    expect(waits).toEqual([]);
  });

  it.each([
    [4_010, "SHARDS and SHARD_COUNT: with SHARD_COUNT=1 allowed are shards 0 to 0"],
    [4_011, "SHARD_COUNT=1 is too small: Discord allows 2,500 servers a shard"],
  ])("names the variables with close code %i if they are set", async (closeCode, hint) => {
    const platform = await platformWith();
    const { gateway } = openOn(platform, { shardCount: 1 });
    const { ended } = await gateway;

    platform.gateway.drop(closeCode);

    const error = await ended;
    expect(error).toMatchObject({ hint: expect.stringContaining(hint) });
    expect(error.facts.mayPass).toBe(false);
  });

  it("fails where a shard would have more servers than Discord allows", async () => {
    const platform = await platformWith({ extraGuilds: 2_500 });

    const { gateway } = openOn(platform, { shardCount: 1 });

    await expect(gateway).rejects.toMatchObject({ code: "gateway_shards" });
  });

  it("opens the shards it was given, out of all", async () => {
    const platform = await platformWith({ extraGuilds: 100 });
    const { gateway } = openOn(platform, { shardCount: 4, shards: [1, 3] });
    const { isConnected, servers: guilds } = await gateway;

    await until(isConnected);

    expect(platform.gateway.intents()).toEqual([0, 0]);
    expect(guilds()).toBeGreaterThan(0);
    expect(guilds()).toBeLessThan(101);
  });

  it("takes interactions on its first connection while the others wait for their turn", async () => {
    const platform = await platformWith({ logins: { shards: 3, maxConcurrency: 3 } });
    const identifyTurn = async (bucket: number) => (bucket === 0 ? 0 : 60_000);
    const { gateway, interactions } = openOn(platform, { identifyTurn });
    const { isConnected } = await gateway;

    platform.gateway.dispatch("INTERACTION_CREATE", { id: "1" }, "0");
    await until(() => interactions.length === 1);

    expect(interactions).toEqual([{ id: "1" }]);
    expect(isConnected()).toBe(false);
  });

  it("keeps the pace of identifying together with another process", async () => {
    const platform = await platformWith({ logins: { shards: 2, maxConcurrency: 1 } });
    const database = await openFor({ url: "sqlite::memory:" });
    const processes = [[0], [1]].map((shards) => {
      const identifyTurn = createIdentifyTurn(database);
      return openOn(platform, { shards, shardCount: 2, identifyTurn });
    });

    await Promise.all(processes.map(({ gateway }) => gateway));

    expect(processes.flatMap(({ lines }) => reconnects(lines))).toEqual([]);
  });

  it("goes on with the sessions of the process before it, and misses no interaction", async () => {
    const platform = await platformWith();
    const seen: string[] = [];
    platform.onGatewayEvent(({ name }) => seen.push(name));
    const { sessions } = arrivalAlone();
    const first = openOn(platform, { sessions });
    await (await first.gateway).close();
    platform.gateway.dispatch("INTERACTION_CREATE", { id: "1" }, platform.guildId);

    const second = openOn(platform, { sessions });
    await second.gateway;
    await until(() => second.interactions.length === 1);

    expect(seen).toEqual(["READY", "INTERACTION_CREATE", "RESUMED"]);
    expect(first.interactions).toEqual([]);
  });

  it("sends the token to no other place than the gateway's own domain", async () => {
    const platform = await platformWith();
    const { url, count } = await bareGateway();
    const { sessions } = arrivalAlone();
    await (await openOn(platform, { sessions }).gateway).close();
    const [session] = await sessions.take(1, [0]);
    if (session === undefined) throw new TypeError("no session was saved");
    await sessions.save([{ ...session, resumeUrl: url.replace("http", "ws") }], new Set());

    const { lines } = openOn(platform, { sessions });
    await until(() => lines.some(({ message }) => message === "gateway connects"));
    await until(() => platform.gateway.intents().length === 1);

    expect(lines.find(({ message }) => message === "gateway connects")).toMatchObject({
      resumed: 0,
    });
    expect(count()).toBe(0);
  });

  it("logs in anew where Discord has forgotten the session", async () => {
    const platform = await platformWith();
    const { sessions } = arrivalAlone();
    await (await openOn(platform, { sessions }).gateway).close();
    platform.gateway.invalidate();

    const { isConnected } = await openOn(platform, { sessions }).gateway;

    expect(isConnected()).toBe(true);
    expect(platform.gateway.intents()).toHaveLength(1);
  });

  it("waits for a gateway that takes no connection until it is told to stop", async () => {
    const { url, count } = await bareGateway();
    const stopping = new AbortController();
    const { gateway, waits, lines } = open(url, { signal: stopping.signal });

    await until(() => waits.length >= 8);
    stopping.abort(new Error("stopped"));

    await expect(gateway).rejects.toThrow("stopped");
    expect(count()).toBeGreaterThanOrEqual(8);
    expect(waits.slice(0, 8)).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000]);
    expect(reconnects(lines)[0]).toMatchObject({ reason: "Unexpected server response: 502" });
  });

  it("drops a malformed READY and connects again", async () => {
    const readies = [{}, { ...ready, resume_gateway_url: 1 }, ready];
    const { url } = await bareGateway((socket, count) => {
      send(socket, hello);
      socket.on("message", (raw) => {
        if (JSON.parse(String(raw)).op !== 2) return;
        send(socket, { op: 0, t: "READY", s: 1, d: readies[count - 1] });
      });
    });

    const { gateway, lines } = open(url);
    const { isConnected } = await gateway;

    expect(isConnected()).toBe(true);
    const dropped = lines.filter(({ message }) => message === "a malformed READY is dropped");
    expect(dropped.map(({ at }) => at)).toEqual([".session_id", ".resume_gateway_url"]);
  });

  it("refuses an API that is not Discord's", async () => {
    const { url, close } = await serve((_, response) => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ hello: "world" }));
    });
    closers.push(close);

    await expect(open(url).gateway).rejects.toMatchObject({ code: "gateway_unknown" });
  });

  it("waits for logins where fewer are left than its connections need, and says until when", async () => {
    const platform = await platformWith({ logins: { shards: 4, remaining: 1 } });
    const stopping = new AbortController();
    const { gateway, lines } = openOn(platform, { signal: stopping.signal });
    const waiting = () => lines.filter(({ message }) => message === "waiting for Discord");
    await until(() => waiting().length > 0);

    const { isConnected } = await openOn(platform, { shards: [2], shardCount: 4 }).gateway;
    stopping.abort(new Error("stopped"));

    await expect(gateway).rejects.toThrow("stopped");
    expect(isConnected()).toBe(true);
    expect(waiting()).toEqual([
      expect.objectContaining({
        reason:
          "Discord lets the bot log in again at 1970-01-01T04:00:00.000Z: 4 connections need a login each, and 1 are left",
      }),
    ]);
  });

  it("opens no connection any more once it is closed", async () => {
    const platform = await platformWith();
    const seen: string[] = [];
    platform.onGatewayEvent(({ name }) => seen.push(name));
    let going: (() => void) | undefined;
    const { token } = platform;
    const rest = new REST({ api: `${platform.url}/api`, version: "10" }).setToken(token);
    const wait = (_: number, signal: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        going = resolve;
        signal.addEventListener("abort", () => reject(signal.reason));
      });
    const { gateway } = open(platform.url, { token, rest, wait });
    const { close } = await gateway;

    platform.gateway.drop();
    await until(() => going !== undefined);
    await close();
    going?.();
    await new Promise((resolve) => setTimeout(resolve, 50));

    expect(seen).toEqual(["READY"]);
  });

  it("closes while a new connection waits for its greeting", async () => {
    let isOpenAgain = false;
    const { url, count } = await bareGateway((socket, times) => {
      isOpenAgain = times === 2;
      if (isOpenAgain) return;
      send(socket, hello);
      socket.on("message", (raw) => {
        if (JSON.parse(String(raw)).op !== 2) return;
        send(socket, { op: 0, t: "READY", s: 1, d: ready });
        socket.close(4_000);
      });
    });
    const { close } = await open(url).gateway;
    await until(() => isOpenAgain);

    await close();

    expect(count()).toBe(2);
  });
});
