import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../../src/database/index.ts";
import { kinds } from "../../support/databases/each-kind.ts";
import type { Kind } from "../../support/databases/kinds.ts";
import { openFarAway } from "../support/database-between.ts";
import {
  ann,
  channelId,
  guildId,
  minute,
  openRig,
  putWatch,
  type Rig,
  settingOf,
  start,
} from "../support/rig.ts";

const second = 1_000;
const elsewhere = `UC${"q".repeat(22)}`;

describe.each(kinds)("on $name", ({ make }) => {
  describe.skipIf(make === undefined)("facts", () => {
    let kind: Kind;
    beforeAll(() => {
      kind = make?.() as Kind; // skipped where there is none
    });
    afterAll(() => kind.stop());

    /** A process with a slow database, while it is storing a hundred new comments. */
    async function takingIn() {
      const { url } = await kind.fresh();
      const rig = await openRig(start, url);
      for (let n = 0; n < 100; n += 1) rig.hold(`Held ${n}`);
      const process = rig.process({ database: await openFarAway(url, rig.clock, 20) });
      const { id } = await until(rig, putWatch(process.server, settingOf(rig.video)));
      while ((await rig.items()).length < 10) await rig.clock.pass(10);
      return { rig, process, watchId: id };
    }
    describe("a watch that is stopped while comments are taken in", () => {
      it("leaves nothing behind", async () => {
        const { rig, process, watchId } = await takingIn();
        await until(rig, process.server.watches.remove(watchId));
        await rig.clock.pass(2 * minute);

        const { authors: _, ...rest } = await leftovers(rig);
        expect(rest).toEqual({});
        expect(rig.discord.messages).toEqual([]);
      });

      it("leaves nothing behind where another process stopped it", async () => {
        const { rig, watchId } = await takingIn();
        const other = rig.process();
        await until(rig, other.server.watches.remove(watchId));
        const posted = rig.discord.messages.length;
        await rig.clock.pass(65 * minute);

        const { authors: _, ...rest } = await leftovers(rig);
        expect(rest).toEqual({});
        expect(rig.discord.messages).toHaveLength(posted);
      });

      it("brings nothing of the former channel into the queue of the next one", async () => {
        const { rig, process } = await takingIn();
        const setting = settingOf(rig.video, { source: elsewhere, channelId });
        await until(rig, putWatch(process.server, setting));
        await rig.clock.pass(2 * minute);

        expect(await rig.items()).toEqual([]);
      });
    });

    describe("a server that is erased while comments are taken in", () => {
      it("leaves nothing behind", async () => {
        const { rig, process } = await takingIn();
        process.moderation.forget(guildId);
        await until(rig, erase(rig));
        await rig.clock.pass(5 * minute);

        expect(await leftovers(rig)).toEqual({});
        expect(rig.discord.messages).toEqual([]);
      });

      it("leaves nothing behind where another process erases it", async () => {
        const { rig } = await takingIn();
        await until(rig, erase(rig));
        await rig.clock.pass(5 * minute);

        expect(await leftovers(rig)).toEqual({});
      });

      it("is taken in anew once it is set up again", async () => {
        const { rig, process } = await takingIn();
        process.moderation.forget(guildId);
        await until(rig, erase(rig));

        await until(rig, putWatch(process.moderation.of(guildId), settingOf(rig.video)));
        await rig.clock.pass(minute);

        expect(await rig.items()).toHaveLength(100);
      });
    });

    describe("a watch whose channel is changed", () => {
      it("sends what is decided then as the new channel", async () => {
        const rig = await openRig();
        const sources: string[] = [];
        const process = rig.process({
          video: async (_, source) => {
            sources.push(source);
            throw new Error("no wire");
          },
        });
        const former = await process.watch({ source: elsewhere });
        await process.server.queue.decide({
          items: [{ watchId: former.id, itemId: "a".repeat(32) }],
          kind: "approve",
          by: ann,
          from: "card",
        });
        const watch = await process.watch();
        sources.length = 0;
        await process.server.queue.decide({
          items: [await oneOf(rig, watch.id)],
          kind: "approve",
          by: ann,
          from: "card",
        });
        await rig.clock.pass(20 * second);

        expect(new Set(sources)).toEqual(new Set([rig.video.ownChannelId]));
      });
    });
  });
});

/** How many rows each table has; empty tables are left out. */
async function leftovers({ database: { db } }: Rig) {
  const tables = ["watches", "held_comments", "digests", "authors", "audit_log", "jobs"] as const;
  const all = await Promise.all(
    tables.map(async (name) => {
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from ${sql.table(name)}`.execute(db);
      return [name, rows[0]?.count] as const;
    }),
  );
  return Object.fromEntries(all.filter(([, count]) => count !== 0));
}

async function erase({ database: { servers } }: Rig): Promise<void> {
  const serverId = await servers.find(guildId);
  if (serverId !== undefined) await servers.remove({ table: "servers", serverId });
}

async function until<T>(rig: Rig, work: Promise<T>): Promise<T> {
  let isOver = false;
  void work.finally(() => {
    isOver = true;
  });
  while (!isOver) await rig.clock.pass(100);
  return work;
}

async function oneOf(rig: Rig, watchId: string) {
  const id = "b".repeat(32);
  const held = {
    id,
    watchId,
    source: rig.video.ownChannelId,
    seenAt: 0,
    readAt: 0,
    status: "open" as const,
    revision: 1,
    comment: {
      id: "Ugy",
      text: "First",
      likes: 0,
      publishedAt: 0,
      updatedAt: 0,
      state: "heldForReview" as const,
    },
    card: { state: "posted" as const, handle: "h".repeat(22), since: 0 },
  };
  await rig.records.comments.addAll(guildId, [held]);
  return { watchId, itemId: id };
}
