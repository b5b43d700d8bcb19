import { BotError } from "../../errors.ts";
import { openKeyForm, reconnect } from "../draw/presses.ts";
import type { Button } from "../draw/reply.ts";
import type { Words } from "../draw/words.ts";
import { reaches } from "../rank.ts";
import { inviteLink } from "../wire/invite.ts";
import type { Requester } from "./requester.ts";

/** Failures that a new consent for the channel solves, by code. */
const channelRemedies: Readonly<Record<string, "common.reconnect" | "common.link_channel">> = {
  invalid_grant: "common.reconnect",
  grant_seven_days: "common.reconnect",
  access_token_over: "common.reconnect",
  scope_missing: "common.reconnect",
  channel_missing: "common.link_channel",
};

/** Failures that another key solves, by code. */
const keyRemedies: Readonly<Record<string, "video-key" | "background-key">> = {
  video_key_missing: "video-key",
  key_invalid: "video-key",
  key_expired: "video-key",
  background_key_missing: "background-key",
  background_key_refused: "background-key",
};

/** Buttons that solve a failure of a key or of the acting channel, for people who may connect them. */
export function remedyButtons(
  error: unknown,
  { rank, words }: Pick<Requester, "rank" | "words">,
  as: string | undefined,
): readonly Button[] {
  if (!(error instanceof BotError) || !reaches(rank, "owner")) return [];
  const key = keyRemedies[error.code];
  if (key !== undefined) {
    const label = words.say(`start.connect.${key}`);
    return [{ label, style: "primary", press: openKeyForm(key) }];
  }
  const label = channelRemedies[error.code];
  const { permission } = error.facts;
  // `none`: no link gives access to that method, so a new one would not help.
  if (label === undefined || permission === "none") return [];
  const press = reconnect({
    ...(as !== undefined && { channelId: as }),
    ...(typeof permission === "string" && { permission }),
  });
  return [{ label: words.say(label), style: "primary", press }];
}

interface InvitedBot {
  readonly applicationId: string;
  readonly siteUrl: string;
}

/** A link that adds the bot to a server that has only its commands. Anybody gets it, because Discord checks who may. */
export function inviteButtons(
  error: unknown,
  words: Words,
  { applicationId, siteUrl }: InvitedBot,
): readonly Button[] {
  if (!(error instanceof BotError) || error.code !== "bot_not_in_server") return [];
  return [{ label: words.say("common.add_bot"), url: inviteLink(applicationId, siteUrl) }];
}
