import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { kinds } from "../../support/databases/each-kind.ts";
import type { Kind } from "../../support/databases/kinds.ts";
import { seed } from "../../support/random.ts";
import { type CampaignOptions, runCampaign } from "./run-campaign.ts";

const nothingWrong = { lost: [], twice: [], wrong: [] };

/** `npm run soak` does this with 2,000 comments and 300 kills, on both databases. */
const size = { comments: 150, kills: 25 };

describe.each(kinds)("the comments' queue on $name", ({ name, make }) => {
  describe.skipIf(make === undefined)("facts", () => {
    let kind: Kind;
    beforeAll(() => {
      kind = make?.() as Kind; // skipped where there is none
    });
    afterAll(() => kind.stop());

    async function held(options: Omit<CampaignOptions, "seed" | "databaseUrl">) {
      const databaseUrl = name === "SQLite" ? undefined : (await kind.fresh()).url;
      const result = await runCampaign({ ...options, seed, databaseUrl });
      const { kills, killedAtWork, decisions, hours, polls } = result;
      console.info("campaign", { name, seed, kills, killedAtWork, decisions, hours, polls });
      return result;
    }

    it("loses no comment and shows none twice, whenever its process is killed", async () => {
      const result = await held({
        ...size,
        faults: 0.05,
        decided: 0.5,
        // About as many comments come as single cards as in digests.
        watch: () => ({ digestFrom: 6 }),
      });

      expect(result, `seed ${seed}`).toMatchObject(nothingWrong);
      expect(result.kills).toBe(size.kills);
      expect(result.killedAtWork).toBeGreaterThan(size.kills / 4);
      expect(result.decisions).toBeGreaterThan(size.comments / 2);
    }, 600_000);

    it("does so in a forum, where Discord itself makes two posts of two requests", async () => {
      const result = await held({
        comments: 40,
        kills: 12,
        faults: 0.05,
        decided: 0.2,
        watch: ({ platform }) => ({
          channelId: platform.channels.find(({ type }) => type === 15)?.id ?? "",
          isForum: true,
        }),
      });

      expect(result, `seed ${seed}`).toMatchObject(nothingWrong);
    });

    it("does so with two processes on one database", async () => {
      const result = await held({
        comments: 120,
        kills: 20,
        faults: 0.05,
        decided: 0.3,
        processes: 2,
        watch: () => ({ digestFrom: 100 }),
      });

      expect(result, `seed ${seed}`).toMatchObject(nothingWrong);
      expect(result.decisions).toBeGreaterThan(20);
    });
  });
});
