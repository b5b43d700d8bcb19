import { REST } from "discord.js";
import { afterEach, describe, expect, it } from "vitest";
import { reconcileGuilds } from "../../../src/discord/wire/guilds.ts";
import { createLog, createSecrets } from "../../../src/log.ts";
import { openFor } from "../../database/open.ts";
import { serve, type TestServer } from "../../support/server.ts";

const here = "1".repeat(18);
const gone = "2".repeat(18);
const unsure = "3".repeat(18);
const stuck = "4".repeat(18);

describe("reconcileGuilds", () => {
  let server: TestServer;
  afterEach(() => server.close());

  it("erases only servers that Discord says are gone, and continues after a failure", async () => {
    server = await serve((request, response) => {
      const isGone = [gone, stuck].some((id) => request.url?.includes(id));
      response
        .writeHead(isGone ? 404 : 503, { "content-type": "application/json" })
        .end(JSON.stringify({ code: isGone ? 10004 : 0, message: "no" }));
    });
    const erased: string[] = [];
    const database = await openFor({ url: "sqlite::memory:" });
    for (const guildId of [here, stuck, gone, unsure]) await database.servers.need(guildId);

    const answer = await reconcileGuilds({
      rest: new REST({ api: `${server.url}/api`, version: "10", retries: 0 }).setToken("t"),
      store: {
        database,
        eraseServer: async (guildId) => {
          if (guildId === stuck) throw new Error("the store stopped halfway");
          erased.push(guildId);
        },
      },
      log: createLog({ level: "error", secrets: createSecrets(), write: () => undefined }),
      present: new Set([here]),
      isOurs: () => true,
    });

    expect(answer).toEqual([gone]);
    expect(erased).toEqual([gone]);
  });
});
