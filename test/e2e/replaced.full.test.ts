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
const load = { perSecond: 5, mostWaiting: 10, seed };

const nothingWrong = { unacknowledged: [], silent: [], twice: [], lost: [], doneAnyway: [] };

/**
 * The campaigns of `npm run soak`, as short as possible. How long everything takes, and whether Discord was always
 * answered within its three seconds, is measured there. Two run side by side, because they wait most of the time.
 */
describe.skipIf(findPostgres() === undefined)(
  "processes that share a database",
  { timeout },
  () => {
    describe("that are replaced", () => {
      it.concurrent.each(["http", "gateway"] as const)(
        "replace each other over %s, and nothing is lost or done twice",
        async (transport) => {
          const { commands, exitCodes, ...result } = await replaceProcesses({
            ...load,
            transport,
            replacements: 1,
          });

          expect(result).toMatchObject(nothingWrong);
          expect(exitCodes).toEqual([0]);
          expect(commands).toBeGreaterThan(20);
        },
      );
    });

    describe("of which something dies", () => {
      it.concurrent("are killed, and everybody is told, and no write happens twice", async () => {
        const { commands, ...result } = await killProcesses({
          ...load,
          transport: "http",
          kills: 3,
        });

        expect(result).toMatchObject({ silent: [], twice: [], lost: [], doneAnyway: [] });
        expect(commands).toBeGreaterThan(20);
      });

      it.concurrent("do without their database for a while, and lose nothing", async () => {
        const { commands, repeated, ...result } = await takeDatabaseAway({
          ...load,
          transport: "http",
          awayMs: 3_000,
        });

        expect(result).toMatchObject(nothingWrong);
        expect(repeated).toEqual([]);
        expect(commands).toBeGreaterThan(20);
      });
    });
  },
);
