import {
  action,
  type Ctx,
  channelMention,
  notice,
  type Reply,
  type TextChannel,
} from "../../discord/index.ts";
import { requireWritableText } from "../options/index.ts";

/** Chooses where notifications are posted; without a channel it shows the choice and offers to clear it. */
export async function chooseNotices(ctx: Ctx, channel: TextChannel | undefined): Promise<Reply> {
  const { words, settings } = ctx;
  if (channel !== undefined) {
    requireWritableText(channel);
    await ctx.changeSettings({ noticeChannelId: channel.id });
    return notice({
      tone: "good",
      title: words.say("linking.notices.saved"),
      text: words.md("linking.notices.text", { channel: channelMention(channel.id) }),
    });
  }
  const { noticeChannelId } = settings;
  if (noticeChannelId === undefined) {
    return notice({
      tone: "info",
      title: words.say("linking.notices.title"),
      text: words.say("linking.notices.none"),
    });
  }
  return notice({
    tone: "info",
    title: words.say("linking.notices.title"),
    text: words.md("linking.notices.text", { channel: channelMention(noticeChannelId) }),
    buttons: [{ label: words.say("linking.notices.clear"), press: clearNotices.press(null) }],
  });
}

export const clearNotices = action<null>({
  name: "connect.clear-notices",
  answer: "update",
  by: "requester",
  rank: "owner",
  run: async (ctx) => {
    await ctx.changeSettings({ noticeChannelId: undefined });
    return notice({
      tone: "good",
      title: ctx.words.say("linking.notices.cleared"),
      text: ctx.words.say("linking.notices.none"),
    });
  },
});
