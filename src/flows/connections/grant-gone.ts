import { event, join, notice } from "../../discord/index.ts";
import { reconnect } from "./link.ts";

interface GrantGone {
  readonly guildId: string;
  readonly channelId: string;
  /** The service ends consents of unpublished projects after a week. */
  readonly isSevenDays: boolean;
}

/** A linked channel's consent is over; said once. */
export const grantGone = event<GrantGone>({
  name: "grant-gone",
  to: ({ guildId }) => ({ kind: "notices", guildId }),
  run: async (ctx, { channelId, isSevenDays }) => {
    const { words } = ctx;
    const one = (await ctx.channels()).find((channel) => channel.channelId === channelId);
    const title = one?.name ?? one?.channelTitle ?? channelId;
    return notice({
      tone: "warning",
      title: words.say("linking.gone.title", { channel: title }),
      text: join(
        [
          words.md("linking.gone.text", { command: words.command("connect channels") }),
          words.say(isSevenDays ? "linking.gone.week" : "linking.gone.why"),
        ],
        "\n",
      ),
      buttons: [
        {
          label: words.say("common.reconnect"),
          style: "primary",
          press: reconnect.press({ channelId }),
        },
      ],
    });
  },
});
