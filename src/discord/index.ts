/** Discord: how commands are declared and answered. `bot.ts` connects them; only this room knows discord.js. */

export { requireRank } from "./access/authorise.ts";
export { connectDiscord, type Discord, type GatewayArrival } from "./client.ts";
export {
  type Action,
  type Command,
  command,
  type FormAction,
  type FormSubcommand,
  type HandledAction,
  type HandledSubcommand,
  type HandlerDeclaration,
  type Menu,
  type OptionSet,
  type PressInput,
  type Subcommand,
  type TargetMessage,
  type WithPress,
} from "./declare/command.ts";
export { readDate } from "./declare/dates.ts";
export type { DayTimes } from "./declare/day-times.ts";
export { type CommandCatalogue, defineCommands } from "./declare/definitions.ts";
export { readDuration } from "./declare/durations.ts";
export {
  type NotificationContext,
  type NotificationReply,
  notification,
} from "./declare/events.ts";
export type { ExpressionKind, ServerExpression } from "./declare/expressions.ts";
export type {
  FileEntry,
  InteractionContext,
  MadeFile,
  OpenedAttachment,
} from "./declare/interaction-context.ts";
export { loadCommands } from "./declare/load.ts";
export type { Attachment, Option, OptionsOf } from "./declare/option.ts";
export {
  basicOption,
  listedTexts,
  type OptionFor,
  type OptionSpec,
  splitPieces,
  textOption,
} from "./declare/options.ts";
export type { RequestInfo } from "./declare/request-info.ts";
export type { Suggest, SuggestedChoice, SuggestionContext } from "./declare/suggest.ts";
export { dates, dayTimes, durations, futureDates, pastDates } from "./declare/suggested-times.ts";
export {
  type PostChannel,
  requireWritable,
  type ServerChannels,
  type TextChannel,
} from "./declare/text-channel.ts";
export { longestTexts } from "./declare/text-limits.ts";
export { quotaBar } from "./draw/components.ts";
export {
  describeAdvice,
  describeFailureInLine,
  describeFailureShortly,
  isOutcomeClear,
} from "./draw/explain.ts";
export { helpMs, limits } from "./draw/limits.ts";
export { type NamedPress, openKeyForm, pressFor, reconnect } from "./draw/presses.ts";
export { type MessageReply, withFoot } from "./draw/render.ts";
export * from "./draw/reply.ts";
export {
  channelMention,
  codeBlock,
  compact,
  customEmoji,
  cut,
  fitted,
  formatted,
  isBlank,
  join,
  type Markup,
  md,
  mention,
  oneLine,
  roleMention,
  type Text,
  time,
  typedText,
} from "./draw/text.ts";
export { link } from "./draw/titles.ts";
export type { Words } from "./draw/words.ts";
export { type Rank, reaches } from "./rank.ts";
export { discordAttachmentHosts } from "./run/attachments.ts";
export type {
  ActingAs,
  FeatureCall,
  FeatureContexts,
  HandlerRequest,
  View,
} from "./run/feature-contexts.ts";
export { HandlerContext, type HandlerContextParts } from "./run/handler-context.ts";
export { cancelGraceMs, isCancelled } from "./run/running-handlers.ts";
export type { ObservedOutcome, Services } from "./run/services.ts";
