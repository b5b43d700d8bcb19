import { afterAll, expect, it } from "vitest";
import { createRetention } from "../../src/bot/retention.ts";
import type { Job, JobHandler } from "../../src/jobs/index.ts";
import { openStore } from "../../src/store/index.ts";
import { fillServer } from "../database/fill.ts";
import { guild, otherGuild, rowsOf } from "../database/open.ts";
import { onEach } from "../support/databases/each-kind.ts";

const day = 24 * 3_600_000;
/** The date that `fillServer` gives its rows. */
const filledAt = Date.UTC(2026, 0, 2);

onEach((kind) => {
  const closing: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const close of closing) await close();
    await kind().stop();
  });

  async function stage() {
    const place = await kind().fresh();
    let now = filledAt;
    const store = await openStore({
      url: place.url,
      keys: [{ id: "k1", key: new Uint8Array(32).fill(1) }],
      now: () => now,
    });
    closing.push(() => store.close());
    let work: JobHandler | undefined;
    const logged: unknown[] = [];
    createRetention({
      store,
      log: { info: (...line) => void logged.push(line), warn: () => undefined },
      discord: Promise.resolve({ reconcile: async () => undefined }),
      jobs: {
        handle: (queue, _, handler) => {
          if (queue === "retention") work = handler;
        },
        put: async () => undefined,
      },
    });
    const { db } = store.database;
    const comments = () =>
      db.selectFrom("held_comments").select(["id", "data", "has_text"]).orderBy("id").execute();
    return {
      place,
      store,
      logged,
      db,
      comments,
      run: () => work?.({} as Job),
      wait: (ms: number) => {
        now += ms;
      },
    };
  }

  const comment = (id: string) => ({
    id,
    video: { title: "A video" },
    parent: { text: "Before" },
    advice: { ruleId: "r", found: "Hello" },
    hiddenOn: { source: "UC-y", name: "Our channel" },
    comment: { id, text: "Hello", authorName: "Ada", authorAvatar: "https://a", authorId: "UC-x" },
  });

  it("forgets texts and names that nobody read again for 30 days, a day early", async () => {
    const { store, db, run, wait, comments, logged } = await stage();
    await fillServer(store.database, guild, { rows: 250 });
    await db
      .updateTable("held_comments")
      .set({ data: JSON.stringify(comment("c")) })
      .execute();
    const entry = { id: "e", commentId: "c", authorId: "UC-x", text: "Hello", authorName: "Ada" };
    await db
      .updateTable("audit_log")
      .set({ data: JSON.stringify(entry) })
      .execute();

    wait(28.9 * day);
    await run();
    expect((await comments()).every(({ has_text }) => has_text === 1)).toBe(true);
    await db
      .updateTable("held_comments")
      .set({ read_at: filledAt + 28 * day })
      .where("id", "=", "i000001")
      .execute();
    wait(0.2 * day);
    expect(await run()).toBe(filledAt + 30.1 * day);

    const [first, second, ...more] = await comments();
    const forgotten = {
      id: "c",
      comment: { id: "c", authorId: "UC-x", text: "" },
      advice: { ruleId: "r" },
      hiddenOn: { source: "UC-y" },
    };
    expect([first, ...more].map(({ data = "" } = {} as never) => JSON.parse(data))).toEqual(
      Array(249).fill(forgotten),
    );
    expect(JSON.parse(second?.data ?? "")).toEqual(comment("c"));
    const entries = await db.selectFrom("audit_log").select(["data", "author_name"]).execute();
    expect(entries).toHaveLength(250);
    expect(new Set(entries.map(({ data }) => data))).toEqual(
      new Set([JSON.stringify({ id: "e", commentId: "c", authorId: "UC-x" })]),
    );
    expect(new Set(entries.map(({ author_name }) => author_name))).toEqual(new Set([null]));
    const lines = logged.length;
    await run();
    expect(logged).toHaveLength(lines);
  });

  it("forgets the title of what was changed like a comment's text, and keeps the rest", async () => {
    const { store, db, run, wait } = await stage();
    await fillServer(store.database, guild, { rows: 1 });
    const entry = { act: "videos.delete", videoId: "v", playlistId: "PL", text: "A title" };
    await db
      .updateTable("audit_log")
      .set({ act: entry.act, data: JSON.stringify(entry) })
      .execute();
    const kept = async () =>
      (await db.selectFrom("audit_log").select("data").execute()).map(({ data }) =>
        JSON.parse(data),
      );

    wait(28.9 * day);
    await run();
    const before = await kept();
    wait(0.2 * day);
    await run();
    const { text: _, ...rest } = entry;
    const after = await kept();
    wait(336 * day);
    await run();

    expect([before, after]).toEqual([[entry], [rest]]);
    expect(await kept()).toEqual([]);
  });

  it("forgets comments 30 days after their end, and those that are held after 61", async () => {
    const { store, db, run, wait, comments } = await stage();
    await fillServer(store.database, guild, { rows: 4 });
    const end = (id: string, status: string, endedAt: number) =>
      db
        .updateTable("held_comments")
        .set({ status, ended_at: endedAt })
        .where("id", "=", id)
        .execute();
    await end("i000000", "approved", filledAt);
    await end("i000001", "held", filledAt);
    await end("i000002", "gone", filledAt + 5 * day);
    const ids = async () => (await comments()).map(({ id }) => id);

    wait(30.1 * day);
    await run();
    expect(await ids()).toEqual(["i000001", "i000002", "i000003"]);
    wait(31 * day);
    await run();
    expect(await ids()).toEqual(["i000003"]);
    wait(310 * day);
    await run();

    expect(await ids()).toEqual([]);
  });

  it("forgets digests without comments, but for those that are an hour old", async () => {
    const { place, store, db, run, wait } = await stage();
    await fillServer(store.database, guild, { rows: 1 });
    await fillServer(store.database, otherGuild, { rows: 1 });
    const serverId = (await store.database.servers.find(guild)) ?? 0;
    await db
      .updateTable("held_comments")
      .set({ digest_id: "d0" })
      .where("server_id", "=", serverId)
      .execute();

    wait(day / 24);
    await run();
    expect(await rowsOf(place, "digests")).toBe(2);
    wait(1);
    await run();

    const rows = await db.selectFrom("digests").select("server_id").execute();
    expect(rows).toEqual([{ server_id: serverId }]);
  });

  it("forgets the log and authors after a year, and what was spent after 40 days", async () => {
    const { place, store, db, run, wait } = await stage();
    await fillServer(store.database, guild, { rows: 450 });
    await db
      .insertInto("quota")
      .values({ project: "p", day: "2026-01-02", bucket: "units", used: 1, lent: 0, is_empty: 0 })
      .execute();
    const counts = async (...tables: readonly string[]) =>
      Promise.all(tables.map((table) => rowsOf(place, table)));

    wait(40 * day);
    await run();
    expect(await counts("spending", "quota")).toEqual([450, 1]);
    wait(day);
    await run();
    expect(await counts("spending", "quota", "audit_log", "authors")).toEqual([0, 0, 450, 450]);
    wait(324.1 * day);
    await run();

    expect(await counts("audit_log", "authors")).toEqual([0, 0]);
  });

  it("forgets what has expired, and what a linked channel is called", async () => {
    const { place, store, run, wait } = await stage();
    const channel = { kind: "channel", secret: "1//a", addedBy: "1", addedAt: filledAt } as const;
    await store.credentials.write(guild, { ...channel, channelId: "UC-a", channelTitle: "Ours" });
    await store.continuations.put({ guildId: guild, userId: "1", state: 0 }, day);
    const before = await rowsOf(place, "keyv");

    wait(29.1 * day);
    await run();

    expect(await rowsOf(place, "keyv")).toBe(before - 1);
    expect(await rowsOf(place, "continuations")).toBe(0);
    expect(await store.credentials.read(guild, "channel")).not.toHaveProperty("value.channelTitle");
  });
});
