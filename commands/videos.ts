import {
  action,
  command,
  option,
  ownView,
  subcommand,
  suggest,
  videos,
} from "../src/discord/index.ts";

const { videoList, ratings, categories, reportReasons } = videos;

const own = { required: true, suggest: suggest.ownVideos } as const;

/** Where a chart is of when neither the person nor the server says. */
const anywhere = "US";

const details = action<{ readonly id: string }>({
  name: "videos.details",
  answer: "private",
  by: "anyone",
  uses: ["videos.list"],
  run: (ctx, { id }) => videos.showVideo(ctx, id),
});

export default command({
  subcommands: {
    list: subcommand({
      row: "videos.list",
      decides: ["part", "chart", "myRating"],
      options: {
        show: option.choice({ group: "video_list", values: ["popular", "liked", "disliked"] }),
        region: option.country({ covers: "regionCode", suggest: suggest.regions }),
        category: option.field("videos.list", "videoCategoryId", { suggest: suggest.categories }),
        videos: option.videos({ covers: "id" }),
      },
      run: async (ctx) => {
        const { show = "popular", region, category, videos: id } = ctx.options;
        const { hl, settings } = ctx;
        if (id !== undefined) return videoList.open(ctx, { id, hl });
        if (show !== "popular") {
          const myRating = show === "liked" ? "like" : "dislike";
          return videoList.open(ownView(ctx), { myRating, hl });
        }
        return videoList.open(ctx, {
          chart: "mostPopular",
          regionCode: region ?? settings.region ?? anywhere,
          videoCategoryId: category,
          hl,
        });
      },
    }),
    show: subcommand({
      uses: ["videos.list"],
      options: { video: option.video(own) },
      run: (ctx) => videos.showVideo(ctx, ctx.options.video),
    }),
    delete: subcommand({
      row: "videos.delete",
      uses: ["videos.list", "channels.list"],
      options: { video: option.video({ ...own, covers: "id" }) },
      run: (ctx) => videos.askDelete(ctx, ctx.options.video, ctx.extra),
    }),
    rate: subcommand({
      row: "videos.rate",
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
        return videos.rate(ctx, { id, rating }, ctx.extra);
      },
    }),
    rating: subcommand({
      row: "videos.getRating",
      uses: ["videos.list"],
      options: { videos: option.videos({ required: true, covers: "id" }) },
      run: (ctx) => ratings.open(ctx, { id: ctx.options.videos }),
    }),
    report: subcommand({
      row: "videos.reportAbuse",
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
        const { video: videoId, reason: reasonId, detail, comments } = ctx.options;
        const { extra } = ctx;
        return videos.report(ctx, {
          videoId,
          reasonId,
          secondaryReasonId: detail,
          comments,
          extra,
        });
      },
    }),
    categories: subcommand({
      row: "videoCategories.list",
      decides: ["part", "id"],
      options: { region: option.country({ covers: "regionCode", suggest: suggest.regions }) },
      run: (ctx) =>
        categories.open(ctx, {
          regionCode: ctx.options.region ?? ctx.settings.region ?? anywhere,
        }),
    }),
    "report-reasons": subcommand({
      row: "videoAbuseReportReasons.list",
      run: (ctx) => reportReasons.open(ctx, null),
    }),
  },
  actions: [
    details,
    videos.askDeleteOf,
    videos.deleteNow,
    videos.rateIt,
    ...videos.reportActions,
    ...videoList.actions,
    ...ratings.actions,
    ...categories.actions,
    ...reportReasons.actions,
  ],
});
