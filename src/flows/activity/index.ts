import {
  browse,
  type ChannelRef,
  type Ctx,
  cut,
  type Item,
  join,
  link,
  pages,
  presses,
  type Reply,
  reaches,
  since,
  smallThumbnail,
  type Text,
  type Words,
} from "../../discord/index.ts";
import type { Activity, ResourceId } from "../../video/index.ts";
import { findChannel } from "../channels/index.ts";
import { itemThumbnail, ownView } from "../lists/index.ts";
import { requireOrder } from "../options/index.ts";

interface Query {
  /** When absent: the linked channel, with what only it sees of its own activity. */
  readonly channelId?: string;
  readonly name?: string;
  readonly after?: string | undefined;
  readonly before?: string | undefined;
  readonly region?: string | undefined;
}

interface Found {
  readonly activity: Activity;
  /** Title of the playlist that something was added to. */
  readonly playlist?: string | undefined;
}

const activities = browse<"activities.list", Query, Found>({
  name: "activity.turn",
  row: "activities.list",
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
  item: (found, { words }) => drawActivity(found, words),
  empty: (words) => words.say("activity.empty"),
  columns: {
    type: ({ snippet }) => snippet?.type,
    title: ({ snippet }) => snippet?.title,
    publishedAt: ({ snippet }) => snippet?.publishedAt,
    id: (activity) => Object.values(aboutOf(activity) ?? {})[0],
    url: (activity) => addressOf(aboutOf(activity)),
  },
  isPrivate: ({ channelId }) => channelId === undefined,
});

interface ActivityOptions {
  readonly channel?: ChannelRef | undefined;
  readonly after?: Date | undefined;
  readonly before?: Date | undefined;
  readonly region?: string | undefined;
}

/** What a channel did lately; moderators see of the linked one what only its owner sees. */
async function open(ctx: Ctx, options: ActivityOptions): Promise<Reply> {
  const { channel, after, before, region = ctx.settings.region } = options;
  requireOrder(after, before);
  const when = { after: after?.toISOString(), before: before?.toISOString(), region };
  if (channel === undefined && isOwners(ctx)) return activities.open(await ownView(ctx), when);
  const { id, title } = await findChannel(ctx, channel);
  return activities.open(ctx, { ...when, channelId: id, name: title });
}

export const activity = { open, actions: activities.actions } as const;

/** What the linked channel liked is nobody else's business; members see what everybody can. */
function isOwners({ rank, channelId }: Ctx<unknown>): boolean {
  return channelId !== undefined && reaches(rank, "moderator");
}

/** An activity names a playlist by its id alone; one unit names those of a page. */
async function withPlaylists(
  items: readonly Activity[],
  ctx: Ctx<unknown>,
): Promise<readonly Found[]> {
  const id = [...new Set(items.flatMap((activity) => playlistOf(activity) ?? []))];
  const wanted = { part: ["snippet"], id } as const;
  const { signal } = ctx;
  const known =
    id.length === 0 ? [] : (await ctx.video.call("playlists.list", wanted, { signal })).items;
  const titles = new Map(known.map((playlist) => [playlist.id, playlist.snippet?.title]));
  return items.map((activity) => ({ activity, playlist: titles.get(playlistOf(activity)) }));
}

function playlistOf({ contentDetails }: Activity): string | undefined {
  return contentDetails?.playlistItem?.playlistId;
}

function drawActivity({ activity, playlist }: Found, words: Words): Item {
  const { snippet } = activity;
  const about = aboutOf(activity);
  const title = snippet?.title;
  const thumbnail = smallThumbnail(snippet?.thumbnails);
  const videoId = about?.videoId;
  return {
    title: didOf({ activity, playlist }, linkTo(about, title, words), words),
    lines: linesOf(activity, words),
    ...itemThumbnail(title ?? words.say("common.untitled"), thumbnail, words),
    ...(videoId === undefined
      ? {}
      : {
          buttons: [{ label: words.say("cards.details"), press: presses.video.details(videoId) }],
        }),
  };
}

function didOf({ activity, playlist: title }: Found, what: Text, words: Words): Text {
  const playlistId = playlistOf(activity);
  if (playlistId !== undefined) {
    const label = title === undefined ? words.say("activity.playlist") : cut(title, 60);
    const playlist = link(label, pages.playlist(playlistId));
    return words.md("activity.to_playlist", { what, playlist });
  }
  return words.md("activity.did", { kind: activity.snippet?.type ?? "other", what });
}

function linesOf({ snippet, contentDetails }: Activity, words: Words): readonly Text[] {
  const { recommendation, social } = contentDetails ?? {};
  const seed = recommendation?.seedResourceId;
  const when = since(snippet?.publishedAt);
  return [
    ...(seed === undefined
      ? []
      : [
          words.md("activity.because", {
            reason: recommendation?.reason ?? "other",
            seed: linkTo(seed, undefined, words),
          }),
        ]),
    ...(social?.author ? [words.md("activity.by", { author: cut(social.author, 60) })] : []),
    ...(when === undefined ? [] : [join([when], "")]),
  ];
}

/** Each kind of activity has a field of its own; most name the resource that they are about. */
function aboutOf({ contentDetails }: Activity): Partial<ResourceId> | undefined {
  const { upload, ...others } = contentDetails ?? {};
  if (upload?.videoId !== undefined) return { videoId: upload.videoId };
  const { kind: _, ...ids } =
    Object.values(others).find((other) => other?.resourceId !== undefined)?.resourceId ?? {};
  return Object.keys(ids).length === 0 ? undefined : ids;
}

function addressOf(about: Partial<ResourceId> | undefined): string | undefined {
  if (about?.videoId !== undefined) return pages.video(about.videoId);
  if (about?.channelId !== undefined) return pages.channel(about.channelId);
  return about?.playlistId === undefined ? undefined : pages.playlist(about.playlistId);
}

function linkTo(
  about: Partial<ResourceId> | undefined,
  title: string | undefined,
  words: Words,
): Text {
  const url = addressOf(about);
  const label = title ? cut(title, 90) : nameless(about, words);
  return url === undefined ? label : link(label, url);
}

function nameless(about: Partial<ResourceId> | undefined, words: Words): string {
  if (about?.videoId !== undefined) return words.say("activity.a_video");
  if (about?.channelId !== undefined) return words.say("activity.a_channel");
  return words.say(about?.playlistId === undefined ? "activity.something" : "activity.a_playlist");
}
