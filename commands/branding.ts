import { command } from "../src/discord/index.ts";
import {
  channelBanner,
  channelWatermark,
  option,
  subcommand,
  suggest,
  videoThumbnail,
} from "../src/features/index.ts";

export default command({
  subcommands: {
    banner: subcommand({
      method: "channelBanners.insert",
      uses: ["channels.list", "channels.update"],
      options: { picture: option.attachment({ required: true }) },
      isRepeatable: true,
      run: (ctx) => channelBanner.askFor(ctx, ctx.options.picture),
    }),
    thumbnail: subcommand({
      method: "thumbnails.set",
      uses: ["videos.list"],
      options: {
        video: option.video({ required: true, covers: "videoId", suggest: suggest.ownVideos }),
        picture: option.attachment({ required: true }),
      },
      run: (ctx) => videoThumbnail.askFor(ctx, ctx.options.video, ctx.options.picture),
    }),
    watermark: subcommand({
      method: "watermarks.set",
      uses: ["channels.list"],
      options: channelWatermark.options,
      decides: ["channelId"],
      isRepeatable: true,
      run: channelWatermark.askFor,
    }),
    "remove-watermark": subcommand({
      method: "watermarks.unset",
      uses: ["channels.list"],
      decides: ["channelId"],
      isRepeatable: true,
      run: channelWatermark.askToRemove,
    }),
  },
  actions: [...channelBanner.actions, ...videoThumbnail.actions, ...channelWatermark.actions],
});
