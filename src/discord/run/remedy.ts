import { BotError } from "../../errors.ts";
import { presses } from "../draw/presses.ts";
import type { Button } from "../draw/reply.ts";
import type { Words } from "../draw/words.ts";
import { reaches } from "../rank.ts";
import type { Asker } from "./context.ts";

/** Failures that a consent of the channel mends. */
const mended: Readonly<Record<string, "common.reconnect" | "common.link_channel">> = {
  invalid_grant: "common.reconnect",
  grant_seven_days: "common.reconnect",
  access_token_over: "common.reconnect",
  scope_missing: "common.reconnect",
  channel_missing: "common.link_channel",
};

/** Where the bot is added to a server in which only its commands are: for anybody, because Discord asks who may. */
export function inviteOf(error: unknown, link: () => string, words: Words): readonly Button[] {
  const isAbsent = error instanceof BotError && error.code === "bot_not_in_server";
  return isAbsent ? [{ label: words.say("common.add_bot"), url: link() }] : [];
}

/** What the person can press to mend a failure: for who may connect, and about the channel that acted. */
export function remedyOf(
  error: unknown,
  { rank, words }: Pick<Asker, "rank" | "words">,
  as: string | undefined,
): readonly Button[] {
  const label = error instanceof BotError ? mended[error.code] : undefined;
  if (label === undefined || !reaches(rank, "owner")) return [];
  const { permission } = (error as BotError).facts;
  // No link that is made here would help.
  if (permission === "none") return [];
  const state = {
    ...(as !== undefined && { channelId: as }),
    ...(typeof permission === "string" && { permission }),
  };
  const press = presses.connection.reconnect(state);
  return [{ label: words.say(label), style: "primary", press }];
}
