import { describe, expect, it } from "vitest";
import { showPublicView } from "../../../src/features/context/public-view.ts";
import type { VideoClient } from "../../../src/video/index.ts";
import { through } from "./through.ts";

const showPublic = (client: VideoClient) => through(showPublicView(undefined), client);

const items = [
  { id: "a", status: { privacyStatus: "public" } },
  { id: "b", status: { privacyStatus: "unlisted" } },
  { id: "c", status: { privacyStatus: "private" } },
  { id: "d" },
];

function seeing() {
  const asked: unknown[] = [];
  const client = {
    call: async (method: string, params: object) => {
      asked.push([method, params]);
      return { items };
    },
  } as unknown as VideoClient;
  return { asked, view: showPublic(client) };
}

describe("showPublicView", () => {
  it("leaves out what is private, and what does not say", async () => {
    const { view } = seeing();

    const page = await view.call("playlists.list", { part: ["snippet"], mine: true });

    expect(page.items?.map(({ id }) => id)).toEqual(["a", "b"]);
  });

  it("asks for the part that says it", async () => {
    const { view, asked } = seeing();

    await view.call("videos.list", { part: ["snippet"], id: ["x"] });

    expect(asked).toEqual([["videos.list", { part: ["snippet", "status"], id: ["x"] }]]);
  });

  it("leaves out what a video shows its owner alone", async () => {
    const status = { privacyStatus: "public", license: "youtube", selfDeclaredMadeForKids: false };
    const video = {
      id: "a",
      status,
      statistics: { viewCount: "1", dislikeCount: "2" },
      contentDetails: { definition: "hd", hasCustomThumbnail: true },
    };
    const client = { call: async () => ({ items: [video] }) } as unknown as VideoClient;

    const page = await showPublic(client).call("videos.list", {
      part: ["status"],
      id: ["a"],
    });

    expect(page.items).toEqual([
      {
        id: "a",
        status: { privacyStatus: "public", license: "youtube" },
        statistics: { viewCount: "1" },
        contentDetails: { definition: "hd" },
      },
    ]);
  });

  it("does the same on every page of a walk", async () => {
    const { view } = seeing();

    for await (const page of view.pages("playlistItems.list", { part: ["id"], playlistId: "PL" })) {
      expect(page.items.map(({ id }) => id)).toEqual(["a", "b"]);
    }
  });

  it("looks up once whether a list that is walked is private", async () => {
    const asked: string[] = [];
    const client = {
      call: async (method: string, { pageToken }: { readonly pageToken?: string }) => {
        asked.push(method);
        return { items, ...(pageToken === undefined && { nextPageToken: "2" }) };
      },
    } as unknown as VideoClient;
    const pages = showPublic(client).pages("playlistItems.list", {
      part: ["id"],
      playlistId: "PL",
    });

    for await (const _ of pages);

    expect(asked).toEqual(["playlists.list", "playlistItems.list", "playlistItems.list"]);
  });

  it("reveals nothing that is in a private playlist", async () => {
    const client = {
      call: async (method: string) => ({
        items:
          method === "playlists.list"
            ? [{ id: "PL", status: { privacyStatus: "private" } }]
            : items,
      }),
    } as unknown as VideoClient;
    const view = showPublic(client);
    const wanted = { part: ["id"], playlistId: "PL" } as const;

    expect((await view.call("playlistItems.list", wanted)).items).toEqual([]);
    for await (const page of view.pages("playlistItems.list", wanted)) {
      expect(page.items).toEqual([]);
    }
  });

  it("lets other methods pass as they are", async () => {
    const { view, asked } = seeing();

    const page = await view.call("channels.list", { part: ["snippet"], id: ["UC"] });

    expect(page.items).toHaveLength(4);
    expect(asked).toEqual([["channels.list", { part: ["snippet"], id: ["UC"] }]]);
  });

  it("leaves out comments and replies that wait for a decision", async () => {
    const said = (id: string, moderationStatus?: string) => ({ id, snippet: { moderationStatus } });
    const threads = [
      { id: "t1", snippet: { topLevelComment: said("t1", "published") } },
      { id: "t2", snippet: { topLevelComment: said("t2", "heldForReview") } },
      {
        id: "t3",
        snippet: { topLevelComment: said("t3") },
        replies: { comments: [said("r1", "likelySpam"), said("r2", "published"), said("r3")] },
      },
    ];
    const client = {
      call: async (method: string) => ({
        items: method === "comments.list" ? [said("a"), said("b", "heldForReview")] : threads,
      }),
    } as unknown as VideoClient;

    const view = showPublic(client);
    const list = await view.call("commentThreads.list", { part: ["snippet"], videoId: "v" });
    const replies = await view.call("comments.list", { part: ["snippet"], parentId: "t1" });

    expect(list.items.map(({ id }) => id)).toEqual(["t1", "t3"]);
    expect(list.items[1]?.replies?.comments?.map(({ id }) => id)).toEqual(["r2", "r3"]);
    expect(replies.items.map(({ id }) => id)).toEqual(["a"]);
  });
});
