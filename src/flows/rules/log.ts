import {
  action,
  type Ctx,
  channelMention,
  join,
  notice,
  type Reply,
  type Text,
  type TextChannel,
} from "../../discord/index.ts";
import type { RuleBook } from "../../moderation/index.ts";
import { requireWritableText } from "../options/index.ts";

interface Logging {
  readonly channel?: TextChannel | undefined;
  readonly perDay?: number | undefined;
}

/** Where automatic acts are told, and how many there may be. @throws InputError `channel_not_writable` */
export async function log(ctx: Ctx, { channel, perDay }: Logging): Promise<Reply> {
  const { rules } = ctx.moderation;
  if (channel !== undefined) requireWritableText(channel);
  if (channel === undefined && perDay === undefined) {
    return shown(ctx, await rules.book(), "rules.log.title");
  }
  const book = await rules.configure({
    ...(channel !== undefined && { logChannelId: channel.id }),
    ...(perDay !== undefined && { dailyCap: perDay }),
  });
  return shown(ctx, book, "rules.log.saved");
}

function shown(
  { words }: Ctx,
  { dailyCap, logChannelId }: RuleBook,
  title: "rules.log.title" | "rules.log.saved",
): Reply {
  const lines: readonly Text[] = [
    logChannelId === undefined
      ? words.say("rules.list.log_watch")
      : words.md("rules.list.log", { channel: channelMention(logChannelId) }),
    words.say("rules.log.cap", { cap: dailyCap }),
  ];
  return notice({
    tone: title === "rules.log.saved" ? "good" : "info",
    title: words.say(title),
    text: join(lines),
    ...(logChannelId !== undefined && {
      buttons: [{ label: words.say("rules.log.clear"), press: clear.press(null) }],
    }),
  });
}

const clear = action<null>({
  name: "rules.log-clear",
  answer: "update",
  by: "requester",
  rank: "manager",
  run: async (ctx) =>
    shown(ctx, await ctx.moderation.rules.configure({ logChannelId: null }), "rules.log.saved"),
});

export const actions = [clear] as const;
