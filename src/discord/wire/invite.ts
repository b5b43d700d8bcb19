import { OAuth2Scopes, PermissionFlagsBits } from "discord-api-types/v10";

/**
 * The permissions that the bot asks for. Answers to interactions, with their files, need none: only changes in the
 * server do.
 */
const neededPermissions = [
  // Adds emoji and stickers for those who may.
  "CreateGuildExpressions",
  // Keeps events in step with streams, and opens threads under announcements.
  "CreateEvents",
  "CreatePublicThreads",
  // Posts notices in the channel that the server's owners chose.
  "ViewChannel",
  "SendMessages",
  "EmbedLinks",
  // Posts cards in a forum, and finds its own messages after a restart.
  "SendMessagesInThreads",
  "ReadMessageHistory",
] as const;

/** Where an owner adds the bot to a server; `siteUrl` is Discord's, such as `https://discord.com`. */
export function inviteLink(applicationId: string, siteUrl: string): string {
  const url = new URL("/oauth2/authorize", siteUrl);
  url.searchParams.set("client_id", applicationId);
  url.searchParams.set("scope", [OAuth2Scopes.Bot, OAuth2Scopes.ApplicationsCommands].join(" "));
  const permissions = neededPermissions.reduce((all, one) => all | PermissionFlagsBits[one], 0n);
  url.searchParams.set("permissions", `${permissions}`);
  return url.href;
}
