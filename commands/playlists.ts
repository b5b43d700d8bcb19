import {
  browse,
  type ChannelRef,
  type Ctx,
  command,
  cut,
  gone,
  type Item,
  join,
  link,
  option,
  pages,
  perPage,
  plural,
  smallThumbnail,
  subcommand,
  time,
} from "../src/discord/index.ts";

interface FoundPlaylist {
  readonly id: string;
  readonly title: string;
  readonly count?: number | undefined;
  readonly publishedAt?: string | undefined;
  readonly thumbnail?: string | undefined;
}

interface FoundVideo {
  readonly id: string;
  readonly title: string;
  readonly channel?: string | undefined;
  readonly position: number;
  readonly addedAt?: string | undefined;
  readonly thumbnail?: string | undefined;
}

const ofChannel = browse<{ readonly channelId: string; readonly name: string }, FoundPlaylist>({
  name: "playlists.turn",
  row: "playlists.list",
  title: ({ name }) => `Playlists of ${cut(name, 80)}`,
  empty: "This channel has no public playlists.",
  look: async (ctx, { channelId }, pageToken) => {
    const part = ["snippet", "contentDetails"] as const;
    const wanted = { part, channelId, maxResults: perPage, pageToken };
    const { items, nextPageToken } = await ctx.video.call("playlists.list", wanted, ctx);
    const found = items.map(({ id = "", snippet, contentDetails }) => ({
      id,
      title: snippet?.title ?? "Untitled",
      count: contentDetails?.itemCount,
      publishedAt: snippet?.publishedAt,
      thumbnail: smallThumbnail(snippet?.thumbnails),
    }));
    return { found, ...(nextPageToken === undefined ? {} : { next: nextPageToken }) };
  },
  item: ({ id, title, count, publishedAt, thumbnail }, locale) => ({
    title: link(cut(title, 90), pages.playlist(id)),
    lines: [
      join(
        [
          ...(count === undefined ? [] : [plural(count, "video", "videos", locale)]),
          ...(publishedAt === undefined ? [] : [time(new Date(publishedAt))]),
        ],
        " · ",
      ),
    ],
    ...picture(title, thumbnail),
  }),
});

const inPlaylist = browse<{ readonly playlistId: string; readonly name: string }, FoundVideo>({
  name: "playlists.turn-items",
  row: "playlistItems.list",
  title: ({ name }) => cut(name, 100),
  empty: "This playlist is empty.",
  look: async (ctx, { playlistId }, pageToken) => {
    const part = ["snippet", "contentDetails"] as const;
    const wanted = { part, playlistId, maxResults: perPage, pageToken };
    const { items, nextPageToken } = await ctx.video.call("playlistItems.list", wanted, ctx);
    const found = items.map(({ snippet, contentDetails }) => ({
      id: contentDetails?.videoId ?? snippet?.resourceId?.videoId ?? "",
      title: snippet?.title ?? "Untitled",
      channel: snippet?.videoOwnerChannelTitle,
      position: snippet?.position ?? 0,
      addedAt: snippet?.publishedAt,
      thumbnail: smallThumbnail(snippet?.thumbnails),
    }));
    return { found, ...(nextPageToken === undefined ? {} : { next: nextPageToken }) };
  },
  item: ({ id, title, channel, position, addedAt, thumbnail }) => ({
    title: link(cut(`${position + 1}. ${title}`, 90), pages.video(id)),
    lines: [
      ...(channel === undefined ? [] : [cut(channel, 60)]),
      ...(addedAt === undefined ? [] : [join(["added", time(new Date(addedAt))], " ")]),
    ],
    ...picture(title, thumbnail),
  }),
});

export default command({
  description: "Playlists",
  subcommands: {
    list: subcommand({
      description: "The playlists of a channel",
      row: "playlists.list",
      options: {
        channel: option.channel({ description: "Its @handle, link or id", required: true }),
      },
      run: async (ctx) => {
        const channel = await findChannel(ctx, ctx.options.channel);
        if (channel === undefined) return gone("channel");
        return ofChannel.open(ctx, channel);
      },
    }),
    show: subcommand({
      description: "The videos of a playlist",
      row: "playlistItems.list",
      options: {
        playlist: option.playlist({ description: "Its link or id", required: true }),
      },
      run: async (ctx) => {
        const playlistId = ctx.options.playlist;
        const wanted = { part: ["snippet"], id: [playlistId] } as const;
        const { items } = await ctx.video.call("playlists.list", wanted, ctx);
        if (items[0] === undefined) return gone("playlist");
        return inPlaylist.open(ctx, { playlistId, name: items[0].snippet?.title ?? "Playlist" });
      },
    }),
  },
  actions: [ofChannel.turn, inPlaylist.turn],
});

async function findChannel(ctx: Ctx<unknown>, ref: ChannelRef) {
  const by = "id" in ref ? { id: [ref.id] } : { forHandle: ref.handle };
  const { items } = await ctx.video.call("channels.list", { part: ["snippet"], ...by }, ctx);
  const [channel] = items ?? [];
  if (channel?.id === undefined) return undefined;
  return { channelId: channel.id, name: channel.snippet?.title ?? channel.id };
}

function picture(title: string, url: string | undefined): Pick<Item, "thumbnail"> {
  return url === undefined ? {} : { thumbnail: { url, alt: `Thumbnail of ${cut(title, 80)}` } };
}
