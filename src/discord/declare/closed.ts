import { AccessError } from "../../errors.ts";

/** Which permissions the channel takes: to see it, to write in it, to begin posts in it, to read what was written. */
export type Lack = "view" | "send" | "forum" | "history";

/** As the platform's own settings call them in English. */
const lacks = {
  view: "View Channel",
  send: "Send Messages and Embed Links",
  forum: "Create Posts, Send Messages in Posts and Embed Links",
  history: "Read Message History",
} as const satisfies Record<Lack, string>;

export function channelClosed(lack: Lack, cause?: unknown): AccessError {
  return new AccessError(`the channel is closed to the bot: ${lack}`, {
    code: "discord_channel_closed",
    hint: `Give me ${lacks[lack]} in that channel, or choose another one.`,
    facts: { lack },
    cause,
  });
}
