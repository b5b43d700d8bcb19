import {
  type Asked,
  action,
  command,
  type Extra,
  type OptionsOf,
  option,
  subcommand,
  suggest,
  withExtra,
} from "../src/discord/index.ts";
import { ownView, requireOneOf, uploads, videos } from "../src/flows/index.ts";

const { videoList, ratings, categories, reportReasons } = videos;

const own = { required: true, suggest: suggest.ownVideos } as const;

/** Where a chart is of when neither the person nor the server says. */
const anywhere = "US";

const uploadOptions = {
  video: option.attachment({}),
  link: option.text({ max: 1000 }),
  title: option.field("videos.insert", "snippet.title"),
  description: option.field("videos.insert", "snippet.description"),
  privacy: option.field("videos.insert", "status.privacyStatus"),
  publish: option.date({
    must: "future",
    covers: "status.publishAt",
    suggest: suggest.futureDates,
  }),
  tags: option.field("videos.insert", "snippet.tags"),
  category: option.field("videos.insert", "snippet.categoryId", { suggest: suggest.categories }),
  thumbnail: option.attachment({}),
  captions: option.attachment({}),
  captions_language: option.language({ suggest: suggest.languages }),
  more_captions: option.attachment({}),
  more_language: option.language({ suggest: suggest.languages }),
  kids: option.field("videos.insert", "status.selfDeclaredMadeForKids"),
  notify: option.field("videos.insert", "notifySubscribers"),
  language: option.language({ covers: "snippet.defaultLanguage", suggest: suggest.languages }),
  license: option.field("videos.insert", "status.license"),
  synthetic: option.field("videos.insert", "status.containsSyntheticMedia"),
} as const;

type UploadOptions = OptionsOf<typeof uploadOptions>;

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
      uses: ["videoCategories.list"],
      // The size of a player is for `/videos player`: without that part it has no effect.
      decides: ["part", "chart", "myRating", "maxWidth", "maxHeight"],
      options: {
        show: option.choice({ group: "video_list", values: ["popular", "liked", "disliked"] }),
        region: option.country({ covers: "regionCode", suggest: suggest.regions }),
        category: option.field("videos.list", "videoCategoryId", { suggest: suggest.categories }),
        videos: option.videos({ covers: "id", suggest: suggest.ownVideos }),
        details: option.choice({ group: "video_details", values: videos.detailsNames }),
      },
      run: async (ctx) => {
        const { show = "popular", region, category, videos: id, details } = ctx.options;
        const { hl, settings } = ctx;
        requireOneOf({ show: ctx.options.show, videos: id });
        const isOwners = details !== undefined && videos.detailsPage(details).isOwners === true;
        const seen = isOwners ? await ownView(ctx) : ctx;
        if (id !== undefined) return videoList.open(seen, { id, hl, details });
        if (show !== "popular") {
          const myRating = show === "liked" ? "like" : "dislike";
          return videoList.open(await ownView(ctx), { myRating, hl, details });
        }
        return videoList.open(seen, {
          details,
          chart: "mostPopular",
          regionCode: region ?? settings.region ?? anywhere,
          videoCategoryId: category,
          hl,
        });
      },
    }),
    show: subcommand({
      uses: videos.detailsUses,
      options: {
        video: option.video(own),
        details: option.choice({ group: "video_details", values: videos.detailsNames }),
      },
      run: (ctx) => {
        const { video, details } = ctx.options;
        return details === undefined
          ? videos.showVideo(ctx, video)
          : videos.showDetails(ctx, video, details);
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
        return videos.showDetails(ctx, video, "player", { maxWidth: width, maxHeight: height });
      },
    }),
    upload: subcommand({
      row: "videos.insert",
      uses: ["captions.insert", "thumbnails.set"],
      decides: ["part"],
      options: uploadOptions,
      form: (asked, options) => (options.title === undefined ? formFor(asked, options) : undefined),
      run: (ctx) => uploads.upload(ctx, draftOf(ctx.options, ctx.extra)),
    }),
    edit: subcommand({
      row: "videos.update",
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
      run: (ctx) => {
        const { video, publish, ...options } = ctx.options;
        const publishAt = publish?.toISOString();
        const { privacy } = options;
        const snippet = given({
          title: options.title,
          description: options.description,
          tags: options.tags,
          categoryId: options.category,
          defaultLanguage: options.language,
        });
        const status = given({
          privacyStatus: publishAt === undefined ? privacy : uploads.scheduled(privacy, publishAt),
          publishAt,
          selfDeclaredMadeForKids: options.kids,
          license: options.license,
          embeddable: options.embed,
          publicStatsViewable: options.public_numbers,
          containsSyntheticMedia: options.synthetic,
        });
        const { body } = withExtra(
          { body: { ...(snippet && { snippet }), ...(status && { status }) } },
          ctx.extra,
        );
        return Object.keys(body).length === 0
          ? videos.showEdit(ctx, video)
          : videos.edit(ctx, video, body);
      },
    }),
    delete: subcommand({
      row: "videos.delete",
      uses: ["videos.list", "channels.list"],
      options: { video: option.video({ ...own, covers: "id" }) },
      run: (ctx) => videos.askDelete(ctx, ctx.options.video),
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
        return videos.rate(ctx, { id, rating });
      },
    }),
    rating: subcommand({
      row: "videos.getRating",
      uses: ["videos.list"],
      options: {
        videos: option.videos({ required: true, covers: "id", suggest: suggest.ownVideos }),
      },
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
      decides: ["part"],
      options: {
        region: option.country({ covers: "regionCode", suggest: suggest.regions }),
        categories: option.ids({ of: "category", covers: "id", suggest: suggest.categories }),
      },
      run: (ctx) => {
        const { region, categories: ids } = ctx.options;
        requireOneOf({ region, categories: ids });
        if (ids !== undefined) return categories.open(ctx, { ids });
        return categories.open(ctx, { regionCode: region ?? ctx.settings.region ?? anywhere });
      },
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
    ...videos.detailsActions,
    ...videos.editActions,
    ...videos.reportActions,
    ...uploads.uploadActions,
    ...videoList.actions,
    ...ratings.actions,
    ...categories.actions,
    ...reportReasons.actions,
  ],
});

/** What the form does not hold, and what it begins with. */
function sketchOf(options: UploadOptions) {
  const { thumbnail, captions, captions_language, more_captions, more_language } = options;
  return {
    video: uploads.videoFileOf(options),
    description: options.description,
    categoryId: options.category,
    language: options.language,
    isForKids: options.kids,
    isSynthetic: options.synthetic,
    license: options.license,
    notifies: options.notify,
    captions: uploads.captionsOf([
      [captions, captions_language],
      [more_captions, more_language],
    ]),
    thumbnail: thumbnail && uploads.kept(thumbnail),
  };
}

function draftOf(options: UploadOptions, extra: Extra): uploads.Draft {
  const { title = "", tags, publish, privacy } = options;
  const publishAt = publish?.toISOString();
  return {
    ...sketchOf(options),
    title,
    tags,
    publishAt,
    privacy: uploads.scheduled(privacy, publishAt),
    extra,
  };
}

/** A form is the first answer, before dates can be read in the server's time zone: they are as they were typed. */
function formFor(asked: Asked, options: UploadOptions & { readonly extra?: Extra }) {
  const { tags, publish, privacy, extra = { query: {}, body: {} } } = options;
  return uploads.openUploadForm(asked, {
    ...sketchOf(options),
    tags: tags?.join(", "),
    privacy,
    publish: publish && String(publish),
    extra,
  });
}

/** Undefined when nothing is given. */
function given<T extends object>(fields: T): Partial<T> | undefined {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as Partial<T>);
}
