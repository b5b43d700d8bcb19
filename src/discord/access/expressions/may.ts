import { PermissionFlagsBits } from "discord.js";

/** What it takes to make emoji and stickers; managing them has been another permission since 23 February 2026 (facts/discord.md: Permission splits). */
export const makingPermissions =
  PermissionFlagsBits.CreateGuildExpressions | PermissionFlagsBits.Administrator;

/** Whether whoever has these permissions may make emoji and stickers. */
export function mayMakeExpressions(permissions: bigint): boolean {
  return (permissions & makingPermissions) !== 0n;
}
