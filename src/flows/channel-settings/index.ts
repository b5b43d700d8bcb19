export { channelSettings, showSections } from "./edit.ts";
export { settingChars } from "./settings.ts";
