import { describe, expect, it } from "vitest";
import {
  isPrivate,
  mayChange,
  mayRepeat,
  rankFor,
  videoDemand,
  whereToLook,
} from "../../../src/features/context/demands.ts";

describe("what a row asks for", () => {
  it.each([
    ["search.list", "member"],
    ["playlists.list", "member"],
    ["captions.list", "moderator"],
    ["members.list", "moderator"],
    ["comments.setModerationStatus", "moderator"],
    ["comments.insert", "moderator"],
    ["comments.delete", "manager"],
    ["videos.insert", "manager"],
    ["playlists.delete", "manager"],
  ] as const)("%s is for a %s and above", (method, rank) => {
    expect(rankFor({ method })).toBe(rank);
  });

  it("a rank of one's own goes first", () => {
    expect(rankFor({ method: "search.list", rank: "owner" })).toBe("owner");
  });

  it.each([
    ["search.list", false],
    ["captions.list", true],
    ["videos.rate", true],
  ] as const)("the answer to %s is for one person alone: %s", (method, expected) => {
    expect(isPrivate({ method })).toBe(expected);
  });

  it.each([
    [{}, "none"],
    [{ method: "search.list" }, "any"],
    [{ uses: ["videos.list"] }, "any"],
    [{ method: "videos.rate" }, "channel"],
    [{ method: "search.list", needs: ["channel"] }, "channel"],
  ] as const)("%j is called by %s", (demands, expected) => {
    expect(videoDemand(demands)).toBe(expected);
  });

  it.each([
    [{ method: "search.list", uses: ["videos.list"] }, true],
    [{ method: "playlists.delete", isRepeatable: true }, true],
    [{ method: "playlists.insert" }, false],
    [{ method: "playlists.list", uses: ["playlistItems.insert"] }, false],
    [{ needs: ["background-key"] }, false],
    [{}, false],
  ] as const)("%j may run again after an interruption: %s", (demands, expected) => {
    expect(mayRepeat(demands, { keepsResults: true })).toBe(expected);
  });

  it("pictures may run again only where paid results are found again", () => {
    const demands = { needs: ["background-key"], isRepeatable: true } as const;

    expect(mayRepeat(demands, { keepsResults: true })).toBe(true);
    expect(mayRepeat(demands, { keepsResults: false })).toBe(false);
  });

  it.each([
    [{ method: "search.list", uses: ["videos.list"] }, false],
    [{ method: "playlists.list", uses: ["playlistItems.insert"] }, true],
    [{ method: "playlists.insert" }, true],
    [{ method: "playlists.delete", isRepeatable: true }, false],
    [{ needs: ["background-key"], isRepeatable: true }, true],
    [{}, true],
  ] as const)("%j may change or cost something: %s", (demands, expected) => {
    expect(mayChange(demands)).toBe(expected);
  });

  it("names the list in which a lost creation shows", () => {
    expect(whereToLook({ method: "playlists.insert" })).toEqual({
      isUndecided: true,
      method: "playlists.insert",
      lookAt: "playlists.list",
    });
    expect(whereToLook({ method: "videos.rate" })).toEqual({});
  });
});
