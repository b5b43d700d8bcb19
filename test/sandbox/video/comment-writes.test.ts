import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { VideoServer } from "../../../src/sandbox/video/index.ts";
import { type Answer, type Loose, list, open, refusalOf, send, walk } from "./people.ts";

let server: VideoServer;
let own: string;
/** A sample person who owns no videos. */
let person: string;
let videoId: string;
let silent: string;
let time = Date.UTC(2026, 10, 21, 12);

beforeAll(async () => {
  server = await open({ now: () => time });
  own = server.ownChannelId;
  const made = server.addComment({ text: "hello" });
  videoId = made.videoId;
  person = made.authorChannelId;
  const query = { part: "snippet", channelId: own, type: "video", maxResults: 50 };
  const videos = await list(server, "/search", query);
  const id = videos.map((video) => video.id.videoId).join();
  const counted = await list(server, "/videos", { part: "statistics", id });
  silent = counted.find(({ statistics }) => !("commentCount" in statistics))?.id;
});

beforeEach(() => {
  time += 60_000;
  server.quota.refill();
});

afterAll(() => server.close());

/** A time in the format that YouTube uses. */
const written = (at: number): string => new Date(at).toISOString().replace(".000", "");

const threads = (query: Record<string, string> = {}, as?: string): Promise<Loose[]> =>
  walk(
    server,
    "/commentThreads?part=snippet,replies&maxResults=100",
    { videoId, ...query },
    { as },
  );

const texts = (found: Loose[]): string[] =>
  found.map(({ snippet }) => (snippet.topLevelComment ?? { snippet }).snippet.textDisplay);

const comment = (text: unknown, as = person, snippet: object = {}): Promise<Answer> =>
  send(
    server,
    "POST /commentThreads?part=snippet",
    {},
    {
      as,
      body: {
        snippet: {
          channelId: own,
          videoId,
          topLevelComment: { snippet: { textOriginal: text } },
          ...snippet,
        },
      },
    },
  );

const reply = (parentId: string, text: string, as = person): Promise<Answer> =>
  send(
    server,
    "POST /comments?part=snippet",
    {},
    { as, body: { snippet: { parentId, textOriginal: text } } },
  );

const moderate = (
  id: string,
  moderationStatus: string,
  more: object = {},
  as = own,
): Promise<Answer> =>
  send(server, "POST /comments/setModerationStatus", { id, moderationStatus, ...more }, { as });

const count = async (): Promise<number> => {
  const [video] = await list(server, "/videos", { part: "statistics", id: videoId });
  return Number(video?.statistics.commentCount);
};

describe("commentThreads.insert", () => {
  it("puts a comment in front of the video's threads and counts it", async () => {
    const before = await count();
    time += 1000;
    const { status, body } = await comment("First words\n& <second>");
    const [first] = await threads();

    expect(status).toBe(200);
    expect(body).toMatchObject({
      kind: "youtube#commentThread",
      snippet: {
        channelId: own,
        videoId,
        totalReplyCount: 0,
        topLevelComment: {
          id: body.id,
          snippet: {
            textOriginal: "First words\n& <second>",
            textDisplay: "First words<br>&amp; &lt;second&gt;",
            authorChannelId: { value: person },
            publishedAt: written(time),
          },
        },
      },
    });
    expect(first?.id).toBe(body.id);
    expect(await count()).toBe(before + 1);
  });

  it.each([
    [{ text: "" }, "400 commentTextRequired"],
    [{ text: " \n " }, "400 commentTextRequired"],
    [{ text: "x".repeat(10_001) }, "400 commentTextTooLong"],
    [{ snippet: { videoId: undefined } }, "400 channelOrVideoIdMissing"],
    [{ snippet: { channelId: undefined } }, "400 channelOrVideoIdMissing"],
    [{ snippet: { videoId: "nothing" } }, "404 videoNotFound"],
    [{ snippet: { channelId: "UCnobody" } }, "404 channelNotFound"],
    [{ as: "UCwithout-a-channel" }, "403 ineligibleAccount"],
  ])("refuses %j", async (given, expected) => {
    const {
      text = "fine",
      as,
      snippet,
    } = given as { text?: string; as?: string; snippet?: object };

    expect(refusalOf(await comment(text, as, snippet))).toEqual(expected);
  });

  it("takes a text of exactly 10,000 characters", async () => {
    expect((await comment("\u{1F33F}".repeat(10_000))).status).toBe(200);
  });

  it("refuses a video of another channel and one where comments are off", async () => {
    const [, other = ""] = server.channels.keys();

    expect(refusalOf(await comment("x", person, { channelId: other }))).toBe(
      "400 invalidCommentThreadMetadata",
    );
    expect(refusalOf(await comment("x", person, { videoId: silent }))).toBe("403 commentsDisabled");
  });

  it("refuses a key alone", async () => {
    const answer = await send(server, "POST /commentThreads", { part: "snippet" }, { body: {} });

    expect(refusalOf(answer)).toBe("401 authorizationRequired");
  });
});

describe("comments.insert", () => {
  it("adds a reply to a thread, which lists it", async () => {
    const { body: thread } = await comment("A question");
    const before = await count();
    time += 1000;
    const { status, body } = await reply(thread.id, "An answer", own);
    const [found] = await list(server, "/commentThreads?part=snippet,replies", { id: thread.id });
    const replies = await list(server, "/comments", { part: "snippet", parentId: thread.id });

    expect([status, body.snippet.parentId]).toEqual([200, thread.id]);
    expect(found?.snippet.totalReplyCount).toBe(1);
    expect(found?.replies.comments.map(({ id }: Loose) => id)).toEqual([body.id]);
    expect(replies.map(({ id }) => id)).toEqual([body.id]);
    expect(await count()).toBe(before + 1);
  });

  it("refuses to answer a reply, nothing, and what is not published", async () => {
    const { body: thread } = await comment("A question");
    const { body: answer } = await reply(thread.id, "An answer");
    const held = server.addComment({ text: "hm", status: "heldForReview" }).id;

    expect(refusalOf(await reply(answer.id, "x"))).toBe("400 operationNotSupported");
    expect(refusalOf(await reply("nothing", "x"))).toBe("404 parentCommentNotFound");
    expect(refusalOf(await reply(held, "x", own))).toBe("400 parentCommentIsPrivate");
    expect(refusalOf(await reply(held, "x", [...server.channels.keys()][3]))).toBe(
      "404 parentCommentNotFound",
    );
  });

  it("refuses an empty text, one that is too long, and no parent", async () => {
    const { body: thread } = await comment("A question");

    expect(refusalOf(await reply(thread.id, ""))).toBe("400 commentTextRequired");
    expect(refusalOf(await reply(thread.id, "x".repeat(10_001)))).toBe("400 commentTextTooLong");
    expect(refusalOf(await reply("", "x"))).toBe("400 parentIdMissing");
  });
});

describe("comments.update", () => {
  const update = (id: string, text: string, as = person): Promise<Answer> =>
    send(
      server,
      "PUT /comments?part=snippet",
      {},
      { as, body: { id, snippet: { textOriginal: text } } },
    );

  it("changes the author's own words and says when", async () => {
    const { body: thread } = await comment("Befor");
    const publishedAt = written(time);
    time += 60_000;
    const { body } = await update(thread.id, "Before");
    const [found] = await list(server, "/comments", { part: "snippet", id: thread.id });

    expect(body.snippet).toMatchObject({ textOriginal: "Before", publishedAt });
    expect(found?.snippet).toMatchObject({ textDisplay: "Before", updatedAt: written(time) });
  });

  it("is for nobody else, not even for the channel", async () => {
    const { body: thread } = await comment("Mine");

    expect(refusalOf(await update(thread.id, "x", own))).toBe("403 forbidden");
    expect(refusalOf(await update("nothing", "x"))).toBe("404 commentNotFound");
    expect(refusalOf(await update(thread.id, "x".repeat(10_001)))).toBe("400 commentTextTooLong");
  });
});

describe("comments.delete", () => {
  const remove = (id: string, as = person): Promise<Answer> =>
    send(server, "DELETE /comments", { id }, { as });

  it("takes a comment and its replies away, for its author alone", async () => {
    const before = await count();
    const { body: thread } = await comment("Soon gone");
    const { body: answer } = await reply(thread.id, "With this", own);
    const byOwner = await remove(thread.id, own);
    const gone = await remove(thread.id);

    expect(refusalOf(byOwner)).toBe("403 forbidden");
    expect([gone.status, gone.body]).toEqual([204, {}]);
    expect(texts(await threads())).not.toContain("Soon gone");
    expect(
      await list(server, "/comments", { part: "id", id: `${thread.id},${answer.id}` }),
    ).toEqual([]);
    expect(await count()).toBe(before);
    expect(refusalOf(await remove(thread.id))).toBe("404 commentNotFound");
  });

  it("takes one reply away and leaves the thread", async () => {
    const { body: thread } = await comment("Stays");
    const { body: answer } = await reply(thread.id, "Goes");
    await remove(answer.id);
    const [found] = await list(server, "/commentThreads", { part: "snippet", id: thread.id });

    expect(found?.snippet.totalReplyCount).toBe(0);
  });
});

describe("comments.setModerationStatus", () => {
  const waiting = async (status: string): Promise<string[]> =>
    (
      await walk(
        server,
        "/commentThreads?part=snippet&maxResults=100",
        { allThreadsRelatedToChannelId: own, moderationStatus: status },
        { as: own },
      )
    ).map(({ id }) => id);

  it.each(["heldForReview", "likelySpam"] as const)(
    "publishes what is %s: out of the queue, into the list, counted",
    async (status) => {
      const before = await count();
      const { id } = server.addComment({ text: "let me in", status });
      const queued = await waiting(status);
      const { status: code, body } = await moderate(id, "published");

      expect(queued).toContain(id);
      expect([code, body]).toEqual([204, {}]);
      expect(await waiting(status)).not.toContain(id);
      expect((await threads()).map((thread) => thread.id)).toContain(id);
      expect(await count()).toBe(before + 1);
    },
  );

  it("holds a published comment, which only the channel then sees", async () => {
    const { body: thread } = await comment("On second thought");
    await moderate(thread.id, "heldForReview");
    const stranger = [...server.channels.keys()][3];

    expect(await waiting("heldForReview")).toContain(thread.id);
    expect((await threads({}, stranger)).map(({ id }) => id)).not.toContain(thread.id);
    expect((await threads({}, own)).map(({ id }) => id)).not.toContain(thread.id);
  });

  it("does not let an author know that a comment waits", async () => {
    const { id, authorChannelId } = server.addComment({ text: "hm", status: "heldForReview" });
    const found = (await threads({}, authorChannelId)).find((thread) => thread.id === id);

    expect(found?.snippet.topLevelComment.snippet).toMatchObject({ textOriginal: "hm" });
    expect(found?.snippet.topLevelComment.snippet).not.toHaveProperty("moderationStatus");
  });

  it("rejects for good, replies too", async () => {
    const before = await count();
    const { body: thread } = await comment("Bad");
    const { body: answer } = await reply(thread.id, "Worse");
    await moderate(thread.id, "rejected");

    expect(
      await list(server, "/comments", { part: "id", id: `${thread.id},${answer.id}` }, { as: own }),
    ).toEqual([]);
    expect(await count()).toBe(before);
    for (const status of ["published", "heldForReview"]) {
      expect(refusalOf(await moderate(thread.id, status))).toBe("400 operationNotSupported");
    }
    expect((await moderate(thread.id, "rejected")).status).toBe(204);
  });

  it("takes 50 at once and not one more", async () => {
    const ids = Array.from(
      { length: 51 },
      (_, i) => server.addComment({ text: `n ${i}`, status: "likelySpam" }).id,
    );

    expect(refusalOf(await moderate(ids.join(), "published"))).toBe("400 invalidParameter");
    expect((await moderate(ids.slice(1).join(), "published")).status).toBe(204);
    expect((await waiting("likelySpam")).filter((id) => ids.includes(id))).toEqual([ids[0]]);
  });

  it("changes nothing when one id is unknown", async () => {
    const { id } = server.addComment({ text: "hm", status: "heldForReview" });

    expect(refusalOf(await moderate(`${id},nothing`, "published"))).toBe("404 commentNotFound");
    expect(await waiting("heldForReview")).toContain(id);
  });

  it("can't decide about what its author has deleted", async () => {
    const { id } = server.addComment({ text: "hm", status: "heldForReview" });
    server.withdrawComment(id);

    expect(refusalOf(await moderate(id, "published"))).toBe("400 processingFailure");
    expect(await waiting("heldForReview")).not.toContain(id);
  });

  it("is for the channel alone, and can't say likelySpam", async () => {
    const { id, authorChannelId } = server.addComment({ text: "hm", status: "heldForReview" });

    expect(refusalOf(await moderate(id, "published", {}, authorChannelId))).toBe("403 forbidden");
    expect(refusalOf(await moderate(id, "likelySpam"))).toBe("400 invalidParameter");
  });

  it("bans an author only with a rejection; later comments are then rejected unread", async () => {
    const { id } = server.addComment({ text: "buy", author: "Seller", status: "likelySpam" });
    const early = await moderate(id, "heldForReview", { banAuthor: true });
    await moderate(id, "rejected", { banAuthor: true });
    const later = server.addComment({ text: "buy again", author: "Seller" });
    const elsewhere = [...server.channels.keys()][3] ?? "";
    const free = (
      await list(server, "/search?part=snippet&type=video&order=viewCount", {
        channelId: elsewhere,
      })
    )[0]?.id.videoId;
    const other = server.addComment({ text: "buy there", author: "Seller", videoId: free });

    expect(refusalOf(early)).toBe("400 banWithoutReject");
    expect(await list(server, "/comments", { part: "id", id: later.id }, { as: own })).toEqual([]);
    expect(await waiting("likelySpam")).not.toContain(later.id);
    expect(await list(server, "/comments", { part: "id", id: other.id })).toHaveLength(1);
  });
});

describe("a walk through a list that changes", () => {
  const page = async (query: Record<string, string>, token?: string): Promise<Loose> => {
    const paged = {
      part: "snippet",
      maxResults: "20",
      ...query,
      ...(token && { pageToken: token }),
    };
    return (await send(server, "GET /commentThreads", paged, { as: own })).body;
  };
  const idsOf = ({ items }: Loose): string[] => items.map(({ id }: Loose) => id);

  it("repeats nothing when new comments come in front", async () => {
    const first = await page({ allThreadsRelatedToChannelId: own });
    time += 1000;
    for (let i = 0; i < 7; i++) server.addComment({ text: `new ${i}` });
    const second = await page({ allThreadsRelatedToChannelId: own }, first.nextPageToken);

    expect(idsOf(second).filter((id) => idsOf(first).includes(id))).toEqual([]);
    expect(second.items).toHaveLength(20);
  });

  it("skips nothing when what was seen is decided meanwhile", async () => {
    const query = { allThreadsRelatedToChannelId: own, moderationStatus: "likelySpam" };
    const all = (
      await walk(server, "/commentThreads", { part: "id", maxResults: 100, ...query }, { as: own })
    ).map(({ id }) => id);
    const first = await page(query);
    const decided = first.items.filter(
      ({ snippet }: Loose) => snippet.topLevelComment.snippet.moderationStatus === "likelySpam",
    );
    await moderate(decided.map(({ id }: Loose) => id).join(), "rejected");
    const second = await page(query, first.nextPageToken);

    expect(idsOf(second)).toEqual(all.slice(20, 40));
  });
});
