import { describe, expect, it } from "vitest";
import { buildVideoState } from "../../../src/sandbox/video/data/index.ts";

const now = Date.UTC(2026, 10, 21);
const state = buildVideoState(now);
const comments = [...state.comments.values()];
const own = comments.filter(
  ({ videoId }) => state.videos.get(videoId)?.channelId === state.ownChannelId,
);

describe("buildVideoState", () => {
  it("has a few hundred videos and thousands of comments by a few hundred people", () => {
    const authors = new Set(comments.map(({ authorId }) => authorId));

    expect(state.videos.size).toBeGreaterThan(300);
    expect(state.videos.size).toBeLessThan(400);
    expect(comments.length).toBeGreaterThan(3000);
    expect(comments.length).toBeLessThan(5000);
    expect(authors.size).toBeGreaterThan(300);
  });

  it("keeps the hand-written channels first", () => {
    const [first] = state.channels.values();

    expect(first?.title).toBe("Greenroom Studio");
    expect([...state.videos.values()][0]?.title).toBe("Studio tour: everything in 9 square metres");
  });

  it("says many different things, in many scripts", () => {
    const texts = new Set(comments.map(({ text }) => text));
    const scripts = ["Latin", "Cyrillic", "Arabic", "Hebrew", "Hiragana", "Hangul", "Devanagari"];
    const seen = scripts.filter((script) => {
      const pattern = new RegExp(`\\p{Script=${script}}`, "u");
      return [...texts].some((text) => pattern.test(text));
    });

    expect(texts.size).toBeGreaterThan(comments.length / 2);
    expect(seen).toEqual(scripts);
    expect([...texts].filter((text) => /\{\w+\}/.test(text) && !text.includes("{{"))).toEqual([]);
  });

  it.each([
    ["heldForReview", 60, 100, 6],
    ["likelySpam", 40, 60, 9],
    ["rejected", 5, 20, 20],
  ])(
    "leaves some of the creator's comments %s, replies among them, all of the last days",
    (status, least, most, days) => {
      const found = own.filter((comment) => comment.status === status);
      const oldest = Math.min(...found.map(({ publishedAt }) => publishedAt));

      expect(found.length).toBeGreaterThanOrEqual(least);
      expect(found.length).toBeLessThanOrEqual(most);
      expect(found.some(({ parentId }) => parentId !== undefined)).toBe(true);
      expect(now - oldest).toBeLessThan((days + 1) * 86_400_000);
    },
  );

  it("puts no comment before its video, its parent, or after now", () => {
    const wrong = comments.filter(({ videoId, parentId, publishedAt, updatedAt }) => {
      const start = state.comments.get(parentId ?? "")?.publishedAt;
      const earliest = start ?? state.videos.get(videoId)?.publishedAt ?? Number.POSITIVE_INFINITY;
      return publishedAt < earliest || updatedAt < publishedAt || updatedAt > now;
    });

    expect(wrong).toEqual([]);
  });

  it("counts what everybody can read", () => {
    for (const video of state.videos.values()) {
      if (video.comments === undefined) continue;
      const readable = comments.filter(({ videoId, status, parentId }) => {
        const parent = state.comments.get(parentId ?? "");
        return (
          videoId === video.id && status === "published" && (parent?.status ?? status) === status
        );
      });

      expect([video.title, video.comments]).toEqual([video.title, readable.length]);
    }
  });

  it("is the same every time", () => {
    const again = buildVideoState(now);

    expect([...again.comments.values()]).toEqual(comments);
    expect([...again.users.values()]).toEqual([...state.users.values()]);
    expect([...again.subscriptions.keys()]).toEqual([...state.subscriptions.keys()]);
  });
});
