/** What takes more than a declaration: several calls in a row, questions, forms, progress. The commands start them. */

export { activity } from "./activity/index.ts";
export { announcements } from "./announcements/index.ts";
export * as audit from "./audit/index.ts";
export { backgroundRemoval } from "./background-removal/index.ts";
export { banner, thumbnail, watermark, watermarkTimes } from "./branding/index.ts";
export { budget } from "./budget/index.ts";
export { captions } from "./captions/index.ts";
export { sections } from "./channel-sections/index.ts";
export { channelSettings, channels, settingChars } from "./channels/index.ts";
export * as comments from "./comments/index.ts";
export * as connections from "./connections/index.ts";
export { credits } from "./credits/index.ts";
export { erasure } from "./erasure/index.ts";
export { expressions } from "./expressions/index.ts";
export { improvement } from "./improvement/index.ts";
export { members } from "./members/index.ts";
export * as playlists from "./playlists/index.ts";
export { languages, regions } from "./regions/index.ts";
export { rules } from "./rules/index.ts";
export { search } from "./search/index.ts";
export * as subscribing from "./subscriptions/index.ts";
export { thumbnails } from "./thumbnails/index.ts";
export * as uploads from "./uploads/index.ts";
export { groupings, periods, usages } from "./usage/index.ts";
export * as videos from "./videos/index.ts";
export * as watching from "./watching/index.ts";
