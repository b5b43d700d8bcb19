import { afterAll, expect, it } from "vitest";
import { createCreditNotices } from "../../src/bot/credit-notices.ts";
import type { Notification } from "../../src/channel-messages.ts";
import type { Job, JobHandler, NewJob } from "../../src/jobs/index.ts";
import { openStore } from "../../src/store/index.ts";
import { guild } from "../database/open.ts";
import { onEach } from "../support/databases/each-kind.ts";

/** Noon in Los Angeles. */
const noon = Date.parse("2026-07-15T19:00:00Z");
const dayMs = 24 * 3_600_000;
const keys = [{ id: "k1", key: new Uint8Array(32).fill(1) }];

onEach((kind) => {
  const closing: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const close of closing) await close();
    await kind().stop();
  });

  async function stage({ processes = 1 } = {}) {
    const place = await kind().fresh();
    const account = { spent: 0, left: 0 };
    const notified: Notification[] = [];
    const put: NewJob[] = [];
    const clock = { now: noon };
    const opened = [];
    for (let at = 0; at < processes; at++) {
      const store = await openStore({ url: place.url, keys, now: () => clock.now });
      closing.push(() => store.close());
      let work: JobHandler | undefined;
      const notices = createCreditNotices({
        store,
        log: { warn: () => undefined },
        notify: async (one) => void notified.push(one),
        jobs: {
          handle: (_, __, handler) => {
            work = handler;
          },
          put: async (job) => void put.push(job),
        },
        clients: {
          creditsSpent: async () => [
            { day: "", userId: "", command: "", credits: account.spent, pictures: 1 },
          ],
          background: () =>
            ({ account: async () => ({ credits: { total: account.left } }) }) as never,
        },
      });
      opened.push({
        store,
        notices,
        run: (data: "limits" | null) =>
          work?.({ guildId: guild, data, signal: new AbortController().signal } as Job),
      });
    }
    const [first] = opened;
    if (first === undefined) throw new TypeError("no process");
    const secret = { kind: "background-key", secret: "the-key", addedBy: "1", addedAt: noon };
    await first.store.credentials.write(guild, secret as never);
    return { ...first, place, opened, account, notified, put, clock };
  }

  it("asks once for all that is spent within some seconds", async () => {
    const { notices, put } = await stage();

    await notices.spent(guild);

    expect(put).toEqual([{ queue: "credits", key: guild, guildId: guild, dueAt: noon + 15_000 }]);
  });

  it.each([
    [5, 5, true],
    [5, 5.25, false],
    [0.75, 0, false],
    [3, 0, true],
  ])("with %s spent and %s left warns: %s", async (spent, left, warns) => {
    const { run, account, notified } = await stage();
    Object.assign(account, { spent, left });

    await run(null);

    expect(notified.map(({ name }) => name)).toEqual(warns ? ["credits-half"] : []);
  });

  it("warns once a day, whichever process sees it", async () => {
    const { opened, account, notified, clock } = await stage({
      processes: kind().dialect === "postgres" ? 2 : 1,
    });
    Object.assign(account, { spent: 8, left: 2 });
    const all = () => Promise.all(opened.flatMap(({ run }) => [run(null), run(null)]));

    await all();
    await all();
    const today = notified.length;
    clock.now += dayMs;
    await all();

    expect(today).toBe(1);
    expect(notified.map(({ facts }) => facts)).toEqual([
      { guildId: guild, day: "2026-07-15", spent: 8, left: 2 },
      { guildId: guild, day: "2026-07-16", spent: 8, left: 2 },
    ]);
  });

  it("tells what the limits are, unless all of them were chosen", async () => {
    const { run, store, notified } = await stage();
    const choose = (ranks: object) =>
      store.settings.update(guild, (stored) => ({ ...stored, budgets: { ranks } }));
    await choose({ manager: { credits: 7 } });

    await run("limits");
    await choose({ member: { credits: 1 }, moderator: { credits: 2 }, manager: { credits: 3 } });
    await run("limits");

    expect(notified).toEqual([
      {
        name: "credits-limits",
        facts: { guildId: guild, limits: { member: 3, moderator: 10, manager: 7 } },
      },
    ]);
  });

  it("is told by the migration to servers that have a key, and to no others", async () => {
    const { place, store } = await stage();
    await store.settings.update("555555555555555555", (stored) => ({ ...stored, region: "DE" }));
    await store.close();
    await place.query("alter table interactions drop column is_answered");
    await place.query("drop table quota_channels");
    await place.query("drop index announcements_looks");
    for (const table of ["rule_lists", "rule_list_contents", "rule_shares"]) {
      await place.query(`drop table ${table}`);
    }
    await place.query("delete from kysely_migration where name >= '0005'");

    const again = await openStore({ url: place.url, keys });
    closing.push(() => again.close());

    const { db } = again.database;
    const jobs = await db.selectFrom("jobs").select(["queue", "key", "data"]).execute();
    expect(jobs).toEqual([{ queue: "credits", key: `limits:${guild}`, data: '"limits"' }]);
  });
});
