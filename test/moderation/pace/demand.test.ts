import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { openDatabase } from "../../../src/database/index.ts";
import type { Watch, WatchProgress } from "../../../src/moderation/index.ts";
import { createDemandReader } from "../../../src/moderation/pace/demand.ts";
import { dailyUnitsFor } from "../../../src/moderation/pace/shares.ts";
import { createModerationRecords } from "../../../src/moderation/records/index.ts";
import { kinds } from "../../support/databases/each-kind.ts";
import type { Kind } from "../../support/databases/kinds.ts";
import { noJobs } from "../support/rig.ts";

const guilds = ["1".repeat(18), "2".repeat(18)] as const;
const hour = 3_600_000;

describe.each(kinds)("what watches poll for, on $name", ({ make }) => {
  describe.skipIf(make === undefined)("facts", () => {
    let kind: Kind;
    beforeAll(() => {
      kind = make?.() as Kind; // skipped where there is none
    });
    afterAll(() => kind.stop());

    async function opened() {
      const { url } = await kind.fresh();
      let time = 0;
      const now = () => time;
      const database = await openDatabase({ url, now });
      onTestFinished(database.close);
      const { watches } = createModerationRecords(database, noJobs);
      return {
        demand: createDemandReader(watches, { now }),
        put: async (
          id: string,
          change: Partial<Watch> & { readonly guildId?: string } = {},
          troubles: WatchProgress["troubles"] = {},
        ) => {
          const { guildId = guilds[0], ...setting } = change;
          const watch: Watch = {
            id,
            channelId: "2".repeat(18),
            source: "UC",
            states: ["heldForReview"],
            paceMs: 60_000,
            digestFrom: 5,
            addedBy: "3".repeat(18),
            addedAt: 0,
            ...setting,
          };
          await watches.change(guildId, id, () => watch);
          await watches.changeProgress(guildId, id, (before) => ({ ...before, troubles }));
        },
        at: (ms: number) => {
          time = ms;
        },
      };
    }

    it("counts those that poll, by what they want, and the channels that they watch", async () => {
      const { demand, put } = await opened();
      await put("a1");
      await put("a2", { guildId: guilds[1], source: "UC-2" });
      await put("a3", { states: ["heldForReview", "likelySpam"], paceMs: 30_000 });
      await put("a4", { paused: { at: 0, by: "3".repeat(18) } });

      const all = await demand.ofAll();
      const own = await demand.ofGuild(guilds[1]);

      expect(all.watches.toSorted((a, b) => a.dailyUnits - b.dailyUnits)).toEqual([
        { dailyUnits: dailyUnitsFor(60_000, 1), count: 2 },
        { dailyUnits: dailyUnitsFor(30_000, 2), count: 1 },
      ]);
      expect(all.channels).toBe(2);
      expect(own).toEqual({
        watches: [{ dailyUnits: dailyUnitsFor(60_000, 1), count: 1 }],
        channels: 1,
      });
    });

    it("leaves out who has not been able to poll for half an hour", async () => {
      const { demand, put, at } = await opened();
      at(1);
      await put("a1");
      await put("a2", {}, { link_broken: { since: 1, isTold: true } });
      await put("a3", {}, { service_failing: { since: 1, isTold: true } });
      const atFirst = await demand.ofAll();

      at(hour);

      const counts = [atFirst, await demand.ofAll()].map(({ watches }) => watches[0]?.count);
      expect(counts).toEqual([3, 2]);
    });

    it("is read anew after a minute, or when a watch was changed", async () => {
      const { demand, put, at } = await opened();
      const counts: number[] = [];
      const count = async () => counts.push((await demand.ofAll()).watches[0]?.count ?? 0);

      await count();
      await put("a1");
      await count();
      demand.renew();
      await count();
      await put("a2");
      at(61_000);
      await count();

      expect(counts).toEqual([0, 0, 1, 2]);
    });
  });
});
