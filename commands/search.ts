import { command } from "../src/discord/index.ts";
import { option, subcommand, suggest, youtubeSearch } from "../src/features/index.ts";

export default command({
  run: subcommand({
    method: "search.list",
    uses: ["videos.list", "channels.list"],
    decides: ["part"],
    options: {
      query: option.text({ max: 300, covers: "q" }),
      type: option.choice({ group: "kind", values: youtubeSearch.kinds, covers: "type" }),
      channel: option.channel({ covers: "channelId", suggest: suggest.channels }),
      order: option.field("search.list", "order", { group: "search_order" }),
      length: option.choice({
        group: "video_length",
        values: ["short", "medium", "long"],
        covers: "videoDuration",
      }),
      after: option.date({ must: "past", covers: "publishedAfter" }),
      before: option.date({ covers: "publishedBefore", suggest: suggest.dates }),
      region: option.country({ covers: "regionCode", suggest: suggest.regions }),
      language: option.language({ covers: "relevanceLanguage", suggest: suggest.languages }),
      category: option.field("search.list", "videoCategoryId", { suggest: suggest.categories }),
      live: option.field("search.list", "eventType", { group: "live_state" }),
      captions: option.choice({
        group: "search_captions",
        values: ["closedCaption", "none"],
        covers: "videoCaption",
      }),
      definition: option.choice({
        group: "definition",
        values: ["high", "standard"],
        covers: "videoDefinition",
      }),
      license: option.choice({
        group: "license",
        values: ["youtube", "creativeCommon"],
        covers: "videoLicense",
      }),
      safe_search: option.field("search.list", "safeSearch", { group: "safe_search" }),
      near: option.location({ covers: "location" }),
      within: option.radius({ covers: "locationRadius" }),
      mine: option.flag({ covers: "forMine" }),
    },
    run: (ctx) => youtubeSearch.open(ctx, ctx.options),
  }),
  actions: youtubeSearch.actions,
});
