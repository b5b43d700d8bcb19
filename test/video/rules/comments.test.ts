import { describe, expect, it } from "vitest";
import { maxCommentChars, postComment, replyToComment } from "../../../src/video/index.ts";
import { startRig } from "./rig.ts";

const echo = ({ json }: { json: object }) => ({ body: { id: "new", ...json } });
const found = (item: object) => () => ({ body: { items: [item] } });
const none = () => ({ body: { items: [] } });

describe("postComment", () => {
  const commented = { id: "v", snippet: { channelId: "UC2" }, statistics: { commentCount: "0" } };

  it("reads whose video it is, and starts a thread under it", async () => {
    const { client, server, asked } = await startRig({
      "GET /videos": found(commented),
      "POST /commentThreads": echo,
    });

    await postComment(client, { videoId: "v", text: "Hello" });

    expect(asked()).toEqual(["GET /videos", "POST /commentThreads"]);
    expect(JSON.parse(String(server.received[1]?.body))).toEqual({
      snippet: {
        channelId: "UC2",
        videoId: "v",
        topLevelComment: { snippet: { textOriginal: "Hello" } },
      },
    });
  });

  it("writes nothing where comments are off", async () => {
    const reason = { reason: "commentsDisabled", domain: "youtube.commentThread", message: "off" };
    const { client, asked } = await startRig({
      "GET /videos": found({ ...commented, statistics: { viewCount: "1" } }),
      "GET /commentThreads": () => ({
        status: 403,
        body: { error: { code: 403, message: "off", errors: [reason] } },
      }),
    });

    await expect(postComment(client, { videoId: "v", text: "Hello" })).rejects.toMatchObject({
      code: "comments_disabled",
    });
    expect(asked()).toEqual(["GET /videos", "GET /commentThreads"]);
  });

  it("writes where only the number of comments is hidden", async () => {
    const { client, asked } = await startRig({
      "GET /videos": found({ ...commented, statistics: {} }),
      "GET /commentThreads": none,
      "POST /commentThreads": echo,
    });

    await postComment(client, { videoId: "v", text: "Hello" });

    expect(asked()).toEqual(["GET /videos", "GET /commentThreads", "POST /commentThreads"]);
  });

  it("writes nothing under a video that is not there", async () => {
    const { client } = await startRig({ "GET /videos": none });

    await expect(postComment(client, { videoId: "v", text: "Hello" })).rejects.toMatchObject({
      code: "video_not_found",
    });
  });
});

describe.each([
  [
    "postComment",
    (client: Parameters<typeof postComment>[0], text: string) =>
      postComment(client, { videoId: "v", text }),
  ],
  [
    "replyToComment",
    (client: Parameters<typeof postComment>[0], text: string) =>
      replyToComment(client, { commentId: "c", text }),
  ],
])("%s", (_, post) => {
  it.each([
    ["no text", "", "comment_text_required"],
    ["only spaces", " \n\t ", "comment_text_required"],
    ["too much text", "x".repeat(maxCommentChars + 1), "comment_text_too_long"],
  ])("asks for nothing with %s", async (_case, text, code) => {
    const { client, asked } = await startRig({});

    await expect(post(client, text)).rejects.toMatchObject({ kind: "input", code });
    expect(asked()).toEqual([]);
  });
});

describe("replyToComment", () => {
  const thread = (canReply?: boolean) => found({ id: "top", snippet: { canReply } });

  it.each([
    ["a comment", { id: "top", snippet: {} }, "top"],
    ["a reply, in the thread above it", { id: "top.1", snippet: { parentId: "top" } }, "top"],
  ])("answers %s", async (_, comment, parentId) => {
    const { client, server, asked } = await startRig({
      "GET /comments": found(comment),
      "GET /commentThreads": thread(true),
      "POST /comments": echo,
    });

    await replyToComment(client, { commentId: comment.id, text: "Thanks" });

    expect(asked()).toEqual(["GET /comments", "GET /commentThreads", "POST /comments"]);
    expect(server.received[1]?.url.searchParams.get("id")).toBe("top");
    expect(JSON.parse(String(server.received[2]?.body))).toEqual({
      snippet: { parentId, textOriginal: "Thanks" },
    });
  });

  it("writes nothing where the thread takes no replies", async () => {
    const { client, asked } = await startRig({
      "GET /comments": found({ id: "top", snippet: {} }),
      "GET /commentThreads": thread(false),
    });

    await expect(replyToComment(client, { commentId: "top", text: "x" })).rejects.toMatchObject({
      kind: "access",
      code: "replies_not_allowed",
    });
    expect(asked()).not.toContain("POST /comments");
  });

  it("goes on when the thread is not found under the comment's id", async () => {
    const { client, asked } = await startRig({
      "GET /comments": found({ id: "top", snippet: {} }),
      "GET /commentThreads": none,
      "POST /comments": echo,
    });

    await replyToComment(client, { commentId: "top", text: "x" });

    expect(asked().at(-1)).toBe("POST /comments");
  });

  it("writes nothing to a comment that is not there", async () => {
    const { client } = await startRig({ "GET /comments": none });

    await expect(replyToComment(client, { commentId: "gone", text: "x" })).rejects.toMatchObject({
      code: "comment_not_found",
    });
  });
});
