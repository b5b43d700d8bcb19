import { describe, expect, it } from "vitest";
import type { SpendingLine } from "../../../src/budget/index.ts";
import type { Rank } from "../../../src/discord/index.ts";
import { limitSuggestions } from "../../../src/features/context/limit-suggestions.ts";
import type { VideoClient } from "../../../src/video/index.ts";
import { through } from "./through.ts";

const guildId = "1".repeat(18);
const mine = { part: ["snippet"], mine: true } as const;

/** A client with limited suggestions. `spent` was spent today, as `[who, command, units]`. */
function rig(spent: readonly (readonly [string, string, number])[], rank: Rank = "member") {
  const calls: string[] = [];
  const client = { call: async (method: string) => calls.push(method) } as unknown as VideoClient;
  const unitsSpent = async () =>
    spent.map(([userId, command, units]) => ({ userId, command, spent: units }) as SpendingLine);
  const limit = limitSuggestions(unitsSpent, { guildId, userId: "me", rank });
  return { calls, video: through(limit, client) };
}

describe("limitSuggestions", () => {
  it.each([
    ["member", 49],
    ["moderator", 199],
    ["owner", 199],
  ] as const)("lets the suggestions of a %s cost a limited sum a day", async (rank, units) => {
    const below = rig([["me", "suggestions", units]], rank);
    const beyond = rig([["me", "suggestions", units + 1]], rank);

    await below.video.call("playlists.list", mine);

    expect(below.calls).toEqual(["playlists.list"]);
    await expect(beyond.video.call("playlists.list", mine)).rejects.toThrow("units today");
    expect(beyond.calls).toEqual([]);
  });

  it("counts an expensive list before it is read", async () => {
    const { video, calls } = rig([["me", "suggestions", 1]]);

    const list = video.call("captions.list", { part: ["snippet"], videoId: "dQw4w9WgXcQ" });

    await expect(list).rejects.toMatchObject({ code: "budget_guild" });
    expect(calls).toEqual([]);
  });

  it("limits what all people of the server cost together", async () => {
    const people = Array.from({ length: 10 }, (_, at) => [`${at}`, "suggestions", 50] as const);

    await expect(rig(people).video.call("playlists.list", mine)).rejects.toMatchObject({
      code: "budget_guild",
    });
  });

  it("does not count what commands cost", async () => {
    const { video, calls } = rig([["me", "playlists list", 5_000]]);

    await video.call("playlists.list", mine);

    expect(calls).toEqual(["playlists.list"]);
  });
});
