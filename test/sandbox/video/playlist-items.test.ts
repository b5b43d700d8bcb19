import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { items, type Loose, open, refused, type Stage, send } from "./writes.ts";

let server: Stage;
let videos: string[];
let listId: string;
let otherList: string;
let special: Loose;

beforeAll(async () => {
  server = await open();
  const uploads = await server.get("/playlistItems?part=contentDetails&maxResults=9", {
    playlistId: uploadsOf(server.otherChannelId),
  });
  videos = items(uploads).map(({ contentDetails }) => contentDetails.videoId);
  const lists = await server.get("/playlists", { part: "id", channelId: server.otherChannelId });
  otherList = items(lists)[0]?.id;
  const own = await server.get("/channels", { part: "contentDetails", mine: "true" });
  special = items(own)[0]?.contentDetails.relatedPlaylists;
});

beforeEach(async () => {
  server.quota.refill();
  const { body } = await server.post("/playlists?part=snippet,status", {
    snippet: { title: "Order" },
    status: { privacyStatus: "public" },
  });
  listId = body.id;
});

afterAll(() => server.close());

const uploadsOf = (channelId: string): string => `UU${channelId.slice(2)}`;

interface Adding {
  readonly playlistId?: string;
  readonly position?: number;
  readonly note?: string;
  readonly resourceId?: Loose;
}

function add(videoId: string | undefined, adding: Adding = {}) {
  const { playlistId = listId, position, note } = adding;
  const resourceId = adding.resourceId ?? { kind: "youtube#video", videoId };
  return server.post("/playlistItems?part=snippet,contentDetails", {
    snippet: { playlistId, resourceId, ...(position !== undefined && { position }) },
    ...(note !== undefined && { contentDetails: { note } }),
  });
}

async function order(playlistId: string = listId): Promise<string[]> {
  const query = { part: "snippet,contentDetails", playlistId, maxResults: "50" };
  const listed = items(await server.get("/playlistItems", query));
  expect(listed.map(({ snippet }) => snippet.position)).toEqual(listed.map((_, index) => index));
  return listed.map(({ contentDetails }) => contentDetails.videoId);
}

describe("playlistItems.insert", () => {
  it("appends, or puts in at a position and moves the rest", async () => {
    await add(videos[0]);
    await add(videos[1]);
    const { body } = await add(videos[2], { position: 1, note: "in between" });

    expect(body.snippet).toMatchObject({ position: 1, playlistId: listId });
    expect(body.contentDetails).toMatchObject({ note: "in between", videoId: videos[2] });
    expect(await order()).toEqual([videos[0], videos[2], videos[1]]);
  });

  it("takes the same video twice, as items of their own", async () => {
    const first = await add(videos[0]);
    const second = await add(videos[0]);

    expect(first.body.id).not.toBe(second.body.id);
    expect(await order()).toEqual([videos[0], videos[0]]);
  });

  it.each([
    ["no list", () => ({ playlistId: "" }), [400, "playlistIdRequired"]],
    ["no video", () => ({ resourceId: { kind: "youtube#video" } }), [400, "resourceIdRequired"]],
    [
      "a channel",
      () => ({ resourceId: { kind: "youtube#channel", channelId: "UCx" } }),
      [400, "invalidResourceType"],
    ],
    ["an unknown list", () => ({ playlistId: "PLnothing" }), [404, "playlistNotFound"]],
    [
      "a list of somebody else",
      () => ({ playlistId: otherList }),
      [403, "playlistItemsNotAccessible"],
    ],
    [
      "the list of uploads",
      () => ({ playlistId: special.uploads }),
      [400, "playlistOperationUnsupported"],
    ],
    ["a position beyond the end", () => ({ position: 1 }), [400, "invalidPlaylistItemPosition"]],
    ["281 characters of note", () => ({ note: "n".repeat(281) }), [400, "invalidContentDetails"]],
  ])("refuses %s", async (_, adding, expected) => {
    expect(refused(await add(videos[0], adding())).slice(0, 2)).toEqual(expected);
  });

  it("refuses a video that is not there, or not to be seen", async () => {
    expect(refused(await add("nothing-here")).slice(0, 2)).toEqual([404, "videoNotFound"]);
  });
});

describe("playlistItems.update", () => {
  const update = (id: string, snippet: Loose, part = "snippet", contentDetails: Loose = {}) =>
    server.put(
      "/playlistItems",
      {
        id,
        snippet: {
          playlistId: listId,
          resourceId: { kind: "youtube#video", videoId: videos[0] },
          ...snippet,
        },
        contentDetails,
      },
      { part },
    );

  it("moves an item and renumbers the others", async () => {
    const { body } = await add(videos[0]);
    await add(videos[1]);
    await add(videos[2]);
    const moved = await update(body.id, { position: 2 });

    expect(moved.body.snippet.position).toBe(2);
    expect(await order()).toEqual([videos[1], videos[2], videos[0]]);
  });

  it("erases the note when its part is named without it", async () => {
    const { body } = await add(videos[0], { note: "old" });
    const changed = await update(body.id, {}, "contentDetails", { note: "new" });
    const erased = await update(body.id, {}, "contentDetails");

    expect(changed.body.contentDetails.note).toBe("new");
    expect(erased.body.contentDetails.note).toBeUndefined();
  });

  it.each([
    ["an unknown item", "nothing", {}, [404, "playlistItemNotFound"]],
    ["a position beyond the end", undefined, { position: 1 }, [400, "invalidPlaylistItemPosition"]],
    ["no list", undefined, { playlistId: undefined }, [400, "playlistIdRequired"]],
    ["no video", undefined, { resourceId: undefined }, [400, "resourceIdRequired"]],
  ])("refuses %s", async (_, id, snippet, expected) => {
    const { body } = await add(videos[0]);

    expect(refused(await update(id ?? body.id, snippet)).slice(0, 2)).toEqual(expected);
  });
});

describe("playlistItems.delete", () => {
  const remove = (id: string, token: "owner" | "other" = "owner") =>
    send(server, "DELETE", "/playlistItems", { query: { id }, token });

  it("takes one item out and closes the gap", async () => {
    await add(videos[0]);
    const { body } = await add(videos[1]);
    await add(videos[2]);
    const first = await remove(body.id);
    const again = await remove(body.id);

    expect([first.status, refused(again)[1]]).toEqual([204, "playlistItemNotFound"]);
    expect(await order()).toEqual([videos[0], videos[2]]);
  });

  it("is refused for lists of somebody else and for uploads", async () => {
    const uploads = await server.get("/playlistItems", { part: "id", playlistId: special.uploads });
    const { body } = await add(videos[0]);

    expect(refused(await remove(body.id, "other"))).toEqual([403, "playlistItemsNotAccessible"]);
    expect(refused(await remove(items(uploads)[0]?.id))[1]).toBe("playlistOperationUnsupported");
  });
});

describe("the special lists", () => {
  it("are named to their owner alone", async () => {
    const query = { part: "contentDetails", id: server.ownChannelId };
    const open = await send(server, "GET", "/channels", { query, token: undefined });

    expect(Object.keys(special).sort()).toEqual(["likes", "uploads", "watchHistory", "watchLater"]);
    expect(items(open)[0]?.contentDetails.relatedPlaylists).toEqual({
      likes: "",
      uploads: special.uploads,
    });
  });

  it.each([
    ["watchLater", "watchLaterNotAccessible"],
    ["watchHistory", "watchHistoryNotAccessible"],
    ["likes", "playlistItemsNotAccessible"],
  ])("close %s to everybody else", async (name, reason) => {
    const query = { part: "id", playlistId: special[name] };
    const own = await server.get("/playlistItems", query);
    const others = await Promise.all(
      (["other", undefined] as const).map((token) =>
        send(server, "GET", "/playlistItems", { query, token }),
      ),
    );

    expect(items(own).length).toBeGreaterThan(0);
    expect(others.map((answer) => refused(answer).slice(0, 2))).toEqual([
      [403, reason],
      [403, reason],
    ]);
  });

  it.each(["watchLater", "watchHistory"])("let their owner change %s", async (name) => {
    const playlistId = special[name];
    const video = videos[name === "watchLater" ? 3 : 4];
    const before = await order(playlistId);
    const added = await add(video, { playlistId });
    const twice = await add(video, { playlistId });
    const during = await order(playlistId);
    await server.delete("/playlistItems", { id: added.body.id });

    expect(refused(twice)).toEqual([409, "videoAlreadyInPlaylist"]);
    expect(during).toEqual(name === "watchLater" ? [...before, video] : [video, ...before]);
    expect(await order(playlistId)).toEqual(before);
  });

  it("like a video by putting it into the likes", async () => {
    const rating = async (): Promise<string> =>
      items(await server.get("/videos/getRating", { id: videos[5] ?? "" }))[0]?.rating;
    await server.post(`/videos/rate?rating=none&id=${videos[5]}`);
    const added = await add(videos[5], { playlistId: special.likes });
    const liked = await rating();
    await server.delete("/playlistItems", { id: added.body.id });

    expect([added.status, liked, await rating()]).toEqual([200, "like", "none"]);
  });

  it("keep their own order where the service sorts them", async () => {
    const answer = await add(videos[6], { playlistId: special.watchHistory, position: 0 });

    expect(refused(answer)[1]).toBe("manualSortRequired");
  });

  it("answer to the short names that links give them", async () => {
    expect(await order("WL")).toEqual(await order(special.watchLater));
    expect(await order("LL")).toEqual(await order(special.likes));
  });
});
