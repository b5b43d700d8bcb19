import { describe, expect, it } from "vitest";
import { maxCommentChars, postComment, replyToComment } from "../../../src/video/index.ts";
import { startRig } from "./rig.ts";

const echo = ({ json }: { json: object }) => ({ body: { id: "new", ...json } });
const found = (item: object) => () => ({ body: { items: [item] } });
const none = () => ({ body: { items: [] } });

describe("postComment", () => {
  it("starts a thread under a video of a channel", async () => {
    const { client, server, asked } = await startRig({ "POST /commentThreads": echo });

    await postComment(client, { videoId: "v", channelId: "UC1", text: "Hello" });

    expect(asked()).toEqual(["POST /commentThreads"]);
    expect(JSON.parse(String(server.received[0]?.body))).toEqual({
      snippet: {
        channelId: "UC1",
        videoId: "v",
        topLevelComment: { snippet: { textOriginal: "Hello" } },
      },
    });
  });

  it("reads whose video it is when nobody says so", async () => {
    const { client, server } = await startRig({
      "GET /videos": found({ id: "v", snippet: { channelId: "UC2" } }),
      "POST /commentThreads": echo,
    });

    await postComment(client, { videoId: "v", text: "Hello" });

    expect(JSON.parse(String(server.received[1]?.body)).snippet.channelId).toBe("UC2");
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
