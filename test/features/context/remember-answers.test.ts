import { describe, expect, it } from "vitest";
import { createAnswerCache } from "../../../src/cache.ts";
import { rememberAnswers } from "../../../src/features/context/remember-answers.ts";
import type { VideoClient } from "../../../src/video/index.ts";
import { through } from "./through.ts";

const guildId = "1".repeat(18);
const servers = { version: async () => "", noteChange: async () => undefined };

type ReadOptions = Partial<Parameters<typeof rememberAnswers>[0]>;

/** A client that counts which calls really reach it. */
function counted() {
  const calls: string[] = [];
  const signals: unknown[] = [];
  const client = {
    call: async (method: string, _: object, options?: { signal?: AbortSignal }) => {
      calls.push(method);
      signals.push(options?.signal);
      return { items: [calls.length] };
    },
  } as unknown as VideoClient;
  const clock = { now: 0 };
  const answers = createAnswerCache(() => clock.now);
  /** The cached client that another handler gets. */
  const open = (options: ReadOptions = {}) =>
    through(
      rememberAnswers({
        answers,
        guildId,
        servers,
        scope: "key 1 false",
        isFresh: false,
        now: () => clock.now,
        ...options,
      }),
      client,
    );
  return { calls, signals, clock, open, reads: open() };
}

const mine = { part: ["snippet"], mine: true } as const;
const held = {
  part: ["snippet"],
  allThreadsRelatedToChannelId: "UC1",
  moderationStatus: "heldForReview",
} as const;

describe("remembering", () => {
  it("reads a list once for a minute", async () => {
    const { reads, calls, clock } = counted();

    await reads.call("playlists.list", mine);
    clock.now = 59_000;
    await reads.call("playlists.list", mine);
    clock.now = 61_000;
    await reads.call("playlists.list", mine);

    expect(calls).toHaveLength(2);
  });

  it("distinguishes lists with other parameters", async () => {
    const { reads, calls } = counted();

    await reads.call("playlists.list", mine);
    await reads.call("playlists.list", { part: ["snippet"], id: ["PL1"] });

    expect(calls).toHaveLength(2);
  });

  it("keeps what one credential saw from the next", async () => {
    const { reads, open, calls } = counted();
    const other = open({ scope: "channel 2 true" });

    await reads.call("playlists.list", mine);
    await other.call("playlists.list", mine);

    expect(calls).toHaveLength(2);
  });

  it("keeps what one guild saw from the next", async () => {
    const { reads, open, calls } = counted();
    const other = open({ guildId: "2".repeat(18) });

    await reads.call("playlists.list", mine);
    await other.call("playlists.list", mine);

    expect(calls).toHaveLength(2);
  });

  it("reads again after the guild wrote anything", async () => {
    const { reads, calls } = counted();

    await reads.call("playlists.list", mine);
    await reads.call("playlists.delete", { id: "PL1" });
    await reads.call("playlists.list", mine);

    expect(calls).toEqual(["playlists.list", "playlists.delete", "playlists.list"]);
  });

  it("always reads comments that wait for a decision", async () => {
    const { reads, calls } = counted();

    await reads.call("commentThreads.list", held);
    await reads.call("commentThreads.list", held);

    expect(calls).toHaveLength(2);
  });

  it("turns pages of waiting comments with what was read last, until a decision", async () => {
    const { reads, open, calls } = counted();
    const turning = open({ isFresh: true, isTurning: true });

    await reads.call("commentThreads.list", held);
    await turning.call("commentThreads.list", held);
    const before = calls.length;
    await reads.call("comments.setModerationStatus", { id: ["a"], moderationStatus: "published" });
    await turning.call("commentThreads.list", held);

    expect([before, calls.length]).toEqual([1, 3]);
  });

  it("does not end one person's reading when another one cancels", async () => {
    const { reads, signals } = counted();

    await reads.call("playlists.list", mine, { signal: AbortSignal.timeout(1) });

    expect(signals).toEqual([undefined]);
  });

  it("reads again before a write, except lists that rarely change", async () => {
    const { open, calls } = counted();
    const fresh = open({ isFresh: true });

    for (let times = 0; times < 2; times += 1) {
      await fresh.call("playlists.list", mine);
      await fresh.call("videoCategories.list", { part: ["snippet"], regionCode: "DE" });
    }

    expect(calls).toEqual(["playlists.list", "videoCategories.list", "playlists.list"]);
  });

  it("turns pages with what the list was opened with, for a quarter of an hour", async () => {
    const { reads, open, calls, clock } = counted();
    const turning = open({ isTurning: true });
    const replies = { part: ["snippet"], parentId: "Ug1" } as const;

    await reads.call("comments.list", replies);
    clock.now = 899_000;
    await turning.call("comments.list", replies);
    const before = [...calls];
    clock.now = 901_000;
    await turning.call("comments.list", replies);

    expect([before, calls]).toEqual([["comments.list"], ["comments.list", "comments.list"]]);
  });

  it("keeps what a search found when the guild writes something, except of its own videos", async () => {
    const { reads, calls } = counted();
    const cats = { part: ["snippet"], q: "cats" } as const;
    const own = { part: ["snippet"], forMine: true, type: ["video"] } as const;

    for (let times = 0; times < 2; times += 1) {
      await reads.call("search.list", cats);
      await reads.call("search.list", own);
      await reads.call("playlists.delete", { id: "PL1" });
    }

    expect(calls.filter((method) => method === "search.list")).toHaveLength(3);
  });

  it("says which answers cost nothing", async () => {
    const { open } = counted();
    const recalled: string[] = [];
    const reads = open({ onRecalled: (bucket) => recalled.push(bucket) });

    await reads.call("search.list", { part: ["snippet"], q: "cats" });
    await reads.call("search.list", { part: ["snippet"], q: "cats" });

    expect(recalled).toEqual(["searches"]);
  });
});
