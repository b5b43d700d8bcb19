import { describe, expect, it } from "vitest";
import type { BilledTo } from "../../../src/budget/index.ts";
import type { ServiceClients } from "../../../src/features/context/clients.ts";
import type { OpenedCredentials } from "../../../src/features/context/credentials.ts";
import { callsToAfford, createAfford } from "../../../src/features/context/spending.ts";

const billedTo: BilledTo = {
  guildId: "1".repeat(18),
  userId: "2".repeat(18),
  command: "playlists add",
  limits: {
    budgets: { credits: { amount: 3, of: "person" } },
    quota: undefined,
    reserve: undefined,
  },
};
const channel = {
  kind: "channel",
  secret: "s",
  channelId: "UC1",
  addedBy: "3",
  addedAt: 1,
} as const;

type Held = Parameters<ServiceClients["afford"]>;

function affording(opened: OpenedCredentials) {
  const held: Held[] = [];
  const credits: unknown[] = [];
  const afford = createAfford({
    clients: {
      afford: async (...given) => void held.push(given),
      affordCredits: async (...given) => void credits.push(given),
    },
    opened,
    billedTo,
    access: () => ({ key: "AIza" }),
  });
  return { afford, held, credits };
}

describe("what a handler may afford", () => {
  it("checks each project once, with what the person spends in all of them", async () => {
    const { afford, held } = affording({ channel });

    await afford([["playlistItems.insert", 3], ["videos.list"], ["playlists.insert"]]);

    expect(held.map(([access, , { charges, personal }]) => [access, charges, personal])).toEqual([
      [
        { channelOf: billedTo.guildId, channelId: "UC1" },
        [
          { method: "playlistItems.insert", bucket: "units", cost: 150 },
          { method: "playlists.insert", bucket: "units", cost: 50 },
        ],
        { units: 201, searches: 0, uploads: 0 },
      ],
      [{ key: "AIza" }, [{ method: "videos.list", bucket: "units", cost: 1 }], expect.anything()],
    ]);
  });

  it("asks for nothing where nothing is planned", async () => {
    const { afford, held, credits } = affording({ channel });

    await afford([["captions.insert", 0]]);

    expect([held, credits]).toEqual([[], []]);
  });

  it("checks credits against the person's budget", async () => {
    const { afford, credits } = affording({});

    await afford([], 1.5);

    expect(credits).toEqual([[billedTo, 1.5]]);
  });
});

describe("what is at stake before a handler runs", () => {
  it.each([
    ["a write", "playlists.insert", false, 1],
    ["a write behind a button", "videos.delete", true, 1],
    ["a dear file behind a button", "captions.download", true, 1],
    ["a search", "search.list", false, 1],
    ["a page of a search, which may be remembered", "search.list", true, 0],
    ["a list of one unit", "videos.list", false, 0],
  ] as const)("is the method of %s", (_, method, isPress, count) => {
    expect(callsToAfford({ method }, isPress)).toHaveLength(count);
  });

  it("is nothing without a row", () => {
    expect(callsToAfford({ uses: ["videos.insert"] }, false)).toEqual([]);
  });
});
