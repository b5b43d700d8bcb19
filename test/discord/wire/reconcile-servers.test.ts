import { REST } from "@discordjs/rest";
import { afterEach, describe, expect, it } from "vitest";
import { reconcileServers } from "../../../src/discord/wire/reconcile-servers.ts";
import { createLog, createSecrets } from "../../../src/log.ts";
import { openFor } from "../../database/open.ts";
import { serve, type TestServer } from "../../support/server.ts";

const id = (number: number) => String(10n ** 17n + BigInt(number));
const here = id(1);
const gone = id(2_000);
const unsure = id(3_000);
const stuck = id(4_000);
/** More than two pages. */
const listed = [here, ...Array.from({ length: 450 }, (_, index) => id(index + 2))];

describe("reconcileServers", () => {
  let server: TestServer;
  let asked: string[];
  afterEach(() => server.close());

  async function platformWith(guildIds: readonly string[]): Promise<void> {
    asked = [];
    server = await serve((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? "", "http://x");
      asked.push(`${pathname.replace("/api/v10", "")}?${searchParams}`);
      const answer = (status: number, body: unknown) =>
        response
          .writeHead(status, { "content-type": "application/json" })
          .end(JSON.stringify(body));
      if (pathname.endsWith("/users/@me/guilds")) {
        const after = BigInt(searchParams.get("after") ?? 0);
        const page = guildIds.filter((guildId) => BigInt(guildId) > after);
        return answer(
          200,
          page.slice(0, 200).map((guildId) => ({ id: guildId })),
        );
      }
      const isGone = [gone, stuck].some((guildId) => pathname.endsWith(guildId));
      return isGone
        ? answer(404, { code: 10004, message: "no" })
        : answer(503, { code: 0, message: "no" });
    });
  }

  async function reconcile(
    stored: readonly string[],
    signal: AbortSignal = new AbortController().signal,
  ) {
    const erased: string[] = [];
    const waits: number[] = [];
    const database = await openFor({ url: "sqlite::memory:" });
    for (const guildId of stored) await database.servers.need(guildId);
    const answer = reconcileServers({
      rest: new REST({ api: `${server.url}/api`, version: "10", retries: 0 }).setToken("t"),
      store: {
        database,
        eraseServer: async (guildId) => {
          if (guildId === stuck) throw new Error("the store stopped halfway");
          erased.push(guildId);
        },
      },
      log: createLog({ level: "error", secrets: createSecrets(), write: () => undefined }),
      wait: async (ms) => void waits.push(ms),
      signal,
    });
    return { answer, erased, waits };
  }

  it("erases only servers that Discord says are gone, and continues after a failure", async () => {
    await platformWith(listed);

    const { answer, erased } = await reconcile([here, stuck, gone, unsure]);

    expect(await answer).toEqual([gone]);
    expect(erased).toEqual([gone]);
    expect(asked.filter((path) => path.includes(here))).toEqual([]);
  });

  it("reads the whole list in pages, at most five requests a second", async () => {
    await platformWith(listed);

    const { answer, waits } = await reconcile([here, gone]);
    await answer;

    expect(asked).toEqual([
      "/users/@me/guilds?limit=200&after=0",
      `/users/@me/guilds?limit=200&after=${listed[199]}`,
      `/users/@me/guilds?limit=200&after=${listed[399]}`,
      `/guilds/${gone}?`,
    ]);
    expect(waits).toEqual([200, 200, 200]);
  });

  it("asks nothing while nothing is stored", async () => {
    await platformWith([]);

    expect(await (await reconcile([])).answer).toEqual([]);
    expect(asked).toEqual([]);
  });

  it("erases nothing where the list cannot be read", async () => {
    server = await serve((_, response) => void response.writeHead(503).end());

    const { answer, erased } = await reconcile([here, gone]);

    await expect(answer).rejects.toMatchObject({ status: 503 });
    expect(erased).toEqual([]);
  });

  it("stops between two requests", async () => {
    await platformWith(listed);
    const stopped = AbortSignal.abort(new Error("stopped"));

    const { answer, erased } = await reconcile([here, gone], stopped);

    await expect(answer).rejects.toThrow();
    expect(erased).toEqual([]);
  });
});
