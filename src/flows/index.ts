/** What takes more than a declaration: several calls in a row, questions, forms, progress. The commands start them. */

export { announcements } from "./announcements/index.ts";
export * as audit from "./audit/index.ts";
export {
  banner,
  thumbnail,
  watermark,
  watermarkTimes,
} from "./branding/index.ts";
export { budget } from "./budget/index.ts";
export * as captions from "./captions/index.ts";
export {
  addSection,
  askDelete,
  askToDelete,
  changeSection,
  deleteSection,
  sections,
  sectionsOf,
} from "./channel-sections/index.ts";
export { channelSettings, settingChars } from "./channel-settings/index.ts";
export * as comments from "./comments/index.ts";
export * as connections from "./connections/index.ts";
export { credits } from "./credits/index.ts";
export { cutouts } from "./cutout/index.ts";
export { erasure } from "./erasure/index.ts";
export { expressions } from "./expressions/index.ts";
export { findChannel } from "./find.ts";
export { given } from "./given.ts";
export { improvement } from "./improvement/index.ts";
export { requireOneOf } from "./one-of.ts";
export { requireOrder } from "./order.ts";
export { ownChannelId } from "./own-channel.ts";
export { ownView } from "./own-view.ts";
export * as playlists from "./playlists/index.ts";
export { rules } from "./rules/index.ts";
export { requireSearchFilter } from "./search-filter.ts";
export { sought } from "./sought.ts";
export * as subscribing from "./subscriptions/index.ts";
export { thumbnails } from "./thumbnails/index.ts";
export * as uploads from "./uploads/index.ts";
export { groupings, periods, usages } from "./usage/index.ts";
export * as videos from "./videos/index.ts";
export * as watching from "./watching/index.ts";
