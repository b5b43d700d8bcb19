import { command } from "../src/discord/index.ts";
import { captionsFlow, option, subcommand, suggest } from "../src/features/index.ts";

const theirVideo = { required: true, suggest: suggest.ownVideos } as const;
const theirCaptions = { of: "captions", required: true, covers: "id" } as const;
const suggested = { suggest: suggest.captionsOf("video") };

export default command({
  subcommands: {
    list: subcommand({
      method: "captions.list",
      uses: ["videos.list"],
      options: { video: option.video({ ...theirVideo, covers: "videoId" }) },
      run: (ctx) => captionsFlow.openList(ctx, ctx.options.video),
    }),
    upload: subcommand({
      method: "captions.insert",
      uses: ["videos.list"],
      options: {
        video: option.video({ ...theirVideo, covers: "snippet.videoId" }),
        file: option.attachment({ required: true }),
        language: option.language({
          required: true,
          covers: "snippet.language",
          suggest: suggest.languages,
        }),
        name: option.field("captions.insert", "snippet.name"),
        draft: option.field("captions.insert", "snippet.isDraft"),
      },
      run: (ctx) => captionsFlow.askUpload(ctx, ctx.options),
    }),
    update: subcommand({
      method: "captions.update",
      uses: ["videos.list", "captions.list"],
      options: {
        video: option.video(theirVideo),
        captions: option.id({ ...theirCaptions, ...suggested }),
        file: option.attachment({}),
        draft: option.field("captions.update", "snippet.isDraft"),
      },
      run: (ctx) => captionsFlow.askUpdate(ctx, ctx.options),
    }),
    download: subcommand({
      method: "captions.download",
      uses: ["videos.list", "captions.list"],
      options: {
        video: option.video(theirVideo),
        captions: option.words({ covers: "id", ...suggested }),
        format: option.choice({
          group: "tfmt",
          values: ["original", ...captionsFlow.formats, "all"],
          covers: "tfmt",
        }),
        translate: option.language({ covers: "tlang", suggest: suggest.languages }),
      },
      run: (ctx) => captionsFlow.askDownloads(ctx, ctx.options),
    }),
    delete: subcommand({
      method: "captions.delete",
      uses: ["videos.list", "captions.list"],
      options: {
        video: option.video(theirVideo),
        captions: option.id({ ...theirCaptions, ...suggested }),
      },
      run: (ctx) => captionsFlow.askDelete(ctx, ctx.options),
    }),
  },
  actions: captionsFlow.actions,
});
