import {
  compact,
  cut,
  join,
  link,
  type Reply,
  type ReplyItem,
  reaches,
  type Text,
  type Words,
} from "../../discord/index.ts";
import { type Activity, type ResourceId, smallThumbnail, youtubePages } from "../../video/index.ts";
import { formatSince, presses } from "../cards/index.ts";
import { findChannel } from "../channels/index.ts";
import type { Ctx, CtxFor } from "../context/index.ts";
import { option } from "../declarations/index.ts";
import { browse, itemThumbnail, viewAsChannel } from "../lists/index.ts";
import { requireDateOrder } from "../options/index.ts";
import { channels, pastDates, regions } from "../suggestions/index.ts";
import { withTimeZone } from "../time-zone/index.ts";

interface ActivityQuery {
  /** Absent for the linked channel's own view, which shows activity that nobody else sees. */
  readonly channelId?: string;
  readonly name?: string;
  readonly after?: string | undefined;
  readonly before?: string | undefined;
  readonly region?: string | undefined;
}

interface ListedActivity {
  readonly activity: Activity;
  /** Title of the playlist that a video was added to. */
  readonly playlist?: string | undefined;
}

const activities = browse<"activities.list", ActivityQuery, ListedActivity>({
  name: "activity.turn",
  method: "activities.list",
  uses: ["playlists.list"],
  params: ({ channelId, after, before, region }) => ({
    part: ["snippet", "contentDetails"],
    ...(channelId === undefined ? { mine: true } : { channelId }),
    publishedAfter: after,
    publishedBefore: before,
    regionCode: region,
  }),
  title: ({ name }, words) =>
    name === undefined
      ? words.say("activity.title_own")
      : words.say("activity.title", { channel: cut(name, 80) }),
  found: withPlaylists,
  item: drawActivity,
  empty: (words) => words.say("activity.empty"),
  columns: {
    type: "snippet.type",
    title: "snippet.title",
    publishedAt: "snippet.publishedAt",
    id: (activity) => Object.values(findSubject(activity) ?? {})[0],
    url: (activity) => subjectAddress(findSubject(activity)),
  },
  isPrivate: ({ channelId }) => channelId === undefined,
});

const activityOptions = {
  channel: option.channel({ covers: "channelId", suggest: channels }),
  after: option.date({ must: "past", covers: "publishedAfter", suggest: pastDates }),
  before: option.date({ covers: "publishedBefore", suggest: pastDates }),
  region: option.country({ covers: "regionCode", suggest: regions }),
};

/** A channel's recent activity. For the linked channel, moderators also see what only its owner sees. */
async function open(ctx: CtxFor<typeof activityOptions>): Promise<Reply> {
  const { channel, after, before, region = ctx.settings.region } = ctx.options;
  requireDateOrder(after, before);
  const when = { after: after?.toISOString(), before: before?.toISOString(), region };
  // What the linked channel liked is private, so members see only its public activity.
  if (channel === undefined && ctx.channelId !== undefined && reaches(ctx.rank, "moderator")) {
    const own = await activities.open(await viewAsChannel(ctx), when);
    return withTimeZone(ctx, own, after, before);
  }
  const { id, title } = await findChannel(ctx, channel);
  const shown = await activities.open(ctx, { ...when, channelId: id, name: title });
  return withTimeZone(ctx, shown, after, before);
}

export const activity = { options: activityOptions, open, actions: activities.actions } as const;

/** An activity has only a playlist's id; one call reads the titles for the whole page. */
async function withPlaylists(
  items: readonly Activity[],
  ctx: Ctx<unknown>,
): Promise<readonly ListedActivity[]> {
  const id = [...new Set(items.flatMap((activity) => findPlaylistId(activity) ?? []))];
  const wanted = { part: ["snippet"], id } as const;
  const { signal } = ctx;
  const known =
    id.length === 0 ? [] : (await ctx.video.call("playlists.list", wanted, { signal })).items;
  const titles = new Map(known.map((playlist) => [playlist.id, playlist.snippet?.title]));
  return items.map((activity) => ({ activity, playlist: titles.get(findPlaylistId(activity)) }));
}

function findPlaylistId({ contentDetails }: Activity): string | undefined {
  return contentDetails?.playlistItem?.playlistId;
}

function drawActivity(
  { activity, playlist }: ListedActivity,
  { words }: Pick<Ctx, "words">,
): ReplyItem {
  const { snippet, contentDetails } = activity;
  const about = findSubject(activity);
  const title = snippet?.title;
  const thumbnail = smallThumbnail(snippet?.thumbnails);
  const videoId = about?.videoId;
  const { recommendation, social } = contentDetails ?? {};
  const seed = recommendation?.seedResourceId;
  const when = formatSince(snippet?.publishedAt);
  return {
    title: describeActivity({ activity, playlist }, linkTo(about, title, words), words),
    lines: compact([
      seed !== undefined &&
        words.md("activity.because", {
          reason: recommendation?.reason ?? "other",
          seed: linkTo(seed, undefined, words),
        }),
      social?.author ? words.md("activity.by", { author: cut(social.author, 60) }) : undefined,
      when !== undefined && join([when], ""),
    ]),
    ...itemThumbnail(title ?? words.say("common.untitled"), thumbnail, words),
    buttons: videoId
      ? [{ label: words.say("cards.details"), press: presses.video.details(videoId) }]
      : undefined,
  };
}

function describeActivity(
  { activity, playlist: title }: ListedActivity,
  what: Text,
  words: Words,
): Text {
  const playlistId = findPlaylistId(activity);
  if (playlistId !== undefined) {
    const label = title === undefined ? words.say("activity.playlist") : cut(title, 60);
    const playlist = link(label, youtubePages.playlist(playlistId));
    return words.md("activity.to_playlist", { what, playlist });
  }
  return words.md("activity.did", { kind: activity.snippet?.type ?? "other", what });
}

/** Each kind of activity has its own field; most fields hold the id of the resource that the activity is about. */
function findSubject({ contentDetails }: Activity): Partial<ResourceId> | undefined {
  const { upload, ...others } = contentDetails ?? {};
  if (upload?.videoId !== undefined) return { videoId: upload.videoId };
  const { kind: _, ...ids } =
    Object.values(others).find((other) => other?.resourceId !== undefined)?.resourceId ?? {};
  return Object.keys(ids).length === 0 ? undefined : ids;
}

function subjectAddress(about: Partial<ResourceId> | undefined): string | undefined {
  if (about?.videoId !== undefined) return youtubePages.video(about.videoId);
  if (about?.channelId !== undefined) return youtubePages.channel(about.channelId);
  return about?.playlistId === undefined ? undefined : youtubePages.playlist(about.playlistId);
}

function linkTo(
  about: Partial<ResourceId> | undefined,
  title: string | undefined,
  words: Words,
): Text {
  const url = subjectAddress(about);
  const label = title ? cut(title, 90) : fallbackLabel(about, words);
  return url === undefined ? label : link(label, url);
}

function fallbackLabel(about: Partial<ResourceId> | undefined, words: Words): string {
  if (about?.videoId !== undefined) return words.say("activity.a_video");
  if (about?.channelId !== undefined) return words.say("activity.a_channel");
  return words.say(about?.playlistId === undefined ? "activity.something" : "activity.a_playlist");
}
