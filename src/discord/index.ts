/** The door to Discord: how commands are declared and answered. `bot.ts` connects them; only this room knows discord.js. */

export { largeThumbnail, smallThumbnail } from "../video/index.ts";
export { requireRank } from "./access/authorise.ts";
export { notConnected } from "./access/guard.ts";
export { buckets } from "./access/spending.ts";
export { connectDiscord, type Discord } from "./client.ts";
export type {
  Clients,
  Planned,
  UnitsSpent,
  VideoAccess,
} from "./declare/clients.ts";
export {
  type Action,
  action,
  actionFor,
  type Command,
  command,
  type Input,
  menu,
  opening,
  subcommand,
  type TargetMessage,
} from "./declare/command.ts";
export type {
  Asked,
  Ctx,
  OpenedAttachment,
} from "./declare/ctx.ts";
export { readDate, readDuration } from "./declare/dates.ts";
export type { DayTimes } from "./declare/day-times.ts";
export { type Catalogue, define } from "./declare/definitions.ts";
export {
  type EventCtx,
  type EventReply,
  event,
} from "./declare/events.ts";
export type { Expression, ExpressionKind } from "./declare/expressions.ts";
export { type Extra, noExtra, withExtra } from "./declare/extra.ts";
export type { TokenKind } from "./declare/links.ts";
export { loadCommands } from "./declare/load.ts";
export type { Attachment, OptionsOf } from "./declare/option.ts";
export { colors } from "./declare/option-values.ts";
export { option } from "./declare/options.ts";
export { type FieldType, neededBeside } from "./declare/row-fields.ts";
export type { Suggest } from "./declare/suggest.ts";
export { type PostChannel, requireWritable, type TextChannel } from "./declare/text-channel.ts";
export { longestTexts } from "./declare/text-limits.ts";
export * from "./draw/cards/index.ts";
export { compact } from "./draw/compact.ts";
export { adviceOf, inShort } from "./draw/explain.ts";
export { limits } from "./draw/limits.ts";
export {
  type ChannelRef,
  channelOf,
  decoded,
  kindOf,
  pages,
  videoOf,
  videosIn,
} from "./draw/links.ts";
export { type DecideState, presses, pressFor } from "./draw/presses.ts";
export * from "./draw/reply.ts";
export {
  channelMention,
  codeBlock,
  customEmoji,
  cut,
  join,
  link,
  type Markup,
  md,
  mention,
  roleMention,
  type Text,
  time,
} from "./draw/text.ts";
export type { Words } from "./draw/words.ts";
export { type Browse, browse, perPage } from "./lists/browse.ts";
export type { At } from "./lists/browse-spec.ts";
export { jsonList } from "./lists/json-list.ts";
export { table } from "./lists/table.ts";
export { reaches } from "./rank.ts";
export { discordAttachmentHosts } from "./run/attachments.ts";
export type { Services } from "./run/context.ts";
export type { Observed } from "./run/observer.ts";
export { cancelGraceMs, isCancelled } from "./run/running-handlers.ts";
export * as suggest from "./suggestions/index.ts";
export { matching } from "./suggestions/match.ts";
