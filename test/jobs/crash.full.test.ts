import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Kind } from "../support/databases/kinds.ts";
import { seed } from "../support/random.ts";
import { killDoers } from "./campaign.ts";
import { jobKinds } from "./stage.ts";

describe.each(jobKinds)("jobs of processes that are killed on $name", ({ make }) => {
  describe.skipIf(make === undefined)("facts", () => {
    let kind: Kind;

    beforeAll(() => {
      kind = (make as () => Kind)();
    });

    afterAll(() => kind?.stop());

    it("are done at least once each, one at a time by key, and none is lost", async () => {
      const { url } = await kind.fresh();

      const result = await killDoers(url, { kills: 8, chains: 40, seed });

      expect(result, `seed ${seed}`).toEqual({ effects: 400, lost: [], overlaps: [], left: 0 });
    });
  });
});
