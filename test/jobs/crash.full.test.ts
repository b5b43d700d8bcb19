import { expect, it } from "vitest";
import { describeOnEach } from "../support/databases/each-kind.ts";
import { seed } from "../support/random.ts";
import { killDoers } from "./campaign.ts";

describeOnEach("jobs of processes that are killed", (kind) => {
  it("are done at least once each, one at a time by key, and none is lost", async () => {
    const { url } = await kind.fresh();

    const result = await killDoers(url, { kills: 8, chains: 40, seed });

    expect(result, `seed ${seed}`).toEqual({ effects: 400, lost: [], overlaps: [], left: 0 });
  });
});
