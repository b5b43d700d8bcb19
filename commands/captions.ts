import { command } from "../src/discord/index.ts";
import { captionsFlow, option, subcommand, suggest } from "../src/features/index.ts";

export default command({
  subcommands: {
    list: subcommand({
      method: "captions.list",
      uses: ["videos.list"],
      options: {
        video: option.video({ required: true, covers: "videoId", suggest: suggest.ownVideos }),
      },
      run: (ctx) => captionsFlow.openList(ctx, ctx.options.video),
    }),
    upload: subcommand({
      method: "captions.insert",
      uses: ["videos.list"],
      options: captionsFlow.uploadOptions,
      run: captionsFlow.askUpload,
    }),
    update: subcommand({
      method: "captions.update",
      uses: ["videos.list", "captions.list"],
      options: captionsFlow.updateOptions,
      run: captionsFlow.askUpdate,
    }),
    download: subcommand({
      method: "captions.download",
      uses: ["videos.list", "captions.list"],
      options: captionsFlow.downloadOptions,
      run: captionsFlow.askDownloads,
    }),
    delete: subcommand({
      method: "captions.delete",
      uses: ["videos.list", "captions.list"],
      options: captionsFlow.choice,
      run: captionsFlow.askDelete,
    }),
  },
  actions: captionsFlow.actions,
});
