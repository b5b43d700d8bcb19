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
      options: {
        show: option.choice({ group: "video_list", values: ["popular", "liked", "disliked"] }),
        region: option.country({ covers: "regionCode", suggest: suggest.regions }),
        category: option.field("videos.list", "videoCategoryId", { suggest: suggest.categories }),
        videos: option.videos({ covers: "id", suggest: suggest.ownVideos }),
        details: option.choice({ group: "video_details", values: videos.detailsPageNames }),
      },
      run: (ctx) => videos.openVideoList(ctx, ctx.options),
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
      options: {
        video: option.video({ ...own, covers: "id" }),
        title: option.field("videos.update", "snippet.title"),
        description: option.field("videos.update", "snippet.description"),
        tags: option.field("videos.update", "snippet.tags"),
        category: option.field("videos.update", "snippet.categoryId", {
          suggest: suggest.categories,
        }),
        privacy: option.field("videos.update", "status.privacyStatus"),
        publish: option.date({
          must: "future",
          covers: "status.publishAt",
          suggest: suggest.futureDates,
        }),
        kids: option.field("videos.update", "status.selfDeclaredMadeForKids"),
        language: option.language({
          covers: "snippet.defaultLanguage",
          suggest: suggest.languages,
        }),
        license: option.field("videos.update", "status.license"),
        embed: option.field("videos.update", "status.embeddable"),
        public_numbers: option.field("videos.update", "status.publicStatsViewable"),
        synthetic: option.field("videos.update", "status.containsSyntheticMedia"),
      },
      opensWith: "video",
      run: (ctx) => videos.editVideo(ctx, ctx.options),
    }),
    delete: subcommand({
      method: "videos.delete",
      uses: ["videos.list", "channels.list"],
      options: { video: option.video({ ...own, covers: "id" }) },
      isRepeatable: true,
      run: (ctx) => videos.askDeleteVideo(ctx, ctx.options.video),
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
      options: {
        video: option.video({ required: true, covers: "videoId" }),
        reason: option.field("videos.reportAbuse", "reasonId", { suggest: suggest.abuseReasons }),
        detail: option.field("videos.reportAbuse", "secondaryReasonId", {
          suggest: suggest.secondaryReasons("reason"),
        }),
        comments: option.text({ max: 1500, covers: "comments" }),
      },
      run: (ctx) => {
        const {
          video: videoId,
          reason: reasonId,
          detail: secondaryReasonId,
          comments,
        } = ctx.options;
        return videos.reportVideo(ctx, {
          videoId,
          reasonId,
          secondaryReasonId,
          comments,
          extra: ctx.extra,
        });
      },
    }),
    categories: subcommand({
      method: "videoCategories.list",
      decides: ["part"],
      options: {
        region: option.country({ covers: "regionCode", suggest: suggest.regions }),
        categories: option.ids({ of: "category", covers: "id", suggest: suggest.categories }),
      },
      run: (ctx) => videos.openVideoCategories(ctx, ctx.options),
    }),
    "report-reasons": subcommand({
      method: "videoAbuseReportReasons.list",
      run: (ctx) => videos.reportReasons.open(ctx, null),
    }),
  },
  actions: [...videos.videoActions, ...uploads.videoUploadActions],
});
