import { expect } from "vitest";
import { type Cases, idsOf, present, refusal, type Youtube } from "./stage.ts";

/** Creates a playlist and returns its id. */
export async function makePlaylist(client: Youtube, title: string, privacyStatus = "public") {
  const { data } = await client.playlists.insert({
    part: ["snippet", "status"],
    requestBody: { snippet: { title, description: "Made here" }, status: { privacyStatus } },
  });
  return present(data.id);
}

/** Ids of popular videos. */
async function videoIds(client: Youtube, count: number): Promise<string[]> {
  const { data } = await client.videos.list({
    part: ["id"],
    chart: "mostPopular",
    maxResults: count,
  });
  return idsOf(data.items);
}

/** Adds a video and returns the item's id. */
async function add(client: Youtube, playlistId: string, videoId: string, position?: number) {
  const { data } = await client.playlistItems.insert({
    part: ["snippet", "contentDetails"],
    requestBody: {
      snippet: {
        playlistId,
        resourceId: { kind: "youtube#video", videoId },
        ...(position !== undefined && { position }),
      },
    },
  });
  return present(data.id);
}

/** The videos of a playlist, in order. */
async function contents(
  client: Youtube,
  playlistId: string,
): Promise<(string | null | undefined)[]> {
  const { data } = await client.playlistItems.list({
    part: ["snippet", "contentDetails"],
    playlistId,
    maxResults: 50,
  });
  const items = data.items ?? [];
  expect(items.map(({ snippet }) => snippet?.position)).toEqual(items.map((_, at) => at));
  return items.map(({ contentDetails }) => contentDetails?.videoId);
}

export const playlistCases = {
  "playlists.insert": {
    "makes a public one when nothing else is said": async ({ owner, visitor, server }) => {
      const { data } = await owner.playlists.insert({
        part: ["snippet", "status"],
        requestBody: { snippet: { title: "Grüße & more" } },
      });
      const { data: seen } = await visitor.playlists.list({
        part: ["snippet", "status"],
        id: [present(data.id)],
      });

      expect(data).toMatchObject({
        kind: "youtube#playlist",
        snippet: { title: "Grüße & more", channelId: server.ownChannelId },
        status: { privacyStatus: "public" },
      });
      expect(seen.items?.[0]?.snippet?.title).toBe("Grüße & more");
    },
    "keeps a private one from others": async ({ owner, visitor }) => {
      const id = await makePlaylist(owner, "Mine alone", "private");
      const mine = await owner.playlists.list({ part: ["status"], id: [id] });
      const theirs = await visitor.playlists.list({ part: ["status"], id: [id] });

      expect(mine.data.items?.[0]?.status?.privacyStatus).toBe("private");
      expect(theirs.data.items ?? []).toEqual([]);
    },
  },
  "playlists.list": {
    "lists a channel's own, several by id, and pages": async ({ owner, visitor, server }) => {
      const { data: mine } = await owner.playlists.list({
        part: ["snippet", "contentDetails"],
        mine: true,
        maxResults: 2,
      });
      const { data: second } = await owner.playlists.list({
        part: ["snippet"],
        mine: true,
        maxResults: 2,
        pageToken: present(mine.nextPageToken),
      });
      const { data: channel } = await visitor.playlists.list({
        part: ["id"],
        channelId: server.ownChannelId,
        maxResults: 50,
      });
      const two = idsOf(channel.items).slice(0, 2);
      const { data: named } = await visitor.playlists.list({ part: ["id"], id: two });

      expect(mine.items?.every((one) => one.snippet?.channelId === server.ownChannelId)).toBe(true);
      expect(idsOf(second.items)).not.toEqual(idsOf(mine.items));
      expect(idsOf(named.items).sort()).toEqual(two.sort());
    },
  },
  "playlists.update": {
    "replaces what its parts name": async ({ owner }) => {
      const id = await makePlaylist(owner, "Before");
      const { data } = await owner.playlists.update({
        part: ["snippet", "status"],
        requestBody: { id, snippet: { title: "After" }, status: { privacyStatus: "unlisted" } },
      });
      const { data: list } = await owner.playlists.list({ part: ["snippet", "status"], id: [id] });

      expect(data.snippet?.title).toBe("After");
      expect(list.items?.[0]).toMatchObject({
        snippet: { title: "After", description: "" },
        status: { privacyStatus: "unlisted" },
      });
    },
    "refuses one of somebody else": async ({ owner, other }) => {
      const id = await makePlaylist(owner, "Not yours");
      const requestBody = { id, snippet: { title: "Taken" } };

      expect(await refusal(other.playlists.update({ part: ["snippet"], requestBody }))).toMatch(
        /^403 playlistForbidden|^403 forbidden/,
      );
    },
  },
  "playlists.delete": {
    "takes its items with it": async ({ owner, visitor }) => {
      const id = await makePlaylist(owner, "Short-lived");
      const [video] = await videoIds(visitor, 1);
      await add(owner, id, present(video));
      const { status } = await owner.playlists.delete({ id });
      const { data } = await owner.playlists.list({ part: ["id"], id: [id] });
      const items = owner.playlistItems.list({ part: ["id"], playlistId: id });

      expect(status).toBe(204);
      expect(data.items ?? []).toEqual([]);
      expect(await refusal(items)).toBe("404 playlistNotFound");
      expect(await refusal(owner.playlists.delete({ id }))).toBe("404 playlistNotFound");
    },
  },
  "playlistItems.insert": {
    "adds at the end or at a place": async ({ owner, visitor }) => {
      const id = await makePlaylist(owner, "In order");
      const [a, b, c] = await videoIds(visitor, 3);
      await add(owner, id, present(a));
      await add(owner, id, present(b));
      await add(owner, id, present(c), 0);

      expect(await contents(visitor, id)).toEqual([c, a, b]);
    },
    "refuses a video that is not there": async ({ owner }) => {
      const id = await makePlaylist(owner, "Empty");

      expect(await refusal(add(owner, id, "nothing-here"))).toBe("404 videoNotFound");
    },
  },
  "playlistItems.list": {
    "goes from a handle to the channel's uploads": async ({ visitor }) => {
      const { data: channels } = await visitor.channels.list({
        part: ["contentDetails"],
        forHandle: "@orbitnotes",
      });
      const playlistId = present(channels.items?.[0]?.contentDetails?.relatedPlaylists?.uploads);
      const { data: items } = await visitor.playlistItems.list({
        part: ["snippet", "contentDetails", "status"],
        playlistId,
        maxResults: 50,
      });
      const { data: playlists } = await visitor.playlists.list({
        part: ["snippet", "contentDetails"],
        id: [playlistId],
      });

      expect(items.kind).toBe("youtube#playlistItemListResponse");
      expect(items.items?.length).toBeGreaterThan(10);
      expect(playlists.items?.[0]?.contentDetails?.itemCount).toBe(items.items?.length);
    },
  },
  "playlistItems.update": {
    "moves an item": async ({ owner, visitor }) => {
      const playlistId = await makePlaylist(owner, "Moving");
      const [a, b, c] = await videoIds(visitor, 3);
      const item = await add(owner, playlistId, present(a));
      await add(owner, playlistId, present(b));
      await add(owner, playlistId, present(c));
      const { data } = await owner.playlistItems.update({
        part: ["snippet"],
        requestBody: {
          id: item,
          snippet: {
            playlistId,
            position: 2,
            resourceId: { kind: "youtube#video", videoId: present(a) },
          },
        },
      });

      expect(data.snippet?.position).toBe(2);
      expect(await contents(visitor, playlistId)).toEqual([b, c, a]);
    },
  },
  "playlistItems.delete": {
    "takes out one item and closes the gap": async ({ owner, visitor }) => {
      const playlistId = await makePlaylist(owner, "Shrinking");
      const [a, b] = await videoIds(visitor, 2);
      const item = await add(owner, playlistId, present(a));
      await add(owner, playlistId, present(b));
      const { status } = await owner.playlistItems.delete({ id: item });

      expect(status).toBe(204);
      expect(await contents(visitor, playlistId)).toEqual([b]);
      expect(await refusal(owner.playlistItems.delete({ id: item }))).toBe(
        "404 playlistItemNotFound",
      );
    },
  },
} as const satisfies Partial<Cases>;
