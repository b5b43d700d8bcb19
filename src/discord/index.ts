/** The door to Discord: how commands are declared and answered. `bot.ts` connects them; only this room knows discord.js. */

export {
  banner,
  thumbnail,
  thumbnailOfCutout,
  watermark,
  watermarkTimes,
} from "./branding/index.ts";
export { type At, type Browse, type BrowseSpec, browse, perPage } from "./browse.ts";
export * as captions from "./captions/index.ts";
export {
  type CardFor,
  channelCard,
  channelParts,
  largeThumbnail,
  named,
  ownVideoParts,
  playlistCard,
  playlistParts,
  present,
  published,
  since,
  smallThumbnail,
  unescapeHtml,
  videoCard,
  videoParts,
} from "./cards/index.ts";
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
export { type ConnectParts, connectDiscord, type Discord } from "./client.ts";
export {
  type Action,
  type Asked,
  action,
  type Clients,
  type Command,
  type Cost,
  type Ctx,
  command,
  type Input,
  type Menu,
  menu,
  type Output,
  opening,
  subcommand,
  type TargetMessage,
  type VideoAccess,
} from "./command.ts";
export * as comments from "./comments/index.ts";
export {
  connectionStatus,
  localTime,
  type MappedRank,
  mappedRanks,
  mappedRoles,
  withRole,
} from "./connections/index.ts";
export { discordAttachmentHosts, type Services } from "./context.ts";
export { cutOut, picturesOf } from "./cutout.ts";
export { readDate, readDuration } from "./dates.ts";
export { type Catalogue, define } from "./definitions.ts";
export { adviceOf, inShort } from "./explain.ts";
export { type Extra, withExtra } from "./extra.ts";
export { type FoundChannel, findChannel } from "./find.ts";
export { given } from "./given.ts";
export { type ChannelRef, pages, videoOf, videosIn } from "./links.ts";
export { rawFile } from "./list-file.ts";
export { loadCommands } from "./load.ts";
export { requireOneOf } from "./one-of.ts";
export { type Attachment, type Choice, type OptionsOf, option } from "./options.ts";
export { requireOrder } from "./order.ts";
export { ownChannelId } from "./own-channel.ts";
export { ownView } from "./own-view.ts";
export * as playlists from "./playlists/index.ts";
export { presses } from "./presses.ts";
export { reaches } from "./rank.ts";
export {
  ask,
  type Button,
  card,
  type Field,
  files,
  form,
  gone,
  type Item,
  list,
  notice,
  type Press,
  type Reply,
  type ReplyFile,
  type Select,
} from "./reply.ts";
export { neededBeside } from "./row-fields.ts";
export { rules } from "./rules.ts";
export { sought } from "./sought.ts";
export * as subscribing from "./subscriptions/index.ts";
export type { Suggest, SuggestCtx } from "./suggest.ts";
export * as suggest from "./suggestions/index.ts";
export { cut, join, link, md, mention, roleMention, type Text, time } from "./text.ts";
export * as uploads from "./uploads/index.ts";
export * as videos from "./videos/index.ts";
export type { Words } from "./words.ts";
