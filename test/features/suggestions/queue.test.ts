import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { option } from "../../../src/features/declarations/option.ts";
import * as suggest from "../../../src/features/suggestions/index.ts";
import { openRig, type Rig } from "./rig.ts";

let rig: Rig;
beforeAll(async () => {
  rig = await openRig();
});
afterAll(() => rig.close());

const watch = (id: string, channelId: string) => ({ id, channelId, source: "UCx" });
const moderation = {
  watches: { all: async () => [watch("a1", "11"), watch("b2", "22")] },
  rules: { book: async () => ({ rules: [{ id: "r1", name: "Links" }] }) },
  replies: { all: async () => [{ id: "s1", name: "Thanks", text: "We are glad" }] },
};

describe("suggestions of what is watched", () => {
  const channelNames = { "11": "review", "22": "spam-only" };
  const asking = { rank: "moderator", moderation, channelNames } as const;

  it("go by the channel's name or its id", async () => {
    const all = await rig.suggest(suggest.watches, "", asking);

    expect(all).toEqual([
      { name: "#review", value: "a1" },
      { name: "#spam-only", value: "b2" },
    ]);
    expect(await rig.suggest(suggest.watches, "spam", asking)).toEqual([all[1]]);
    expect(await rig.suggest(suggest.watches, "11", asking)).toEqual([all[0]]);
  });

  it("show the id where a channel's name can't be had", async () => {
    expect(await rig.suggest(suggest.watches, "", { ...asking, channelNames: {} })).toMatchObject([
      { name: "11" },
      { name: "22" },
    ]);
  });

  it.each([
    ["watches", suggest.watches],
    ["rules", suggest.rules],
  ] as const)("are not for members: %s", async (_, offer) => {
    expect(await rig.suggest(offer, "", { ...asking, rank: "member" })).toEqual([]);
  });

  it("find rules by name", async () => {
    expect(await rig.suggest(suggest.rules, "link", asking)).toEqual([
      { name: "Links", value: "r1" },
    ]);
  });
});

describe("suggestions of quiet hours", () => {
  const offer = suggest.dayTimes;

  it("show how it is understood, in the person's language", async () => {
    expect(await rig.suggest(offer, "10pm-11", {})).toEqual([]);
    expect(await rig.suggest(offer, "22-7", { tag: "de" })).toEqual([
      { name: "22:00 – 07:00", value: "22:00-07:00" },
    ]);
    expect(await rig.suggest(offer, "22-7", { tag: "en-US" })).toEqual([
      { name: "10:00 PM – 7:00 AM", value: "22:00-07:00" },
    ]);
  });

  it("offer some nights while nothing is typed, each as it is read", async () => {
    const offered = await rig.suggest(offer, "", {});

    expect(offered.length).toBeGreaterThan(2);
    for (const { value } of offered) {
      expect(() => option.dayTimes({}).parse(value, "quiet")).not.toThrow();
    }
  });
});
