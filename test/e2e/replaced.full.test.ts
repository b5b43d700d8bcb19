import { describe, expect, it } from "vitest";
import { findPostgres } from "../support/databases/postgres-server.ts";
import {
  killProcesses,
  replaceProcesses,
  takeDatabaseAway,
} from "../support/processes/campaigns.ts";
import { seed } from "../support/random.ts";

/** Each campaign starts many processes, which takes a slow machine several times as long. */
const timeout = 600_000;

/** The campaigns of `npm run soak`, as short as they can be. How long everything takes is measured there. */
describe.skipIf(findPostgres() === undefined)(
  "processes that share a database",
  { timeout },
  () => {
    it.each(["http", "gateway"] as const)(
      "replace each other over %s, and nothing is lost, doubled or left without an answer",
      async (transport) => {
        const { commands, ...result } = await replaceProcesses({
          ...{ transport, perSecond: 5, seed, replacements: 2 },
        });

        expect(result).toMatchObject({ unacknowledged: [], silent: [], twice: [], lost: [] });
        expect(result.stuck).toEqual([]);
        expect(commands).toBeGreaterThan(20);
      },
    );

    it("are killed, and everybody is told, and no write happens twice", async () => {
      const { commands, ...result } = await killProcesses({
        ...{ transport: "http", perSecond: 5, seed, kills: 3 },
      });

      expect(result).toMatchObject({ silent: [], twice: [], lost: [] });
      expect(commands).toBeGreaterThan(20);
    });

    it("do without their database for a while, and lose nothing", async () => {
      const { commands, ...result } = await takeDatabaseAway({
        ...{ transport: "http", perSecond: 5, seed, awayMs: 3_000 },
      });

      expect(result).toMatchObject({ unacknowledged: [], silent: [], twice: [], lost: [] });
      expect(result.repeated).toEqual([]);
      expect(commands).toBeGreaterThan(20);
    });
  },
);
