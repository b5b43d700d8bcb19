/** Channels: finding one, showing it, and changing the settings of the linked one. */
export { channelSettingsFlow, showSections } from "./edit.ts";
export { channelFilter, findChannel, findChannels, requireOwnChannelId } from "./find.ts";
export { channelsFlow } from "./show.ts";
