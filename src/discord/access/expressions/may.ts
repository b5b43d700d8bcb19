import { PermissionFlagsBits } from "discord.js";

// Since 23 February 2026 managing them no longer includes making them (facts/discord.md: Permission splits).
const making = PermissionFlagsBits.CreateGuildExpressions | PermissionFlagsBits.Administrator;

/** Whether these permissions of an interaction let their holder make emoji and stickers; where none are told, no. */
export function mayMakeExpressions(permissions: string | undefined): boolean {
  return (BigInt(permissions ?? 0) & making) !== 0n;
}
