import { describe, expect, it } from "vitest";
import { seed } from "../../support/random.ts";
import { type CampaignOptions, runCampaign } from "./run-campaign.ts";

const nothingWrong = { lost: [], twice: [], wrong: [] };

async function held(options: Omit<CampaignOptions, "seed">) {
  const result = await runCampaign({ ...options, seed });
  const { kills, killedAtWork, decisions, hours, polls } = result;
  console.info("campaign", { seed, kills, killedAtWork, decisions, hours, polls });
  return result;
}

describe("the comments' queue", () => {
  it("loses no comment and tells none twice, whenever its process is killed", async () => {
    const result = await held({
      ...{ comments: 2_000, kills: 300, faults: 0.05, decided: 0.5 },
      // Single cards and digests, about as many comments in the ones as in the others.
      watch: () => ({ digestFrom: 6 }),
    });

    expect(result, `seed ${seed}`).toMatchObject(nothingWrong);
    expect(result.kills).toBe(300);
    expect(result.killedAtWork).toBeGreaterThan(150);
    expect(result.decisions).toBeGreaterThan(1_000);
  }, 300_000);

  it("does so in a forum, where the platform itself makes two posts of two requests", async () => {
    const result = await held({
      ...{ comments: 80, kills: 25, faults: 0.05, decided: 0.1 },
      watch: ({ platform }) => ({
        channelId: platform.channels.find(({ type }) => type === 15)?.id ?? "",
        isForum: true,
      }),
    });

    expect(result, `seed ${seed}`).toMatchObject(nothingWrong);
  }, 120_000);

  it("does so with two processes on one store", async () => {
    const result = await held({
      ...{ comments: 250, kills: 40, faults: 0.05, decided: 0.1, processes: 2 },
      watch: () => ({ digestFrom: 100 }),
    });

    expect(result, `seed ${seed}`).toMatchObject(nothingWrong);
    expect(result.decisions).toBeGreaterThan(20);
  }, 120_000);
});
