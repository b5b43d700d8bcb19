import { REST } from "discord.js";
import { afterEach, describe, expect, it } from "vitest";
import { readApplication } from "../../../src/discord/wire/application.ts";
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

  /** Answers with one status after the other; the last one stays. */
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
