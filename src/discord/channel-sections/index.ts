export { channelIds, type NamedSection, requirePlaylists, withNames } from "./contents.ts";
export { sectionCard, sectionLines, sectionTitle } from "./draw.ts";
export { checkSection, contentOf, type SectionPlan } from "./kinds.ts";
