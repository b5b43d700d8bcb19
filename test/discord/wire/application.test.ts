import { REST } from "@discordjs/rest";
import { afterEach, describe, expect, it } from "vitest";
import { readConfig } from "../../../src/config.ts";
import { applicationWarnings, readApplication } from "../../../src/discord/wire/application.ts";
import { ConfigError } from "../../../src/errors.ts";
import { createLog, createSecrets } from "../../../src/log.ts";
import { serve, type TestServer } from "../../support/server.ts";

const answer = {
  id: "1".repeat(18),
  bot: { id: "2".repeat(18) },
  verify_key: "AB".repeat(32),
  interactions_endpoint_url: null as string | null,
};

describe("readApplication", () => {
  let server: TestServer;
  const lines: Readonly<Record<string, unknown>>[] = [];
  afterEach(() => server.close());

  /** Reads while Discord answers with these statuses in turn; the last one repeats. */
  async function read(statuses: readonly number[], body: unknown = answer, signal?: AbortSignal) {
    lines.length = 0;
    let asked = 0;
    let clock = 0;
    server = await serve((_, response) => {
      const status = statuses[Math.min(asked, statuses.length - 1)] ?? 200;
      asked += 1;
      const headers = { "content-type": "application/json", date: new Date(60_000).toUTCString() };
      response.writeHead(status, headers).end(JSON.stringify(status === 200 ? body : { code: 0 }));
    });
    const write = (line: string) => void lines.push(JSON.parse(line));
    return readApplication(
      new REST({ api: `${server.url}/api`, version: "10", retries: 0 }).setToken("t"),
      {
        log: createLog({ level: "debug", secrets: createSecrets(), write }),
        now: () => clock,
        random: () => 1,
        wait: async (ms) => {
          clock += ms;
          if (clock > 200_000) throw new Error("stopped");
        },
        signal,
      },
    );
  }

  it("tells the ids, the key, the address and how far this machine's clock is ahead", async () => {
    expect(await read([200])).toEqual({
      applicationId: answer.id,
      botId: answer.bot.id,
      publicKey: "ab".repeat(32),
      endpointUrl: undefined,
      skewMs: -60_000,
    });
  });

  it("tells the address that Discord posts to", async () => {
    const url = "https://bot.example.com/discord/interactions";

    expect(await read([200], { ...answer, interactions_endpoint_url: url })).toMatchObject({
      endpointUrl: url,
    });
  });

  it.each([
    ["no", "no"],
    ["", ""],
    [null, undefined],
    [undefined, undefined],
    [7, undefined],
  ])(
    "starts with the placeholder %j for a key, which the gateway does not need",
    async (key, told) => {
      expect(await read([200], { ...answer, verify_key: key })).toMatchObject({
        applicationId: answer.id,
        publicKey: told,
      });
    },
  );

  it("waits while Discord fails, and says so when the reason changes", async () => {
    const application = await read([503, 503, 500, 200]);

    expect(application.applicationId).toBe(answer.id);
    expect(lines.map(({ message, reason }) => [message, reason])).toEqual([
      ["waiting for Discord", "Discord answers the login with status 503"],
      ["waiting for Discord", "Discord answers the login with status 500"],
    ]);
  });

  it("says once a minute that it still waits", async () => {
    await expect(read([503])).rejects.toThrow("stopped");

    expect(lines.length).toBeGreaterThanOrEqual(3);
    expect(lines.length).toBeLessThanOrEqual(4);
  });

  it("ends with what only a person can change", async () => {
    await expect(read([401])).rejects.toMatchObject({ code: "token_refused" });
    await server.close();
    await expect(read([200], { ...answer, bot: {} })).rejects.toMatchObject({
      code: "gateway_unknown",
      message: expect.stringContaining(".bot.id of /applications/@me"),
    });
  });

  it("ends a request that is not answered when it is told to", async () => {
    const stopping = new AbortController();
    server = await serve(() => stopping.abort(new Error("told to stop")));
    const rest = new REST({ api: `${server.url}/api`, version: "10" }).setToken("t");
    const log = createLog({ level: "error", secrets: createSecrets(), write: () => undefined });
    const deps = { log, now: Date.now, random: Math.random, signal: stopping.signal };

    await expect(readApplication(rest, deps)).rejects.toThrow("told to stop");
  });

  it("takes a page in place of an answer for another service", async () => {
    server = await serve((_, response) => void response.end("<html>"));
    const rest = new REST({ api: `${server.url}/api`, version: "10" }).setToken("t");
    const log = createLog({ level: "error", secrets: createSecrets(), write: () => undefined });

    await expect(
      readApplication(rest, { log, now: Date.now, random: Math.random }),
    ).rejects.toMatchObject({ code: "gateway_unknown" });
  });

  it("ends when it is told to", async () => {
    const stopped = AbortSignal.abort(new Error("told to stop"));

    await expect(read([503], answer, stopped)).rejects.toThrow("told to stop");
  });
});

const publicKey = "ab".repeat(32);
const keys = { SECRET_KEYS: `main:${Buffer.alloc(32, 1).toString("base64")}` };
const gateway = readConfig({ DISCORD_TOKEN: "t", ...keys });
const http = readConfig({
  DISCORD_TOKEN: "t",
  ...keys,
  DISCORD_PUBLIC_KEY: publicKey.toUpperCase(),
  PUBLIC_URL: "https://bot.example/green",
});
const endpointUrl = "https://bot.example/green/discord/interactions";
const right = { publicKey, endpointUrl, skewMs: -29_000 };

function refused(facts: Parameters<typeof applicationWarnings>[0]): unknown {
  try {
    return applicationWarnings(facts, http);
  } catch (error) {
    return error;
  }
}

describe("applicationWarnings over HTTP", () => {
  it("finds nothing where everything fits, and where Discord does not tell the time", () => {
    expect(applicationWarnings(right, http)).toEqual([]);
    expect(applicationWarnings({ ...right, skewMs: undefined }, http)).toEqual([]);
  });

  it("refuses another application's key, for good", () => {
    const failure = refused({ ...right, publicKey: "cd".repeat(32) });

    expect(failure).toBeInstanceOf(ConfigError);
    expect(failure).toMatchObject({ code: "public_key_refused", facts: {} });
    expect(`${failure}`).toContain("DISCORD_PUBLIC_KEY");
  });

  it("refuses an application that tells no key", () => {
    expect(refused({ ...right, publicKey: undefined })).toMatchObject({
      code: "public_key_refused",
    });
  });

  it.each([
    [31_000, "31 s ahead of Discord's"],
    [-3_600_000, "3600 s behind Discord's"],
  ])("refuses a clock that is %i ms off, until it is right", (skewMs, expected) => {
    const failure = refused({ ...right, skewMs });

    expect(failure).toMatchObject({
      code: "clock_wrong",
      facts: { mayPass: true },
      message: expect.stringContaining(expected),
    });
  });

  it.each([
    [undefined, "is empty"],
    ["", "is empty"],
    ["https://old.example/x", "is https://old.example/x"],
  ])("warns about the address %j, and says what to set", (other, expected) => {
    const [warning, ...more] = applicationWarnings({ ...right, endpointUrl: other }, http);

    expect(more).toEqual([]);
    expect(warning).toMatchObject({ level: "warn", message: expect.stringContaining(expected) });
    expect(warning?.message).toContain(`set it to ${endpointUrl} at`);
  });
});

describe("applicationWarnings over the gateway", () => {
  it("finds nothing where everything fits", () => {
    expect(applicationWarnings({ ...right, endpointUrl: undefined }, gateway)).toEqual([]);
  });

  it("says that an address at Discord silences the gateway", () => {
    expect(applicationWarnings(right, gateway)).toEqual([
      { level: "error", message: expect.stringContaining("no command to the gateway") },
    ]);
  });

  it("warns about the clock", () => {
    const facts = { ...right, endpointUrl: undefined, skewMs: 45_400 };

    expect(applicationWarnings(facts, gateway)).toEqual([
      { level: "warn", message: expect.stringMatching(/45 s ahead of Discord's\. .*timedatectl/) },
    ]);
  });
});
