import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Database } from "../../src/database/index.ts";
import { temporaryFolder } from "../store/setup.ts";
import { seed, seeded } from "../support/random.ts";
import { guild, openFor } from "./open.ts";

const others = ["333333333333333333", "444444444444444444", "555555555555555555"];
const word = "canary-of-what-was-written";
const stays = "what-others-wrote-and-keep";

/** Makes and changes comments and log entries of several servers at random, as would happen over a year. */
async function live({ db, servers, transaction }: Database, random: () => number, steps: number) {
  const some: { readonly server_id: number; readonly id: string; readonly word: string }[] = [];
  const data = (of: string) =>
    JSON.stringify({ text: of.repeat(1 + Math.floor(random() * random() * 60)) });
  const ids = new Map<string, number>();
  for (const guildId of [others[0] ?? "", guild, ...others.slice(1)]) {
    const server_id = await servers.need(guildId);
    ids.set(guildId, server_id);
    const watch = { server_id, id: "w0", source: "UC-a", is_paused: 0, pace_ms: 1, poll_units: 1 };
    await db
      .insertInto("watches")
      .values({ ...watch, added_at: 0, data: "{}" })
      .execute();
  }
  const step = async (n: number) => {
    const all = [...ids];
    const [guildId, server_id] = all[Math.floor(random() * all.length)] ?? ["", 0];
    const one = {
      server_id,
      id: random().toString(36).slice(2),
      word: guildId === guild ? word : stays,
    };
    some.push(one);
    await db
      .insertInto("held_comments")
      .values({
        server_id,
        id: one.id,
        watch_id: "w0",
        source: "UC-a",
        status: "open",
        listed_as: "heldForReview",
        published_at: n,
        due_at: null,
        digest_id: null,
        card_state: "posted",
        needs_drawing: 0,
        likeness: one.id,
        read_at: n,
        ended_at: null,
        has_text: 1,
        data: data(one.word),
      })
      .execute();
    const changed = some[Math.floor(Math.max(0, some.length - 1 - random() * 500))] ?? one;
    await db
      .updateTable("held_comments")
      .set({ status: "decided", ended_at: n, data: data(changed.word) })
      .where("server_id", "=", changed.server_id)
      .where("id", "=", changed.id)
      .execute();
    await db
      .insertInto("audit_log")
      .values({
        server_id: changed.server_id,
        id: `${1e6 + n}`,
        at: n,
        act: "approved",
        actor_id: "1",
        comment_id: changed.id,
        author_id: "UC-x",
        author_name: changed.word,
        has_text: 1,
        data: data(changed.word),
      })
      .execute();
  };
  for (let n = 0; n < steps; n += 100) {
    await transaction(async () => {
      for (let m = n; m < n + 100; m += 1) await step(m);
    });
  }
}

it("leaves next to nothing that was written about an erased server in the file or its log", async () => {
  const path = join(temporaryFolder(), "a.sqlite");
  const database = await openFor({ url: `sqlite:${path}` });
  const count = (text: string) =>
    ["", "-wal"].reduce(
      (sum, end) => sum + readFileSync(path + end, "latin1").split(text).length - 1,
      0,
    );
  await live(database, seeded(seed), 4_000);
  // Otherwise the write-ahead log would hold some texts several times.
  await database.wipe();
  const written = count(word);
  expect(written).toBeGreaterThan(1_000);
  const stayed = count(stays);

  const serverId = (await database.servers.find(guild)) ?? 0;
  await database.servers.remove({ table: "servers", serverId });

  // Pages at the edge of the erased rows are shared with other servers' rows, and SQLite leaves copies in their unused
  // parts: sometimes one or two rows of up to 60 words. How many depends on the size of the slices, which depends on
  // the machine's speed.
  expect(count(word)).toBeLessThan(written / 200);
  expect(count(stays)).toBeGreaterThan(stayed * 0.3);
});
