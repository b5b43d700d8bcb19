import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { startAudienceComments } from "../../../src/sandbox/video/audience.ts";
import type { VideoServer } from "../../../src/sandbox/video/index.ts";
import { seed, seeded } from "../../support/random.ts";
import { type Loose, list, open, refusalOf, send, walk } from "./people.ts";

let server: VideoServer;
let own: string;
let time: number;

beforeEach(async () => {
  time = Date.UTC(2026, 10, 21, 12);
  server = await open({ now: () => time });
  own = server.ownChannelId;
});

afterEach(() => server.close());

const waiting = async (moderationStatus: string): Promise<string[]> => {
  const query = { part: "snippet", allThreadsRelatedToChannelId: own, moderationStatus };
  const found = await walk(server, "/commentThreads", { ...query, maxResults: 100 }, { as: own });
  return found.map(({ id }) => id);
};

const decide = (id: string, moderationStatus: string, query = {}) =>
  send(
    server,
    "POST /comments/setModerationStatus",
    { id, moderationStatus, ...query },
    { as: own },
  );

const standing = async (id: string): Promise<string | undefined> => {
  const [found] = await list(server, "/comments", { part: "snippet", id }, { as: own });
  return (found as Loose | undefined)?.snippet.moderationStatus;
};

describe("sendSpam", () => {
  it("puts likely spam of a few accounts on the newest video at once", async () => {
    const before = await waiting("likelySpam");

    const made = server.sendSpam(20);

    const after = await waiting("likelySpam");
    const read = { part: "snippet", id: made.join() };
    const found = await list(server, "/comments", read, { as: own });
    const of = (name: string) => new Set(found.map(({ snippet }) => (snippet as Loose)[name]));
    expect(after.filter((id) => !before.includes(id)).toSorted()).toEqual([...made].toSorted());
    expect(of("authorChannelId").size).toBeGreaterThan(0);
    expect(of("textOriginal").size).toBeLessThanOrEqual(2);
    expect(of("publishedAt")).toEqual(new Set([new Date(time).toISOString().replace(".000", "")]));
  });
});

describe("addHeld", () => {
  it("makes as many held comments as are wanted, at once, and all are listed", async () => {
    const before = await waiting("heldForReview");

    const made = server.addHeld(2_000);

    const after = new Set(await waiting("heldForReview"));
    expect(new Set(made).size).toBe(2_000);
    expect(after.size).toBe(before.length + 2_000);
    expect(made.every((id) => after.has(id))).toBe(true);
  });

  it("makes the same for the same seed", async () => {
    const [one] = server.addHeld(1, 7);
    const other = await open({ now: () => time });
    const [same] = other.addHeld(1, 7);
    const [different] = other.addHeld(1, 8);
    const textOf = async (at: VideoServer, id = "") => {
      const [found] = await list(at, "/comments", { part: "snippet", id }, { as: own });
      const { textDisplay, publishedAt, authorChannelId } = (found as Loose).snippet;
      return [textDisplay, publishedAt, authorChannelId];
    };

    const texts = [
      await textOf(server, one),
      await textOf(other, same),
      await textOf(other, different),
    ];

    expect(texts[1]).toEqual(texts[0]);
    expect(texts[2]).not.toEqual(texts[0]);
    await other.close();
  });
});

describe("chat", () => {
  it("brings held, spam and plain comments", () => {
    const random = seeded(seed);

    const said = Array.from({ length: 60 }, () => server.chat(random).status);

    expect(new Set(said)).toEqual(new Set(["heldForReview", "likelySpam", "published"]));
  });
});

describe("closeAccount", () => {
  it("takes what somebody wrote away, and a call about it fails whole", async () => {
    const made = server.addComment({ text: "mine", status: "heldForReview", author: "Ann Gone" });
    const other = server.addComment({ text: "not mine", status: "heldForReview" });

    server.closeAccount(made.authorChannelId);

    const refused = await decide(`${made.id},${other.id}`, "published");
    expect(refusalOf(refused)).toBe("400 processingFailure");
    expect(await standing(other.id)).toBe("heldForReview");
    expect(await standing(made.id)).toBeUndefined();
  });
});

describe("banned", () => {
  it("names whom the channel rejects unread", async () => {
    const { id, authorChannelId } = server.addComment({ text: "hm", status: "heldForReview" });
    await decide(id, "rejected", { banAuthor: true });

    const next = server.addComment({ text: "me again", status: "heldForReview" });

    expect(server.banned()).toEqual([authorChannelId]);
    expect(await waiting("heldForReview")).not.toContain(next.id);
  });
});

describe("a rejection", () => {
  it.each(["published", "heldForReview"])("is final: it can not become %s", async (status) => {
    const { id } = server.addComment({ text: "hm", status: "heldForReview" });
    await decide(id, "rejected");

    const refused = await decide(id, status);

    expect(refusalOf(refused)).toBe("400 operationNotSupported");
  });
});

describe("listLate", () => {
  it("keeps what comes out of the lists for that long", async () => {
    server.listLate(5_000);
    const { id } = server.addComment({ text: "hm", status: "heldForReview" });

    const before = await waiting("heldForReview");
    time += 5_000;
    const after = await waiting("heldForReview");

    expect(before).not.toContain(id);
    expect(after).toContain(id);
  });

  it("keeps what was decided in its list for that long, but shows the true state by id", async () => {
    const { id } = server.addComment({ text: "hm", status: "heldForReview" });
    time += 60_000;
    server.listLate(5_000);
    await decide(id, "published");

    const listed = await waiting("heldForReview");
    const asked = await standing(id);
    time += 5_000;
    const later = await waiting("heldForReview");

    expect(listed).toContain(id);
    expect(asked).toBe("published");
    expect(later).not.toContain(id);
    expect(await waiting("published")).toContain(id);
  });
});

describe("startAudienceComments", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it("brings a comment every 40 to 90 seconds, until it is closed", async () => {
    const chat = vi.fn(() => ({ id: "x", status: "published" as const }));
    const visiting = startAudienceComments({ chat }, () => 0.5);

    vi.advanceTimersByTime(64_999);
    const early = chat.mock.calls.length;
    vi.advanceTimersByTime(10 * 65_000);
    const later = chat.mock.calls.length;
    await visiting.close();
    vi.advanceTimersByTime(10 * 65_000);

    expect(early).toBe(0);
    expect(later).toBe(10);
    expect(chat).toHaveBeenCalledTimes(10);
  });
});
