/** The door to Discord: how commands are declared and answered. `bot.ts` connects them; only this room knows discord.js. */

export { browse, perPage } from "./browse.ts";
export {
  channelCard,
  clockTime,
  playlistCard,
  plural,
  shortNumber,
  smallThumbnail,
  unescapeHtml,
  videoCard,
} from "./cards/index.ts";
export { type ConnectParts, connectDiscord, type Discord } from "./client.ts";
export {
  type Action,
  action,
  type Command,
  type Ctx,
  command,
  type Menu,
  menu,
  opening,
  type SuggestCtx,
  subcommand,
  type TargetMessage,
} from "./command.ts";
export { discordAttachmentHosts, type Services } from "./context.ts";
export { cutOut, picturesOf } from "./cutout.ts";
export { type Catalogue, define } from "./definitions.ts";
export { type ChannelRef, pages } from "./links.ts";
export { loadCommands } from "./load.ts";
export { type Attachment, type Choice, option } from "./options.ts";
export {
  ask,
  type Button,
  card,
  files,
  form,
  gone,
  type Item,
  list,
  notice,
  type Press,
  type Reply,
  type ReplyFile,
} from "./reply.ts";
export { cut, join, link, md, mention, type Text, time } from "./text.ts";
