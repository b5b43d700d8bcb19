import { execFile } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import keyvTestSuite, { keyvIteratorTests } from "@keyv/test-suite";
import { Keyv } from "keyv";
import * as test from "vitest";
import { openStore } from "../../../src/store/index.ts";
import { connectRedis, type RedisClient } from "../../../src/store/redis/client.ts";
import { createRedisRows } from "../../../src/store/redis/rows.ts";
import { KeyvRows } from "../../../src/store/rows.ts";
import { makeCertificate } from "../../conformance/certificate.ts";
import type { DatabaseServer } from "../../support/databases/child.ts";
import { findRedis, startRedis } from "../../support/databases/redis-server.ts";
import { guild, masterKey, openFor, otherGuild, temporaryFolder, videoKey } from "../setup.ts";

const { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } = test;
const keys = [masterKey("k1")];
/** Not compressed, so that a trace can be found. */
const durable = ["--appendonly", "yes", "--rdbcompression", "no"];
const rights =
  "~greenroom:* +get +mget +eval +zscan +set +del +zadd +zrem +zremrangebyscore +time +ping +select +config|get +info +bgrewriteaof +bgsave";

async function serverWith(...settings: readonly string[]): Promise<DatabaseServer> {
  const server = await startRedis(settings);
  onTestFinished(server.stop);
  return server;
}

async function collected<T>(list: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const each of list) all.push(each);
  return all;
}

/** What a start is refused with; never with the password. */
async function refusal(url: string) {
  const error = await openStore({ url, keys }).then(
    () => undefined,
    (reason) => reason,
  );
  expect(`${error?.message} ${error?.hint}`).not.toContain("canary");
  return error;
}

describe.skipIf(!findRedis())("a store on Redis", () => {
  let server: DatabaseServer;
  let client: RedisClient;
  beforeAll(async () => {
    server = await startRedis(durable);
    client = await connectRedis(server.url);
  });
  beforeEach(() => client.flushAll());
  afterAll(async () => {
    client.destroy();
    await server.stop();
  });

  it("leaves other programs' keys alone, and is not slowed down by them", async () => {
    const foreign = Object.fromEntries(
      Array.from({ length: 50_000 }, (_, n) => [`greenroo:credential:${n}`, "theirs"]),
    );
    await client.mSet(foreign);
    const before = await client.info("commandstats");
    const { credentials, guilds } = await openFor({ url: server.url });
    await credentials.write(guild, videoKey());
    await credentials.write(otherGuild, videoKey());

    expect((await guilds.all()).toSorted()).toEqual([guild, otherGuild]);
    await guilds.erase(guild);

    expect(await guilds.all()).toEqual([otherGuild]);
    const ours = (await client.keys("*")).filter((key) => !key.startsWith("greenroo:"));
    expect(ours.every((key) => key.startsWith("greenroom:"))).toBe(true);
    expect(await client.dbSize()).toBe(50_000 + ours.length);
    const scans = (text: unknown) => /cmdstat_scan:calls=(\d+)/.exec(String(text))?.[1];
    expect(scans(await client.info("commandstats"))).toBe(scans(before));
  });

  it("lists more than one page, while records are removed", async () => {
    const rows = createRedisRows(client);
    const all = Array.from({ length: 1203 }, (_, n) => `unit:${n}`);
    await Promise.all(all.map((key) => rows.set(key, "text")));
    await rows.set("units:1", "another namespace");

    const seen: string[] = [];
    for await (const [key] of rows.list("unit")) {
      seen.push(key);
      await rows.delete(key);
    }

    expect(seen.toSorted()).toEqual(all.toSorted());
    expect(await client.keys("greenroom:unit:*")).toEqual([]);
  });

  it("forgets what has expired, in its lists too", async () => {
    const rows = createRedisRows(client);
    for (let n = 0; n < 20; n++) await rows.set(`ticket:${n}`, "text", 5);
    await wait(30);

    const listed = await collected(rows.list("ticket"));
    await rows.set("ticket:new", "text", 60_000);

    expect(listed).toEqual([]);
    expect(await client.zRange("greenroom:keys:ticket", 0, -1)).toEqual(["ticket:new"]);
  });

  it("leaves no trace of an erased server in the files of Redis", async () => {
    const { credentials, settings, guilds } = await openFor({ url: server.url });
    for (const id of [guild, otherGuild]) {
      await credentials.write(id, videoKey());
      await settings.update(id, { noticeChannelId: `7${id.slice(1)}` });
    }
    const files = () =>
      readdirSync(server.folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
        .join("");
    expect(files()).toContain(guild);

    await guilds.erase(guild);

    expect(files()).not.toContain(guild);
    expect(files()).toContain(otherGuild);
  });

  it("answers again after Redis was killed and started, by itself", async () => {
    const own = await serverWith(...durable, "--appendfsync", "always");
    const { credentials } = await openFor({ url: own.url });
    await credentials.write(guild, videoKey());

    await own.kill();
    const whileAway = credentials.read(guild, "video-key");
    await own.start();

    expect((await whileAway).state).not.toBe("absent");
    await expect
      .poll(() => credentials.read(guild, "video-key"), { timeout: 5000 })
      .toMatchObject({ state: "found" });
  });

  it("fails while Redis is away or silent, and ends no process", async () => {
    const own = await serverWith(...durable);
    const { credentials, revocations, ping } = await openFor({ url: own.url });
    const unavailable = { state: "failed", error: { code: "store_unavailable" } };
    own.pause();

    const silent = await Promise.all([
      credentials.read(guild, "video-key"),
      revocations.add("1//canary").catch((error) => error),
    ]);
    own.goOn();
    await expect.poll(ping, { timeout: 5000 }).toMatchObject({ state: "found" });
    await own.kill();
    const away = await Promise.all([
      credentials.read(guild, "video-key"),
      revocations.add("1//canary").catch((error) => error),
    ]);

    expect(silent[0]).toMatchObject(unavailable);
    expect(silent[1]).toMatchObject({ code: "store_unavailable", outcome: "unknown" });
    expect(away[0]).toMatchObject(unavailable);
    expect(away[1]).toMatchObject({ code: "store_unavailable" });
  });

  describe("through keyv", () => {
    const open = () => new KeyvRows(createRedisRows(client));
    keyvTestSuite(test, Keyv, open);
    keyvIteratorTests(test, Keyv, open);
  });
});

describe.skipIf(!findRedis())("opening a store on Redis", () => {
  it("refuses one that drops records, or keeps nothing on disk, and says how to set it", async () => {
    const server = await serverWith(...durable, "--maxmemory-policy", "allkeys-lru");
    const volatile = await serverWith("--appendonly", "no", "--save", "");

    expect(await refusal(server.url)).toMatchObject({
      name: "ConfigError",
      code: "store_server",
      hint: expect.stringContaining("maxmemory-policy noeviction"),
    });
    expect(await refusal(volatile.url)).toMatchObject({
      name: "ConfigError",
      code: "store_volatile",
      hint: expect.stringContaining("appendonly yes"),
    });
  });

  it("warns of snapshots alone, and takes them", async () => {
    const server = await serverWith("--appendonly", "no", "--save", "3600 1");
    const told: string[] = [];

    const { ping } = await openFor({ url: server.url, onWarning: (what) => told.push(what) });

    expect(told).toEqual([expect.stringContaining("snapshots")]);
    expect(await ping()).toMatchObject({ state: "found" });
  });

  it("goes by what Redis says of itself where CONFIG is forbidden", async () => {
    const command = ["--rename-command", "CONFIG", ""];
    const safe = await serverWith(...durable, ...command);
    const evicting = await serverWith(...durable, ...command, "--maxmemory-policy", "allkeys-lru");
    const volatile = await serverWith("--appendonly", "no", "--save", "", ...command);
    const told: string[] = [];
    const onWarning = (what: string) => void told.push(what);

    await openFor({ url: safe.url, onWarning });
    expect(told).toEqual([]);
    await openFor({ url: volatile.url, onWarning });

    expect(told).toEqual([expect.stringContaining("does not tell")]);
    expect(await refusal(evicting.url)).toMatchObject({ code: "store_server" });
  });

  it("refuses a wrong password, and takes the right one of a user with few rights", async () => {
    const user = ["--user", "greenroom", "on", ">canary-password", ...rights.split(" ")];
    const server = await serverWith(...durable, "--user", "default", "off", ...user);
    const address = (user: string) => `redis://${user}@127.0.0.1:${server.port}`;
    const secrets: string[] = [];

    for (const user of ["greenroom:canary-wrong", "default:canary-wrong", "nobody:canary"]) {
      expect(await refusal(address(user))).toMatchObject({
        code: "store_server",
        hint: expect.stringContaining("password"),
      });
    }
    const { credentials, guilds } = await openFor({
      url: address("greenroom:canary-password"),
      onSecret: (secret) => secrets.push(secret),
    });
    await credentials.write(guild, videoKey());

    expect(secrets).toContain("canary-password");
    await guilds.erase(guild);
    expect(await guilds.all()).toEqual([]);
  });

  it("speaks TLS with a server whose certificate this machine trusts, and with no other", async () => {
    const folder = temporaryFolder();
    const [cert, key] = [join(folder, "cert.pem"), join(folder, "key.pem")];
    const made = makeCertificate("localhost");
    writeFileSync(cert, made.cert);
    writeFileSync(key, made.key);
    const tls = ["--tls-cert-file", cert, "--tls-key-file", key, "--tls-ca-cert-file", cert];
    const server = await serverWith(...durable, ...tls, "--tls-auth-clients", "no");
    // Which certificates it trusts a process learns at its start.
    const taker = fileURLToPath(new URL("../facts/lease-taker.ts", import.meta.url));
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: cert };

    expect(await refusal(server.url)).toMatchObject({
      code: "store_server",
      hint: expect.stringContaining("NODE_EXTRA_CA_CERTS"),
    });
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [taker, server.url, "refresh:1", "1"],
      { env },
    );

    expect(stdout).toContain("from");
  });

  it("refuses what is not there, is not Redis, or never answers", async () => {
    const web = createServer((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
    const silent = createServer(() => undefined);
    const portOf = async (one: typeof web) => {
      await new Promise<void>((done) => one.listen(0, "127.0.0.1", done));
      onTestFinished(() => void one.close());
      return (one.address() as { port: number }).port;
    };
    const ports = [1, await portOf(web), await portOf(silent)];

    const errors = await Promise.all(
      ports.map((port) => refusal(`redis://greenroom:canary@127.0.0.1:${port}`)),
    );

    expect(errors.map(({ code }) => code)).toEqual(ports.map(() => "store_server"));
  });
});
