import { once } from "node:events";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { type Platform, startPlatform } from "../../../src/sandbox/platform/index.ts";
import { send, startRawBot } from "../../support/raw-bot.ts";
import { startTestBot } from "../../support/test-bot.ts";

interface Packet {
  readonly op: number;
  readonly t: string | null;
  readonly s: number | null;
  readonly d: Readonly<Record<string, unknown>>;
}

class Connection {
  readonly packets: Packet[] = [];
  readonly socket: WebSocket;
  readonly closed: Promise<number>;

  constructor(platform: Platform) {
    this.socket = new WebSocket(
      `${platform.url.replace("http", "ws")}/gateway/?v=10&encoding=json`,
    );
    this.socket.on("message", (raw) => this.packets.push(JSON.parse(String(raw))));
    this.socket.on("error", () => undefined);
    this.closed = new Promise((resolve) => this.socket.on("close", resolve));
  }

  async send(op: number, d: unknown): Promise<void> {
    if (this.socket.readyState === WebSocket.CONNECTING) await once(this.socket, "open");
    this.socket.send(JSON.stringify({ op, d }));
  }

  async next(matches: (packet: Packet) => boolean): Promise<Packet> {
    await expect.poll(() => this.packets.some(matches)).toBe(true);
    return this.packets.find(matches) as Packet;
  }
}

describe("the gateway", () => {
  let platform: Platform;
  const identify = (fields: object = {}) => ({
    token: platform.token,
    intents: 0,
    properties: { os: "test" },
    ...fields,
  });
  const isReady = ({ t }: Packet) => t === "READY";

  beforeEach(async () => {
    platform = await startPlatform({ extraGuilds: 100 });
  });

  afterEach(() => platform.close());

  async function identified(): Promise<{ connection: Connection; ready: Packet }> {
    const connection = new Connection(platform);
    await connection.send(2, identify());
    return { connection, ready: await connection.next(isReady) };
  }

  it("names all servers in READY, none of them available", async () => {
    const { ready } = await identified();

    const guilds = ready.d.guilds as readonly { id: string; unavailable: boolean }[];
    expect(guilds).toHaveLength(101);
    expect(new Set(guilds.map(({ id }) => id)).size).toBe(101);
    expect(guilds[0]).toEqual({ id: platform.guildId, unavailable: true });
  });

  it("splits servers over shards", async () => {
    const counts: number[] = [];
    for (const shard of [0, 1]) {
      const connection = new Connection(platform);
      await connection.send(2, identify({ shard: [shard, 2] }));
      const { d } = await connection.next(isReady);
      counts.push((d.guilds as readonly unknown[]).length);
    }

    expect(counts.reduce((sum, count) => sum + count)).toBe(101);
    expect(Math.min(...counts)).toBeGreaterThan(0);
  });

  it("acknowledges heartbeats", async () => {
    const connection = new Connection(platform);

    await connection.next(({ op }) => op === 10);
    await connection.send(1, null);

    expect(await connection.next(({ op }) => op === 11)).toMatchObject({ d: null });
  });

  it.each([
    ["a wrong token", 2, { token: "no" }, 4_004],
    ["wrong intents", 2, { intents: -1 }, 4_013],
    ["a wrong shard", 2, { shard: [2, 2] }, 4_010],
    ["an unknown opcode", 99, {}, 4_001],
    ["a request before identifying", 8, {}, 4_003],
  ])("closes on %s", async (_, op, fields, code) => {
    const connection = new Connection(platform);

    await connection.send(op, identify(fields));

    expect(await connection.closed).toBe(code);
  });

  it("replays on resume what was missed", async () => {
    const { connection, ready } = await identified();
    const commands = [{ name: "go", description: "Goes" }];
    const path = `/applications/${platform.applicationId}/commands`;
    await send(platform, "PUT", path, { body: commands });
    connection.socket.terminate();
    await connection.closed;

    void platform
      .people("owner")
      .command("go")
      .catch(() => undefined);
    const again = new Connection(platform);
    await again.send(6, { token: platform.token, session_id: ready.d.session_id, seq: ready.s });

    const missed = await again.next(({ t }) => t === "INTERACTION_CREATE");
    const resumed = await again.next(({ t }) => t === "RESUMED");
    expect([missed.s, resumed.s]).toEqual([2, 3]);
  });

  it("refuses to resume a session it does not know", async () => {
    const connection = new Connection(platform);

    await connection.send(6, { token: platform.token, session_id: "no", seq: 1 });

    expect(await connection.next(({ op }) => op === 9)).toMatchObject({ d: false });
  });

  it("keeps a discord.js bot through a cut and a reconnect request", async () => {
    const replies: string[] = [];
    const bot = await startTestBot(platform, {
      commands: [{ name: "go", description: "Goes" }],
      onInteraction: async (interaction) => {
        if (interaction.isChatInputCommand()) await interaction.reply(`${replies.push("x")}`);
      },
    });
    const go = () => platform.people("owner").command("go");

    platform.gateway.drop();
    expect(await go()).toMatchObject({ content: "1" });
    platform.gateway.reconnect();
    expect(await go()).toMatchObject({ content: "2" });

    await bot.close();
  });

  it("is not for web pages", async () => {
    const url = `${platform.url.replace("http", "ws")}/gateway`;
    const socket = new WebSocket(url, { origin: "https://example.com" });

    const [error] = await once(socket, "error");

    expect(String(error)).toMatch(/403/);
  });

  it("sends nothing but interactions", async () => {
    const names: string[] = [];
    platform.onGatewayEvent(({ name }) => names.push(name));
    const bot = await startRawBot(platform);

    await platform.people("member").say("hello");

    expect(names).toEqual(["READY"]);
    bot.close();
  });
});
