import { escapeHtml, etagOf, toList } from "../answer.ts";
import type { Call, Handler } from "../call.ts";
import { readRegion, toTimestamp } from "../locale.ts";
import { paginate } from "../paginate.ts";
import { badParameter } from "../refusal.ts";
import { type Found, findAll, type Thing } from "../search/candidates.ts";
import { checkFilters } from "../search/filters.ts";
import { channelThumbnails, videoThumbnails } from "../thumbnails/index.ts";

/** However many pages are asked for, a query yields no more (facts/video-api.json, limits.search). */
const maxResults = 500;
const snippetChars = 160;

export const search = {
  "search.list": (call) => {
    const { query } = call;
    checkFilters(call);
    const region = readRegion(call) ?? "US";
    const channelId = query.text("channelId");
    if (channelId !== undefined && !/^UC[\w-]{22}$/.test(channelId)) {
      throw badParameter("channelId", `Invalid channel id '${channelId}'.`, "invalidChannelId");
    }
    const found = findAll(call, region).slice(0, maxResults);
    const { things, envelope } = paginate(call, found, {
      belongsTo: `search ${query.chosenBy}`,
      idOf: (thing) => Object.values(idOf(thing)).join(" "),
      // An estimate that is too high, as the service's own: pages can't be counted by it.
      total: Math.ceil(found.length * 1.3),
    });
    const items = things.map((thing) => toResult(thing, call));
    const { pageInfo, ...tokens } = envelope;
    return toList("youtube#searchListResponse", items, { ...tokens, regionCode: region, pageInfo });
  },
} as const satisfies Record<string, Handler>;

function toResult(found: Found, call: Call): object {
  const hasSnippet = call.query.list("part").includes("snippet");
  const content = { id: idOf(found), ...(hasSnippet && { snippet: snippetOf(found, call) }) };
  return { kind: "youtube#searchResult", etag: etagOf(content), ...content };
}

function idOf(thing: Thing): object {
  switch (thing.type) {
    case "video":
      return { kind: "youtube#video", videoId: thing.video.id };
    case "channel":
      return { kind: "youtube#channel", channelId: thing.channel.id };
    case "playlist":
      return { kind: "youtube#playlist", playlistId: thing.playlist.id };
  }
}

function snippetOf(found: Found, { world, origin }: Call): object {
  const { channelId, description, thumbnails, live } = facts(found, origin, world.videos);
  return {
    publishedAt: toTimestamp(found.publishedAt),
    channelId,
    title: escapeHtml(found.title),
    description: escapeHtml(shorten(description)),
    thumbnails,
    channelTitle: escapeHtml(world.channels.get(channelId)?.title ?? ""),
    liveBroadcastContent: live,
  };
}

function facts(
  found: Found,
  origin: string,
  videos: Call["world"]["videos"],
): { channelId: string; description: string; thumbnails: object; live: string } {
  switch (found.type) {
    case "video": {
      const { channelId, description, live } = found.video;
      const thumbnails = videoThumbnails(origin, found.video);
      return { channelId, description, thumbnails, live: live === "completed" ? "none" : live };
    }
    case "channel": {
      const { id, description } = found.channel;
      return {
        channelId: id,
        description,
        thumbnails: channelThumbnails(origin, id),
        live: "none",
      };
    }
    case "playlist": {
      const { channelId, description, items } = found.playlist;
      const thumbnails = videoThumbnails(origin, videos.get(items[0]?.videoId ?? ""));
      return { channelId, description, thumbnails, live: "none" };
    }
  }
}

/** Search alone shortens descriptions and escapes text for HTML; other methods give it as it is. */
function shorten(text: string): string {
  const line = text.replace(/\s+/g, " ");
  const letters = [...line];
  return letters.length <= snippetChars ? line : `${letters.slice(0, snippetChars).join("")} ...`;
}
