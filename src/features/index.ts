/** What commands do in more than one step: several calls in a row, questions, forms, progress. */

export { activity } from "./activity/index.ts";
export { announcements } from "./announcements/index.ts";
export * as audit from "./audit/index.ts";
export { backgroundRemoval } from "./background-removal/index.ts";
export { channelBanner, channelWatermark, videoThumbnail } from "./branding/index.ts";
export { budget } from "./budget/index.ts";
export { captionsFlow } from "./captions/index.ts";
export { channelSectionsFlow } from "./channel-sections/index.ts";
export { channelSettingsFlow, channelsFlow } from "./channels/index.ts";
export * as comments from "./comments/index.ts";
export * as connections from "./connections/index.ts";
export {
  createFeatureContexts,
  type FeatureServices,
  type ServiceClients,
  type VideoAccess,
} from "./context/index.ts";
export { credits } from "./credits/index.ts";
export { menu, opening, option, subcommand } from "./declarations/index.ts";
export { erasure } from "./erasure/index.ts";
export { expressions } from "./expressions/index.ts";
export { gettingStarted } from "./getting-started/index.ts";
export { improvement } from "./improvement/index.ts";
export { memberLists } from "./members/index.ts";
export * as playlists from "./playlists/index.ts";
export { languageList, regionList } from "./regions/index.ts";
export { review } from "./review/index.ts";
export { commentRules } from "./rules/index.ts";
export { youtubeSearch } from "./search/index.ts";
export * as subscriptions from "./subscriptions/index.ts";
export * as suggest from "./suggestions/index.ts";
export { thumbnailMaker } from "./thumbnails/index.ts";
export * as uploads from "./uploads/index.ts";
export { usageReport } from "./usage/index.ts";
export * as videos from "./videos/index.ts";
export * as watches from "./watches/index.ts";
export { weeklySummary } from "./weekly-summary/index.ts";
