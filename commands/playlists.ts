import { command } from "../src/discord/index.ts";
import { option, playlists, subcommand, suggest } from "../src/features/index.ts";

const outputs = ["list", "csv", "json", "raw"] as const;

/** One of the lists that YouTube keeps for the linked channel, for its own people. */
const special = (list: playlists.OwnersList) =>
  subcommand({
    rank: "moderator",
    answer: "private",
    needs: ["channel"],
    uses: ["channels.list", "playlistItems.list"],
    options: { output: option.choice({ group: "output", values: outputs }) },
    run: (ctx) => playlists.openSpecial(ctx, list),
  });

export default command({
  subcommands: {
    list: subcommand({
      method: "playlists.list",
      uses: ["channels.list"],
      options: playlists.playlistListOptions,
      run: playlists.openPlaylists,
    }),
    show: subcommand({
      method: "playlistItems.list",
      uses: ["playlists.list", "channels.list"],
      decides: ["id"],
      options: {
        playlist: option.playlist({
          required: true,
          covers: "playlistId",
          suggest: suggest.playlists,
        }),
        video: option.video({ covers: "videoId", suggest: suggest.ownVideos }),
      },
      run: (ctx) => playlists.openItems(ctx, ctx.options.playlist, ctx.options.video),
    }),
    entries: subcommand({
      uses: ["playlistItems.list"],
      options: {
        entries: option.ids({ of: "entry", required: true }),
        output: option.choice({ group: "output", values: outputs }),
      },
      run: playlists.openEntries,
    }),
    add: subcommand({
      method: "playlistItems.insert",
      uses: ["channels.list", "playlists.list", "playlistItems.list", "videos.list"],
      decides: ["snippet.resourceId"],
      options: {
        playlist: option.playlist({
          required: true,
          covers: "snippet.playlistId",
          suggest: suggest.playlists,
        }),
        videos: option.pastedVideos({ required: true, suggest: suggest.ownVideos }),
        position: option.position({ covers: "snippet.position" }),
        note: option.field("playlistItems.insert", "contentDetails.note"),
        again: option.flag({}),
      },
      run: (ctx) => {
        const { playlist, videos, position, note, again } = ctx.options;
        return playlists.addPastedVideos(ctx, videos, {
          playlistId: playlist,
          position:
            position === "top" ? 0 : typeof position === "number" ? position - 1 : undefined,
          note,
          again,
        });
      },
    }),
    move: subcommand({
      method: "playlistItems.update",
      uses: ["channels.list", "playlists.list", "playlistItems.list"],
      decides: ["part", "snippet.resourceId", "onBehalfOfContentOwner"],
      options: playlists.entryMoveOptions,
      run: (ctx) => playlists.moveEntry(ctx, ctx.options),
    }),
    remove: subcommand({
      method: "playlistItems.delete",
      uses: ["channels.list", "playlists.list", "playlistItems.list"],
      options: {
        playlist: option.playlist({ required: true, suggest: suggest.playlists }),
        items: option.text({
          required: true,
          covers: "id",
          suggest: suggest.playlistItems("playlist"),
        }),
      },
      run: (ctx) => playlists.askRemoveEntries(ctx, ctx.options),
    }),
    create: subcommand({
      method: "playlists.insert",
      options: playlists.newPlaylistOptions,
      run: playlists.createPlaylistFromOptions,
    }),
    edit: subcommand({
      method: "playlists.update",
      uses: ["playlists.list"],
      decides: ["part", "onBehalfOfContentOwner"],
      options: playlists.playlistEditOptions,
      opensWith: "playlist",
      run: playlists.editPlaylistFromOptions,
    }),
    delete: subcommand({
      method: "playlists.delete",
      uses: ["playlists.list"],
      options: {
        playlist: option.playlist({ required: true, covers: "id", suggest: suggest.ownPlaylists }),
      },
      isRepeatable: true,
      run: (ctx) => playlists.askDeletePlaylist(ctx, { id: ctx.options.playlist }),
    }),
    uploads: subcommand({
      uses: ["channels.list", "playlistItems.list"],
      options: {
        channel: option.channel({ suggest: suggest.channels }),
        output: option.choice({ group: "output", values: outputs }),
      },
      run: (ctx) => playlists.openUploads(ctx, ctx.options.channel),
    }),
    likes: special("likes"),
    history: special("watchHistory"),
    "watch-later": special("watchLater"),
  },
  actions: playlists.playlistActions,
});
