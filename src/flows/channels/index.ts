/** Channels: which one is meant, its card, and the settings of the linked one. */
export { channelSettings, showSections } from "./edit.ts";
export { type FoundChannel, findChannel, ownChannelId } from "./find.ts";
export { settingChars } from "./settings.ts";
export { channels } from "./show.ts";
