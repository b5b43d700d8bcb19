import { describe, expect, it } from "vitest";
import { type BilledTo, projectOfClient } from "../../src/budget/index.ts";
import { LimitError } from "../../src/errors.ts";
import { describeEach, guildId, otherGuildId, sharing } from "./rig.ts";

const project = projectOfClient("client");
const billed = (guild: string, limits = sharing(guild)): BilledTo => ({
  ...{ guildId: guild, userId: "3".repeat(18), command: "playlists create", limits },
});
const write = { method: "playlists.insert", bucket: "units", cost: 50 } as const;
const decisions = { cost: 50, limit: 3_000 } as const;

describeEach((openRig) => {
  describe("two processes", () => {
    it("never spend more of a project than there is, however many calls come at once", async () => {
      const rig = await openRig();
      const processes = [await rig.open(), await rig.open()];
      let booked = 0;
      const book = async (n: number) => {
        const guild = n % 4 < 2 ? guildId : otherGuildId;
        const account = processes[n % 2]?.account(project, billed(guild));
        try {
          await account?.book(write);
          booked += 50;
        } catch (error) {
          if (!(error instanceof LimitError)) throw error;
        }
      };
      // A process notices within ten seconds that another one has met a new server.
      for (const n of [0, 1, 2, 3]) await book(n);
      await rig.clock.pass(11_000);
      await Promise.all(Array.from({ length: 400 }, (_, n) => book(n)));
      const [row] = await rig.place.query("select used from quota where bucket = 'units'");

      expect(rig.failures).toEqual([]);
      expect(Number(row?.used)).toBe(booked);
      // Each of the two servers has 2,500 of its own and borrows at most 2,500; a fifth is for moderation.
      expect(booked).toBeLessThanOrEqual(8_000);
      expect(booked).toBeGreaterThanOrEqual(7_900);
    });

    it("never spend more of one server's ceiling than it is", async () => {
      const rig = await openRig();
      const processes = [await rig.open(), await rig.open()];
      const limits = { ...sharing(guildId), guild: { units: 1_000 } };
      const attempts = Array.from({ length: 100 }, (_, n) =>
        processes[n % 2]?.account(project, billed(guildId, limits)).book(write),
      );
      const done = await Promise.allSettled(attempts);

      expect(done.filter(({ status }) => status === "fulfilled")).toHaveLength(20);
    });

    it("take one server's units for decisions together, also after a restart", async () => {
      const rig = await openRig();
      const processes = [await rig.open(), await rig.open()];
      const taken = await Promise.all(
        Array.from({ length: 100 }, (_, n) =>
          processes[n % 2]?.account(project, billed(guildId)).takeForDecisions(decisions),
        ),
      );
      const restarted = await rig.open();

      expect(taken.filter(Boolean)).toHaveLength(60);
      const late = restarted.account(project, billed(guildId));
      expect(await late.takeForDecisions(decisions)).toBe(false);
      const other = restarted.account(project, billed(otherGuildId));
      expect(await other.takeForDecisions(decisions)).toBe(true);
    });

    it("take units for decisions again on the next day", async () => {
      const rig = await openRig();
      const account = (await rig.open()).account(project, billed(guildId));
      await account.takeForDecisions({ cost: 3_000, limit: 3_000 });
      rig.clock.time += 24 * 3_600_000;

      expect(await account.takeForDecisions(decisions)).toBe(true);
    });
  });
});
