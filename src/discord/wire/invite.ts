import { OAuth2Scopes, PermissionsBitField, type PermissionsString } from "discord.js";

/**
 * What the bot asks for in a server. Answers to interactions, their files included, need no permission at all; what
 * writes into a channel on its own adds its line here.
 */
export const neededPermissions: readonly PermissionsString[] = [];

/** Where an owner adds the bot to a server. */
export function inviteLink(applicationId: string): string {
  const url = new URL("https://discord.com/oauth2/authorize");
  url.searchParams.set("client_id", applicationId);
  url.searchParams.set("scope", [OAuth2Scopes.Bot, OAuth2Scopes.ApplicationsCommands].join(" "));
  url.searchParams.set("permissions", `${PermissionsBitField.resolve([...neededPermissions])}`);
  return url.href;
}
