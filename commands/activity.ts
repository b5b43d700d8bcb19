import {
  browse,
  type Ctx,
  command,
  cut,
  type Item,
  join,
  link,
  option,
  pages,
  presses,
  reaches,
  since,
  smallThumbnail,
  subcommand,
  suggest,
  type Text,
  type Words,
} from "../src/discord/index.ts";
import { findChannel, ownView, requireOrder } from "../src/flows/index.ts";
import type { Activity, ResourceId } from "../src/video/index.ts";

interface Query {
  /** The linked channel, with what only it knows of itself, when absent. */
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

const activity = browse<"activities.list", Query, Found>({
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

export default command({
  run: subcommand({
    row: "activities.list",
    uses: ["channels.list", "playlists.list"],
    decides: ["mine"],
    options: {
      channel: option.channel({ covers: "channelId", suggest: suggest.channels }),
      after: option.date({
        must: "past",
        covers: "publishedAfter",
        suggest: suggest.pastDates,
      }),
      before: option.date({ covers: "publishedBefore", suggest: suggest.pastDates }),
      region: option.country({ covers: "regionCode", suggest: suggest.regions }),
    },
    run: async (ctx) => {
      const { channel, after, before, region = ctx.settings.region } = ctx.options;
      requireOrder(after, before);
      const when = { after: after?.toISOString(), before: before?.toISOString(), region };
      if (channel === undefined && isOwners(ctx)) return activity.open(await ownView(ctx), when);
      const { id, title } = await findChannel(ctx, channel);
      return activity.open(ctx, { ...when, channelId: id, name: title });
    },
  }),
  actions: activity.actions,
});

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
    ...(thumbnail === undefined
      ? {}
      : {
          thumbnail: {
            url: thumbnail,
            alt: words.say("common.thumbnail_of", {
              title: cut(title ?? words.say("common.untitled"), 80),
            }),
          },
        }),
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

/** Each kind of activity has a field of its own; most say with a resource what they are about. */
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
