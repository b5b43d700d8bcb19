import { BotError } from "../../errors.ts";

/** So many in a row that fail are not a matter of one message. */
export const mostFaults = 3;

/** Whether no other message would be taken either. */
export function concernsAll(error: unknown): boolean {
  if (isOfDatabase(error)) return true;
  return error instanceof BotError && (error.kind === "access" || error.kind === "limit");
}

/** It can't be reached, or what was to be written belongs to nobody any more. */
export function isOfDatabase(error: unknown): boolean {
  const code = error instanceof BotError ? error.code : undefined;
  return code === "store_unavailable" || code === "guild_erased";
}
