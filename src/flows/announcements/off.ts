import { channelMention, event, notice, type Text, type Words } from "../../discord/index.ts";
import type { FeedEvents } from "../../feeds/index.ts";
import { resumeButton } from "./steps.ts";

type Facts = FeedEvents["feed-off"];

/** A feed, or one of its places, was switched off; said once. */
export const feedOff = event<Facts>({
  name: "feed-off",
  to: ({ guildId }) => ({ kind: "notices", guildId }),
  run: ({ words }, facts) =>
    notice({
      tone: "warning",
      title: words.say("announce.off.title", { channel: facts.feed.title }),
      text: reasonOf(facts, words),
      buttons: [resumeButton({ words }, facts.feed)],
    }),
});

function reasonOf({ code, place }: Facts, words: Words): Text {
  const resume = words.command("announce resume");
  if (place !== undefined) {
    const kinds = words.list(place.kinds.map((kind) => words.say(`announce.kinds.${kind}`)));
    const isGone = code === "discord_channel_gone";
    return words.md("announce.off.place", {
      kinds,
      place: channelMention(place.channelId),
      reason: words.say(
        `announce.off.${isGone ? "discord_channel_gone" : "discord_channel_closed"}`,
      ),
      change: words.command("announce change"),
      resume,
    });
  }
  return code === "channel_gone"
    ? words.md("announce.off.channel_gone", { resume })
    : words.say("announce.off.credentials");
}
