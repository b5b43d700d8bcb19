import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDatabase } from "../../src/database/index.ts";
import type { DatabaseServer } from "../support/databases/child.ts";
import { findPostgres, startPostgres } from "../support/databases/postgres-server.ts";
import { fillServer } from "./fill.ts";
import { guild, openFor, otherGuild } from "./open.ts";

describe.skipIf(findPostgres() === undefined)("a PostgreSQL server that goes away", () => {
  let server: DatabaseServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  it.each([
    ["stops answering", async () => server.pause(), async () => server.goOn()],
    ["dies", () => server.kill(), () => server.start()],
  ])(
    "fails calls that come while it %s, and serves the next ones by itself",
    async (_, end, begin) => {
      const database = await openFor({ url: server.url });
      const guildId = String(BigInt(otherGuild) + BigInt(Math.floor(performance.now())));
      await fillServer(database, guildId, { rows: 1 });
      const inside = Promise.withResolvers<void>();
      const goOn = Promise.withResolvers<void>();
      const halfway = database.transaction(async () => {
        await database.db.deleteFrom("rule_books").execute();
        inside.resolve();
        await goOn.promise;
        await database.db.deleteFrom("held_comments").execute();
      });
      halfway.catch(() => undefined);
      await inside.promise;

      await end();
      goOn.resolve();
      const failures = await Promise.allSettled([
        halfway,
        database.ping(),
        database.servers.find(guildId),
        database.servers.runFor(guild, async () => database.servers.need(guild)),
      ]);
      await begin();

      for (const one of failures) {
        expect(one).toMatchObject({ reason: { code: "store_unavailable" } });
      }
      await expect.poll(() => database.ping()).toBeUndefined();
      const serverId = (await database.servers.find(guildId)) ?? 0;
      const books = database.db.selectFrom("rule_books").where("server_id", "=", serverId);
      expect(await books.selectAll().execute()).toHaveLength(1);
    },
  );

  it("refuses a start in words while it is away", async () => {
    await server.kill();

    const failing = openDatabase({ url: server.url.replace("greenroom@", "greenroom:secret@") });

    await expect(failing).rejects.toMatchObject({
      code: "store_server",
      message: expect.stringMatching(/127\.0\.0\.1:\d+ can't be used/),
      hint: expect.stringContaining("Check that PostgreSQL runs"),
      facts: { mayPass: true },
    });
    await failing.catch((error) => expect(String(error.stack)).not.toContain("secret"));
    await server.start();
  });
});
