import { readFileSync } from "node:fs";
import { placeComment } from "./comments.ts";
import { addSubscription } from "./community.ts";
import { itemId } from "./playlists.ts";
import type {
  ChannelSettings,
  StoredCaptionTrack,
  StoredChannel,
  StoredComment,
  StoredLevel,
  StoredMembership,
  StoredPlaylist,
  StoredSection,
  StoredSubscription,
  StoredUser,
  StoredVideo,
} from "./records.ts";
import { emptyChannelSettings, emptyPlaylistSettings, newVideo } from "./settings.ts";
import { emptyVideoState, type VideoState } from "./state.ts";

/** A record as its file has it: fields with the usual value are left out. */
type SampleRow<T, K extends keyof T> = Pick<T, K> & Partial<T>;

type ChannelRow = Omit<
  StoredChannel,
  keyof ChannelSettings | "hidesSubscribers" | "hasClosedLists"
> &
  Partial<StoredChannel>;
type PlaylistRow = SampleRow<
  StoredPlaylist,
  "id" | "channelId" | "title" | "publishedAt" | "items"
>;
type VideoRow = SampleRow<
  StoredVideo,
  "id" | "channelId" | "title" | "description" | "publishedAt" | "seconds"
>;
type CommentRow = SampleRow<StoredComment, "id" | "videoId" | "authorId" | "text" | "publishedAt">;

/**
 * The sample data as of `now`: the records of `samples/`, one in a line. Some titles, names and comments are hostile on
 * purpose: what shows them must escape.
 */
export function buildVideoState(now: number): VideoState {
  function read<T>(name: string): T[] {
    const text = readFileSync(new URL(`./samples/${name}.json`, import.meta.url), "utf8");
    const rows: T[] = JSON.parse(text);
    for (const row of rows) if (typeof row === "object") moveTimes(row as JsonRow, now);
    return rows;
  }
  const channels = read<ChannelRow>("channels").map((row) => ({
    ...emptyChannelSettings(),
    hidesSubscribers: false,
    hasClosedLists: false,
    ...row,
  }));
  const videos = read<VideoRow>("videos").map((row) =>
    newVideo({ likes: undefined, comments: undefined, ...row }),
  );
  const users = read<StoredUser>("users").map((row) => ({ ...row, isGone: row.isGone ?? false }));
  const state: VideoState = {
    ...emptyVideoState(),
    ownChannelId: channels[0]?.id ?? "",
    channels: byId(channels),
    videos: byId(videos),
    users: byId(users),
    playlists: byId(read<PlaylistRow>("playlists").map(toPlaylist)),
    privateLists: byId(read<PlaylistRow>("private-lists").map(toPlaylist)),
    captions: byId(
      read<StoredCaptionTrack>("captions").map((row) => ({
        ...row,
        name: "",
        isDraft: false,
        bytes: undefined,
        format: "srt",
      })),
    ),
    sections: Map.groupBy(read<StoredSection>("sections"), ({ channelId }) => channelId),
    privateFollowers: new Set(read<string>("private-followers")),
    levels: read<StoredLevel>("levels"),
    memberships: read<StoredMembership>("memberships"),
  };
  for (const row of read<CommentRow>("comments")) {
    // The id of a reply begins with that of the comment that it answers.
    const [top, reply] = row.id.split(".");
    placeComment(state, {
      parentId: reply === undefined ? undefined : top,
      status: "published",
      likes: 0,
      updatedAt: row.publishedAt,
      hasImage: false,
      ...row,
    });
  }
  for (const { subscriberId: id, channelId, subscribedAt: at } of read<StoredSubscription>(
    "subscriptions",
  ))
    addSubscription(state, { id, channelId, at });
  for (const { channelId, videoId, likedAt } of read<SampleLike>("likes")) {
    state.likes.set(channelId, [...(state.likes.get(channelId) ?? []), videoId]);
    state.likedAt.set(`${channelId} ${videoId}`, likedAt);
  }
  return state;
}

interface SampleLike {
  readonly channelId: string;
  readonly videoId: string;
  readonly likedAt: number;
}

/** In the files these are milliseconds from now, so that the data never grow old. */
const times =
  "addedAt joinedAt levelSince likedAt publishedAt since startsAt subscribedAt updatedAt".split(
    " ",
  );

type JsonRow = Record<string, unknown> & { readonly items?: readonly JsonRow[] };

function moveTimes(row: JsonRow, now: number): void {
  for (const field of times) if (field in row) row[field] = now + Number(row[field]);
  for (const item of row.items ?? []) moveTimes(item, now);
}

function byId<T extends { readonly id: string }>(records: readonly T[]): Map<string, T> {
  return new Map(records.map((record) => [record.id, record]));
}

function toPlaylist(row: PlaylistRow): StoredPlaylist {
  const items = row.items.map((item) => ({
    ...item,
    id: itemId(row.id, item.videoId),
    note: undefined,
  }));
  return { ...emptyPlaylistSettings(), description: "", privacy: "public", ...row, items };
}
