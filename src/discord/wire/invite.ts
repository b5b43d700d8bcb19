import { OAuth2Scopes, PermissionsBitField, type PermissionsString } from "discord.js";

/**
 * What the bot asks for in a server. Answers to interactions, their files included, need no permission at all: only
 * what is changed in the server does.
 */
const neededPermissions: readonly PermissionsString[] = [
  // Adds emoji and stickers for those who may.
  "CreateGuildExpressions",
  // Posts what needs attention where the server's owners chose.
  "ViewChannel",
  "SendMessages",
  "EmbedLinks",
  // Leaves cards as posts of a forum, and finds its own messages again after a restart.
  "SendMessagesInThreads",
  "ReadMessageHistory",
];

/** Where an owner adds the bot to a server; `apiUrl` is the platform's own, like `https://discord.com/api`. */
export function inviteLink(applicationId: string, apiUrl: string): string {
  const url = new URL("/oauth2/authorize", apiUrl);
  url.searchParams.set("client_id", applicationId);
  url.searchParams.set("scope", [OAuth2Scopes.Bot, OAuth2Scopes.ApplicationsCommands].join(" "));
  url.searchParams.set("permissions", `${PermissionsBitField.resolve([...neededPermissions])}`);
  return url.href;
}
