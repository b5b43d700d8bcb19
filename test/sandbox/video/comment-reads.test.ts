import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { VideoServer } from "../../../src/sandbox/video/index.ts";
import { type Answer, type Loose, list, open, refusalOf, send, walk } from "./people.ts";

let server: VideoServer;
let own: string;
/** The creator's most watched video, which has more comments than a page holds. */
let busy: string;
/** The creator's video without comments. */
let silent: string;

beforeAll(async () => {
  server = await open();
  own = server.ownChannelId;
  const mine = await list(
    server,
    "/search?part=snippet&forMine=true&type=video&maxResults=50",
    {},
    { as: own },
  );
  const ids = mine.map(({ id }) => id.videoId).join();
  const videos = await list(server, "/videos", { part: "statistics,status", id: ids }, { as: own });
  const counts = videos.filter(({ statistics }) => "commentCount" in statistics);
  counts.sort((one, other) => other.statistics.commentCount - one.statistics.commentCount);
  busy = counts[0]?.id;
  silent = videos.find(({ statistics }) => !("commentCount" in statistics))?.id;
});

afterAll(() => server.close());

const threads = (query: Record<string, string | number>, as?: string): Promise<Answer> =>
  send(server, "GET /commentThreads?part=snippet,replies&maxResults=100", { ...query }, { as });

const allThreads = (query: Record<string, string | number>, as?: string): Promise<Loose[]> =>
  walk(server, "/commentThreads", { part: "snippet,replies", maxResults: 100, ...query }, { as });

const related = (moderationStatus: string): Record<string, string> => ({
  allThreadsRelatedToChannelId: own,
  moderationStatus,
});

describe("commentThreads.list", () => {
  it("shows a video's threads newest first, each with its top comment", async () => {
    const found = await allThreads({ videoId: busy });
    const times = found.map(({ snippet }) => snippet.topLevelComment.snippet.publishedAt);

    expect(found.length).toBeGreaterThan(200);
    expect(times).toEqual([...times].sort().reverse());
    expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
    expect(found[0]).toMatchObject({
      kind: "youtube#commentThread",
      snippet: {
        channelId: own,
        videoId: busy,
        canReply: true,
        isPublic: true,
        topLevelComment: { kind: "youtube#comment", id: found[0]?.id, snippet: { videoId: busy } },
      },
    });
  });

  it("has at most five replies in it and says how many there are", async () => {
    const found = await allThreads({ videoId: busy });
    const talked = found.filter(({ snippet }) => snippet.totalReplyCount > 100);
    const shown = found.map(({ replies }) => replies?.comments.length ?? 0);

    expect(talked).toHaveLength(1);
    expect(talked[0]?.replies.comments).toHaveLength(5);
    expect(Math.max(...shown)).toBe(5);
    expect(found.filter(({ snippet }) => snippet.totalReplyCount === 0)[0]).not.toHaveProperty(
      "replies",
    );
  });

  it("agrees with the video's own count, replies counted too", async () => {
    const found = await allThreads({ videoId: busy });
    const [video] = await list(server, "/videos", { part: "statistics", id: busy });
    const listed = found.reduce((sum, { snippet }) => sum + 1 + snippet.totalReplyCount, 0);

    expect(Number(video?.statistics.commentCount)).toBe(listed);
  });

  it("puts what is liked and answered first when order=relevance", async () => {
    const [first] = (await threads({ videoId: busy, order: "relevance" })).body.items;

    expect(first.snippet.totalReplyCount).toBeGreaterThan(100);
  });

  it("finds words in comments and in replies to them", async () => {
    const found = await allThreads({
      allThreadsRelatedToChannelId: own,
      searchTerms: "DROP table",
    });

    expect(found.map(({ snippet }) => snippet.topLevelComment.snippet.textDisplay)).toEqual([
      "&#39;; DROP TABLE comments; --",
    ]);
  });

  it("escapes HTML, breaks lines and links addresses, unless plain text is wanted", async () => {
    const markup = { allThreadsRelatedToChannelId: own, searchTerms: "script alert bold" };
    const lines = { allThreadsRelatedToChannelId: own, searchTerms: "heading another" };
    const address = { allThreadsRelatedToChannelId: own, searchTerms: "brackets" };
    const text = async (query: Record<string, string>): Promise<string> =>
      (await threads(query)).body.items[0].snippet.topLevelComment.snippet.textDisplay;

    expect(await text(markup)).toBe(
      "&lt;script&gt;alert(&#39;hi&#39;)&lt;/script&gt; &amp; &lt;b&gt;bold&lt;/b&gt; &amp;amp; &amp;lt;i&amp;gt;",
    );
    expect(await text({ ...markup, textFormat: "plainText" })).toBe(
      "<script>alert('hi')</script> & <b>bold</b> &amp; &lt;i&gt;",
    );
    expect(await text(lines)).toMatch(/^# A heading<br>## Another<br>/);
    expect(await text(address)).toContain(
      '<a href="https://example.com/(brackets)?q=1&amp;r=2#x">https://example.com/(brackets)?q=1&amp;r=2#x</a>',
    );
  });

  it.each([
    ["heldForReview", 60, 100],
    ["likelySpam", 40, 60],
  ])("shows what is %s to the channel alone", async (status, least, most) => {
    const found = await allThreads(related(status), own);
    const waiting = found
      .flatMap(({ snippet, replies }) => [snippet.topLevelComment, ...(replies?.comments ?? [])])
      .filter(({ snippet }) => snippet.moderationStatus === status);

    expect(waiting.length).toBeGreaterThanOrEqual(least - 15);
    expect(waiting.length).toBeLessThanOrEqual(most);
    expect(refusalOf(await threads(related(status)))).toBe("401 authorizationRequired");
    expect(refusalOf(await threads(related(status), otherChannel()))).toBe("403 forbidden");
    expect(
      refusalOf(await threads({ videoId: busy, moderationStatus: status }, otherChannel())),
    ).toBe("403 forbidden");
  });

  it("lists a published thread when a reply in it is held, with the replies that wait in it", async () => {
    const found = await allThreads(related("heldForReview"), own);
    const byReply = found.filter(
      ({ snippet }) => snippet.topLevelComment.snippet.moderationStatus === "published",
    );
    const [{ id } = { id: "" }] = byReply;
    const all = await list(
      server,
      "/comments?part=snippet&maxResults=100",
      { parentId: id },
      { as: own },
    );
    const seen = await list(server, "/comments?part=snippet&maxResults=100", { parentId: id });

    expect(byReply.length).toBeGreaterThan(3);
    expect(all.map(({ snippet }) => snippet.moderationStatus)).toContain("heldForReview");
    expect(all.length).toBe(byReply[0]?.snippet.totalReplyCount);
    expect(seen.length).toBeLessThan(all.length);
  });

  it("shows nothing that waits among the published ones, not even to the channel", async () => {
    const forAll = await allThreads(related("published"));
    const forOwner = await allThreads(related("published"), own);

    expect(forOwner.map(({ id, snippet }) => [id, snippet.totalReplyCount])).toEqual(
      forAll.map(({ id, snippet }) => [id, snippet.totalReplyCount]),
    );
    expect(forOwner[0]?.snippet.topLevelComment.snippet.moderationStatus).toBe("published");
    expect(forAll[0]?.snippet.topLevelComment.snippet).not.toHaveProperty("moderationStatus");
  });

  it("says nothing about authors whose accounts are deleted", async () => {
    const found = await allThreads({ allThreadsRelatedToChannelId: own });
    const snippets = found.map(({ snippet }) => snippet.topLevelComment.snippet);
    const gone = snippets.filter((snippet) => !("authorDisplayName" in snippet));

    expect(gone.length).toBeGreaterThan(2);
    expect(gone.length).toBeLessThan(snippets.length / 5);
    expect(gone.every((snippet) => !("authorChannelId" in snippet))).toBe(true);
  });

  it("gives authors pictures that can be fetched", async () => {
    const [first] = (await threads({ videoId: busy, order: "relevance" })).body.items;
    const { authorProfileImageUrl } = first.snippet.topLevelComment.snippet;
    const response = await fetch(authorProfileImageUrl);

    expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
  });

  it("names authors whose channels can be looked up", async () => {
    const [first] = (await threads({ videoId: busy, order: "relevance" })).body.items;
    const { authorDisplayName, authorChannelId } = first.snippet.topLevelComment.snippet;
    const found = await list(server, "/channels", { part: "snippet", id: authorChannelId.value });

    expect(found.map(({ snippet }) => snippet.title)).toEqual([authorDisplayName]);
  });

  it("finds threads by id, and leaves unknown ones out", async () => {
    const { id } = (await threads({ videoId: busy })).body.items[0];
    const found = await list(server, "/commentThreads", { part: "id", id: `nothing,${id}` });

    expect(found.map((thread) => thread.id)).toEqual([id]);
  });

  it("shows what waits by id to the channel alone", async () => {
    const [{ id } = { id: "" }] = await allThreads(related("likelySpam"), own);
    const byId = (as?: string): Promise<Answer> =>
      send(server, "GET /commentThreads", { part: "snippet", id }, { as });

    expect((await byId(own)).body.items[0].snippet).toMatchObject({
      canReply: false,
      isPublic: false,
    });
    expect(refusalOf(await byId())).toBe("404 commentThreadNotFound");
  });

  it.each([
    [{ videoId: "nothing" }, "404 videoNotFound"],
    [{ allThreadsRelatedToChannelId: "UCnobody" }, "404 channelNotFound"],
    [{ videoId: "x", moderationStatus: "rejected" }, "400 invalidParameter"],
    [{ id: "nothing" }, "400 incompatibleParameters"],
    [{ videoId: "x", id: "y" }, "400 incompatibleParameters"],
    [{}, "400 missingRequiredParameter"],
    [{ videoId: "x", maxResults: 101 }, "400 invalidParameter"],
  ])("refuses %j", async (query, expected) => {
    expect(refusalOf(await threads(query as Record<string, string>))).toEqual(expected);
  });

  it("says so where comments are off, which is no matter of rights", async () => {
    expect(refusalOf(await threads({ videoId: silent }))).toBe("403 commentsDisabled");
    expect(refusalOf(await threads({ videoId: silent }, own))).toBe("403 commentsDisabled");
  });

  it("has none for posts nor for a channel itself", async () => {
    expect((await threads({ postId: "Ugkx" })).body.items).toEqual([]);
    expect((await threads({ channelId: own })).body.items).toEqual([]);
    expect(refusalOf(await threads({ channelId: "UCnobody" }))).toBe("404 channelNotFound");
  });

  it("keeps page tokens to the query they came from", async () => {
    const { nextPageToken } = (await threads({ videoId: busy })).body;
    const other = await threads({ videoId: busy, order: "relevance", pageToken: nextPageToken });

    expect(refusalOf(other)).toBe("400 invalidPageToken");
    expect(refusalOf(await threads({ videoId: busy, pageToken: "nonsense" }))).toBe(
      "400 invalidPageToken",
    );
  });

  it("refuses a token whose scopes are too few, even for what everybody sees", async () => {
    const weak = await open({ identify: () => ({ channelId: own, scopes: ["youtube"] }) });
    const answer = await send(weak, "GET /commentThreads?part=id", { videoId: busy }, { as: "t" });
    await weak.close();

    expect(refusalOf(answer)).toBe("403 insufficientPermissions");
  });
});

describe("comments.list", () => {
  it("walks all replies to a comment, newest first", async () => {
    const found = await allThreads({ videoId: busy });
    const thread = found.find(({ snippet }) => snippet.totalReplyCount > 100);
    const query = { part: "snippet", parentId: thread?.id, maxResults: 50 };
    const replies = await walk(server, "/comments", query);
    const times = replies.map(({ snippet }) => snippet.publishedAt);

    expect(replies).toHaveLength(thread?.snippet.totalReplyCount);
    expect(times).toEqual([...times].sort().reverse());
    expect(new Set(replies.map(({ snippet }) => snippet.parentId))).toEqual(new Set([thread?.id]));
    expect(replies.slice(0, 5).map(({ id }) => id)).toEqual(
      thread?.replies.comments.map(({ id }: Loose) => id),
    );
  });

  it("finds comments by id, whether they are replies or not, and leaves unknown ones out", async () => {
    const found = await allThreads({ videoId: busy });
    const thread = found.find(({ replies }) => replies !== undefined);
    const id = [thread?.id, "nothing", thread?.replies.comments[0].id].join();
    const items = await list(server, "/comments", { part: "snippet", id });

    expect(items.map((comment) => comment.id)).toEqual([
      thread?.id,
      thread?.replies.comments[0].id,
    ]);
    expect(items[0]?.snippet).not.toHaveProperty("parentId");
  });

  it("gives what was typed to its author alone", async () => {
    const found = await allThreads({ videoId: busy }, own);
    const replies = found.flatMap((thread) => thread.replies?.comments ?? []);
    const mine = replies.filter(({ snippet }: Loose) => snippet.authorChannelId?.value === own);
    const others = replies.filter(({ snippet }: Loose) => snippet.authorChannelId?.value !== own);

    expect(mine.length).toBeGreaterThan(2);
    expect(mine.every(({ snippet }: Loose) => typeof snippet.textOriginal === "string")).toBe(true);
    expect(others.some(({ snippet }: Loose) => "textOriginal" in snippet)).toBe(false);
  });

  it.each([
    [{ parentId: "nothing" }, "404 commentNotFound"],
    [{ id: "x", maxResults: 5 }, "400 incompatibleParameters"],
    [{ id: "x", parentId: "y" }, "400 incompatibleParameters"],
  ])("refuses %j", async (query, expected) => {
    const answer = await send(server, "GET /comments", { part: "id", ...query } as Record<
      string,
      string
    >);

    expect(refusalOf(answer)).toEqual(expected);
  });
});

function otherChannel(): string {
  return [...server.channels.keys()][2] ?? "";
}
