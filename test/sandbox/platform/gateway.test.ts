import { once } from "node:events";
import { createInflate, createZstdDecompress, inflateSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { type Platform, startPlatform } from "../../../src/sandbox/platform/index.ts";
import { checkGatewayObject } from "../../support/discord-spec.ts";
import { send, startRawBot } from "../../support/raw-bot.ts";
import { startTestBot } from "../../support/test-bot.ts";

interface Packet {
  readonly op: number;
  readonly t: string | null;
  readonly s: number | null;
  readonly d: Readonly<Record<string, unknown>>;
}

/** Decodes a binary message; returns "" while the message is incomplete. */
type Open = (raw: Buffer) => string;

class Connection {
  readonly packets: Packet[] = [];
  readonly socket: WebSocket;
  readonly closed: Promise<number>;

  constructor(platform: Platform, query = "v=10&encoding=json", open: Open = String) {
    this.socket = new WebSocket(`${platform.url.replace("http", "ws")}/gateway/?${query}`);
    this.socket.on("message", (raw, isBinary) => {
      const text = isBinary ? open(raw as Buffer) : String(raw);
      if (text !== "") this.packets.push(JSON.parse(text));
    });
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

  it("refuses a shard with more servers than Discord allows", async () => {
    const crowded = await startPlatform({ extraGuilds: 2_500 });
    const connection = new Connection(crowded);

    await connection.send(2, identify({ token: crowded.token }));

    expect(await connection.closed).toBe(4_011);
    await crowded.close();
  });

  it("lets a bucket rest after an identify, and counts the logins", async () => {
    const limited = await startPlatform({
      extraGuilds: 2_500,
      logins: { maxConcurrency: 2, remaining: 10 },
    });
    const asShard = async (id: number) => {
      const connection = new Connection(limited);
      await connection.send(2, identify({ token: limited.token, shard: [id, 4] }));
      return (await connection.next(({ op, t }) => op === 9 || t === "READY")).op;
    };

    const answers = [await asShard(0), await asShard(1), await asShard(2)];

    expect(answers).toEqual([0, 0, 9]);
    const headers = { authorization: `Bot ${limited.token}` };
    const info = await fetch(`${limited.url}/api/v10/gateway/bot`, { headers });
    expect(await info.json()).toMatchObject({
      shards: 3,
      session_start_limit: { remaining: 8, max_concurrency: 2 },
    });
    await limited.close();
  });

  it("acknowledges heartbeats", async () => {
    const connection = new Connection(platform);

    await connection.next(({ op }) => op === 10);
    await connection.send(1, null);

    expect(await connection.next(({ op }) => op === 11)).toMatchObject({ d: null });
  });

  it.each(["", "Bot "])("takes the token after %j", async (prefix) => {
    const connection = new Connection(platform);

    await connection.send(2, identify({ token: prefix + platform.token }));

    expect(await connection.next(isReady)).toMatchObject({ d: { v: 10 } });
  });

  it.each([
    ["v=9", 9],
    ["v=10", 10],
    ["", 10],
  ])("speaks the version of ?%s", async (query, version) => {
    const connection = new Connection(platform, query);

    await connection.send(2, identify());

    expect((await connection.next(isReady)).d.v).toBe(version);
  });

  it.each([
    ["v=8", 4_012],
    ["v=ten", 4_012],
    ["v=10&encoding=etf", 4_002],
    ["v=10&compress=gzip-stream", 4_002],
  ])("closes what asks for ?%s", async (query, code) => {
    expect(await new Connection(platform, query).closed).toBe(code);
  });

  it.each([
    ["zlib-stream", createInflate],
    ["zstd-stream", createZstdDecompress],
  ] as const)("compresses a whole connection as %s", async (compress, create) => {
    const stream = create();
    const texts: string[] = [];
    stream.on("data", (part) => texts.push(String(part)));
    const connection = new Connection(platform, `v=10&compress=${compress}`, (raw) => {
      stream.write(raw);
      return "";
    });
    const all = () => texts.join("");

    await connection.send(2, identify({ intents: 1, compress: true }));
    await expect.poll(() => all().split('"t":"GUILD_CREATE"').length).toBe(102);

    expect(all().split('"t":"READY"')).toHaveLength(2);
    stream.destroy();
  });

  it("compresses large packets alone where only identifying asks for it", async () => {
    const sizes: number[] = [];
    const connection = new Connection(platform, "v=10", (raw) => {
      sizes.push(raw.byteLength);
      return String(inflateSync(raw));
    });

    await connection.send(2, identify({ intents: 1, compress: true }));
    await connection.next(({ t }) => t === "GUILD_CREATE");

    expect(sizes.length).toBeGreaterThan(1);
  });

  it("closes a compressed connection with the reason", async () => {
    const connection = new Connection(platform, "compress=zlib-stream", () => "");

    await connection.send(2, identify({ token: "no" }));

    expect(await connection.closed).toBe(4_004);
  });

  it("takes no packet above 4,096 bytes", async () => {
    const connection = new Connection(platform);

    await connection.send(2, identify({ more: "x".repeat(4_096) }));

    expect(await connection.closed).toBe(4_002);
  });

  it("lets a bot identify again when its session is over, on the same connection", async () => {
    const { connection, ready } = await identified();

    platform.gateway.invalidate();
    await connection.next(({ op }) => op === 9);
    await connection.send(2, identify());
    const again = await connection.next((packet) => isReady(packet) && packet !== ready);

    expect(again.d.session_id).not.toBe(ready.d.session_id);
    expect(connection.socket.readyState).toBe(WebSocket.OPEN);
  });

  it("lets a bot resume a session that may be resumed, on the same connection", async () => {
    const { connection, ready } = await identified();

    platform.gateway.invalidate(true);
    expect(await connection.next(({ op }) => op === 9)).toMatchObject({ d: true });
    const { session_id } = ready.d;
    await connection.send(6, { token: platform.token, session_id, seq: ready.s });

    await connection.next(({ t }) => t === "RESUMED");
  });

  it("shows servers to whoever asks for them, and members to whoever asks for those", async () => {
    const guilds: unknown[] = [];
    for (const intents of [0, 1, 3]) {
      const connection = new Connection(platform);
      await connection.send(2, identify({ intents }));
      await connection.next(isReady);
      const isHere = ({ t, d }: Packet) => t === "GUILD_CREATE" && d.id === platform.guildId;
      if (intents === 0) await connection.send(1, null);
      if (intents === 0) await connection.next(({ op }) => op === 11);
      const found = intents === 0 ? connection.packets.find(isHere) : await connection.next(isHere);
      if (found !== undefined) {
        expect(await checkGatewayObject("GUILD_CREATE", found.d)).toEqual([]);
      }
      guilds.push(found && (found.d.members as readonly unknown[]).length);
    }

    expect(guilds).toEqual([undefined, 1, 4]);
  });

  it.each([
    ["by the beginning of a name", { query: "RO", limit: 0 }, ["robin"], undefined],
    ["by id", { user_ids: ["1"], limit: 0 }, [], ["1"]],
    ["all", { query: "", limit: 0 }, ["Greenroom", "robin", "kim", "alex"], undefined],
  ])("finds members %s", async (_, asked, names, unknown) => {
    const connection = new Connection(platform);
    await connection.send(2, identify({ intents: 2 }));
    await connection.next(isReady);

    await connection.send(8, { guild_id: platform.guildId, nonce: "n", ...asked });
    const { d } = await connection.next(({ t }) => t === "GUILD_MEMBERS_CHUNK");

    const members = d.members as readonly { user: { username: string } }[];
    expect(members.map(({ user }) => user.username)).toEqual(names);
    expect([d.not_found, d.nonce]).toEqual([unknown, "n"]);
    expect(await checkGatewayObject("GUILD_MEMBERS_CHUNK", d)).toEqual([]);
  });

  it("lists no members without the intent, nor those of other servers", async () => {
    const { connection } = await identified();
    const { guildId: guild_id } = platform;

    await connection.send(8, { guild_id, query: "", limit: 0 });
    await connection.send(8, { guild_id: "1", query: "a", limit: 0 });
    await connection.send(8, { guild_id, query: "kim", limit: 1 });
    const { d } = await connection.next(({ t }) => t === "GUILD_MEMBERS_CHUNK");

    expect(d.members).toHaveLength(1);
  });

  it("sends messages only to those who may read them", async () => {
    const guildMessages = 1 << 9;
    const messageContent = 1 << 15;
    const heard: unknown[] = [];
    const connections = [guildMessages, guildMessages | messageContent].map(async (intents) => {
      const connection = new Connection(platform);
      await connection.send(2, identify({ intents }));
      await connection.next(isReady);
      return connection;
    });
    const all = await Promise.all(connections);

    await platform.people("member").say("hello");
    await platform.people("member").say(`<@${platform.applicationId}> you`);
    for (const connection of all) {
      await expect
        .poll(() => connection.packets.filter(({ t }) => t === "MESSAGE_CREATE").length)
        .toBe(2);
      const messages = connection.packets.filter(({ t }) => t === "MESSAGE_CREATE");
      heard.push(messages.map(({ d }) => d.content));
      for (const { d } of messages) {
        expect(await checkGatewayObject("MESSAGE_CREATE", d)).toEqual([]);
      }
    }

    const mention = `<@${platform.applicationId}> you`;
    expect(heard).toEqual([
      ["", mention],
      ["hello", mention],
    ]);
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
