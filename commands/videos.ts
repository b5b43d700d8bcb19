import { command } from "../src/discord/index.ts";
import { option, subcommand, suggest, uploads, videos } from "../src/features/index.ts";

const own = { required: true, suggest: suggest.ownVideos } as const;

export default command({
  subcommands: {
    list: subcommand({
      method: "videos.list",
      uses: ["videoCategories.list"],
      // The size of a player is for `/videos player`: without that part it has no effect.
      decides: ["part", "chart", "myRating", "maxWidth", "maxHeight"],
      options: videos.videoListOptions,
      run: videos.openVideoList,
    }),
    show: subcommand({
      uses: videos.detailsUses,
      options: {
        video: option.video(own),
        details: option.choice({ group: "video_details", values: videos.detailsPageNames }),
      },
      run: (ctx) => {
        const { video, details } = ctx.options;
        return details === undefined
          ? videos.showVideo(ctx, video)
          : videos.showVideoDetails(ctx, video, details);
      },
    }),
    player: subcommand({
      uses: ["videos.list"],
      options: {
        video: option.video(own),
        width: option.field("videos.list", "maxWidth"),
        height: option.field("videos.list", "maxHeight"),
      },
      run: (ctx) => {
        const { video, width, height } = ctx.options;
        return videos.showVideoDetails(ctx, video, "player", {
          maxWidth: width,
          maxHeight: height,
        });
      },
    }),
    upload: subcommand({
      method: "videos.insert",
      uses: ["captions.insert", "thumbnails.set"],
      decides: ["part"],
      options: uploads.uploadOptions,
      form: uploads.formFromOptions,
      run: uploads.uploadFromOptions,
    }),
    edit: subcommand({
      method: "videos.update",
      uses: ["videos.list", "channels.list", "videoCategories.list"],
      decides: ["part"],
      options: videos.videoEditOptions,
      opensWith: "video",
      run: videos.editVideo,
    }),
    delete: subcommand({
      method: "videos.delete",
      uses: ["videos.list", "channels.list"],
      options: { video: option.video({ ...own, covers: "id" }) },
      isRepeatable: true,
      run: (ctx) => videos.askDeleteVideo(ctx, { id: ctx.options.video }),
    }),
    rate: subcommand({
      method: "videos.rate",
      options: {
        video: option.video({ required: true, covers: "id", suggest: suggest.ownVideos }),
        rating: option.choice({
          required: true,
          group: "rating",
          values: ["like", "dislike", "none"],
          covers: "rating",
        }),
      },
      run: (ctx) => {
        const { video: id, rating } = ctx.options;
        return videos.rateVideo(ctx, { id, rating });
      },
    }),
    rating: subcommand({
      method: "videos.getRating",
      uses: ["videos.list"],
      options: {
        videos: option.videos({ required: true, covers: "id", suggest: suggest.ownVideos }),
      },
      run: (ctx) => videos.videoRatings.open(ctx, { id: ctx.options.videos }),
    }),
    report: subcommand({
      method: "videos.reportAbuse",
      uses: ["videoAbuseReportReasons.list", "videos.list"],
      options: videos.videoReportOptions,
      run: videos.reportVideoFromOptions,
    }),
    categories: subcommand({
      method: "videoCategories.list",
      decides: ["part"],
      options: videos.videoCategoryOptions,
      run: videos.openVideoCategories,
    }),
    "report-reasons": subcommand({
      method: "videoAbuseReportReasons.list",
      run: (ctx) => videos.reportReasons.open(ctx, null),
    }),
  },
  actions: [...videos.videoActions, ...uploads.videoUploadActions],
});
