import {
  type Button,
  card,
  type EventCtx,
  type EventReply,
  join,
  md,
  mention,
  time,
} from "../../discord/index.ts";
import type { ModerationEvents } from "../../moderation/index.ts";
import { quoted } from "./comment.ts";
import { cardPresses } from "./presses.ts";

/** A card with nothing behind it: its buttons can't be pressed. */
export function sampleCard(
  { words, now }: EventCtx,
  { watch, by }: ModerationEvents["watch-sample"],
): EventReply {
  const ref = { watchId: watch.id, itemId: "sample" };
  const { approve, reject, askBan, reply, later } = cardPresses;
  const off = { disabled: true } as const;
  const buttons: readonly Button[] = [
    { label: words.say("watch.button.approve"), style: "success", press: approve(ref), ...off },
    { label: words.say("watch.button.reject"), style: "danger", press: reject(ref), ...off },
    { label: words.say("watch.button.ban"), style: "danger", press: askBan(ref), ...off },
    { label: words.say("watch.button.reply"), press: reply(ref), ...off },
    { label: words.say("watch.button.later"), press: later(ref), ...off },
  ];
  const title = words.say("watch.sample.title");
  return card({
    title,
    tone: "quiet",
    author: { name: words.say("watch.sample.author") },
    text: join(
      [
        quoted(words.say("watch.sample.text")),
        "",
        md`**${words.say("watch.state.open")}**`,
        words.md("watch.sample.note", { who: mention(by) }),
      ],
      "\n",
    ),
    fields: [
      { name: words.say("watch.card.video"), value: words.say("watch.sample.video") },
      { name: words.say("watch.card.written"), value: time(new Date(now())), inline: true },
      {
        name: words.say("watch.card.history"),
        value: words.say("watch.card.first"),
        inline: true,
      },
    ],
    buttons,
    post: { title, tags: [] },
  });
}
