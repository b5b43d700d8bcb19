import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { REST } from "discord.js";
import { afterEach, describe, expect, it } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import {
  type Gateway,
  type GatewayDeps,
  openGateway,
} from "../../../src/discord/gateway/open-gateway.ts";
import { createLog, createSecrets } from "../../../src/log.ts";
import { type Platform, startPlatform } from "../../../src/sandbox/platform/index.ts";

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

/** Waits are counted and not waited for, and every wait is as long as it may be. */
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
    onServers: () => undefined,
    ...change,
  });
  closers.push(() => gateway.then((opened) => opened.close()).catch(() => undefined));
  return {
    ...{ gateway, lines, waits, interactions },
    pass: (ms) => {
      clock += ms;
    },
  };
}

async function platformWith(): Promise<Platform> {
  const platform = await startPlatform();
  closers.push(() => platform.close());
  return platform;
}

function openOn(platform: Platform): Opened {
  const { token } = platform;
  const rest = new REST({ api: `${platform.url}/api`, version: "10" }).setToken(token);
  return open(platform.url, { token, rest });
}

/** A gateway that does nothing but what the test says. */
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
      socket.end("HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\n\r\n");
    });
  }
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  closers.push(async () => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, count: () => count };
}

const send = (socket: WebSocket, packet: unknown) => socket.send(JSON.stringify(packet));
const hello = { op: 10, d: { heartbeat_interval: 60_000 } };

const reconnects = (lines: readonly Line[]) =>
  lines.filter(({ message }) => message === "gateway reconnects");

async function until(isTrue: () => boolean): Promise<void> {
  for (let tries = 0; tries < 600 && !isTrue(); tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  expect(isTrue()).toBe(true);
}

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

  it("gives up a start after three connections that fail in the handshake", async () => {
    const { url, count } = await bareGateway();
    const { gateway, waits } = open(url);

    await expect(gateway).rejects.toMatchObject({
      name: "ConfigError",
      code: "gateway_unreachable",
      message: expect.stringContaining("Unexpected server response: 502"),
    });
    expect(count()).toBe(3);
    expect(waits).toEqual([500, 1_000]);
  });

  it("drops a malformed READY and connects again", async () => {
    const good = { user: { id: "1".repeat(18) }, application: { id: "2".repeat(18) } };
    const readies = [
      {},
      { ...good, guilds: [null] },
      { ...good, guilds: [{ id: "3".repeat(18) }] },
    ];
    const { url } = await bareGateway((socket, count) => {
      send(socket, hello);
      socket.on("message", (raw) => {
        if (JSON.parse(String(raw)).op !== 2) return;
        send(socket, { op: 0, t: "READY", s: 1, d: { session_id: "s", ...readies[count - 1] } });
      });
    });

    const { gateway, lines } = open(url);
    const { applicationId, botId, guildIds } = await gateway;

    expect([applicationId, botId, ...guildIds()]).toEqual([
      "2".repeat(18),
      "1".repeat(18),
      "3".repeat(18),
    ]);
    const dropped = lines.filter(({ message }) => message === "a malformed READY is dropped");
    expect(dropped.map(({ at }) => at)).toEqual([".user", ".guilds.0"]);
  });

  it("refuses an API that is not Discord's, and a day whose logins are spent", async () => {
    const answering = async (body: unknown) => {
      const server = createServer((_, response) => {
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify(body));
      });
      await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
      closers.push(async () => void server.close());
      return open(`http://127.0.0.1:${(server.address() as AddressInfo).port}`).gateway;
    };
    const limit = { remaining: 0, reset_after: 3_600_000, max_concurrency: 1 };

    await expect(answering({ hello: "world" })).rejects.toMatchObject({ code: "gateway_unknown" });
    await expect(
      answering({ url: "ws://127.0.0.1:1", shards: 1, session_start_limit: limit }),
    ).rejects.toMatchObject({
      code: "logins_spent",
      message: "Discord lets the bot log in again at 1970-01-01T01:00:00.000Z",
    });
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
    const ready = { user: { id: "1".repeat(18) }, application: { id: "2".repeat(18) }, guilds: [] };
    let isOpenAgain = false;
    const { url, count } = await bareGateway((socket, times) => {
      isOpenAgain = times === 2;
      if (isOpenAgain) return;
      send(socket, hello);
      socket.on("message", (raw) => {
        if (JSON.parse(String(raw)).op !== 2) return;
        send(socket, { op: 0, t: "READY", s: 1, d: { session_id: "s", ...ready } });
        socket.close(4_000);
      });
    });
    const { close } = await open(url).gateway;
    await until(() => isOpenAgain);

    await close();

    expect(count()).toBe(2);
  });
});
