import {
  type Button,
  card,
  channelMention,
  join,
  md,
  mention,
  type NotificationContext,
  type NotificationReply,
  notice,
  notification,
  type Text,
  time,
  type Words,
} from "../../discord/index.ts";
import type {
  ModerationNotifications,
  Watch,
  WatchFailure,
  WatchFailureCode,
  WatchFailureFacts,
} from "../../moderation/index.ts";
import { drawCommentCard } from "./card.ts";
import { quoteLines } from "./comment.ts";
import { drawDigestCard } from "./digest.ts";
import { cardPresses } from "./presses.ts";

/** What keeps a watch from working, and what to do about it. */
export function describeTrouble(
  { code, trouble, watch }: Pick<WatchFailureFacts, "code" | "trouble" | "watch">,
  words: Words,
): Text {
  return join([adviceOf(code, watch, words), ...untilOf(trouble, words)]);
}

/** Another channel of the server ends these. */
const placeCodes: readonly WatchFailureCode[] = ["channel_gone", "channel_public"];

function adviceOf(code: WatchFailureCode, watch: Watch, words: Words): Text {
  const command = words.mention(placeCodes.includes(code) ? "watch channel" : "connect channels");
  const stop = words.mention("watch stop");
  const place = channelMention(watch.channelId);
  return words.md(`watch.trouble.${code}.text`, { command, stop, place });
}

function untilOf({ until }: WatchFailure, words: Words): readonly Text[] {
  if (until === undefined) return [];
  const at = new Date(until);
  return [words.md("watch.trouble.until", { at: time(at), moment: time(at, "f") })];
}

function troubleNotice(
  { words }: NotificationContext,
  facts: WatchFailureFacts,
): NotificationReply {
  return notice({
    tone: "warning",
    title: words.say(`watch.trouble.${facts.code}.title`),
    text: describeTrouble(facts, words),
  });
}

function resolvedNotice(
  { words }: NotificationContext,
  { code }: WatchFailureFacts,
): NotificationReply {
  return notice({
    tone: "good",
    title: words.say(`watch.trouble.${code}.well`),
    text: words.say("watch.trouble.well_text"),
  });
}

/** A card that shows what cards look like: there is no comment behind it, so its buttons are disabled. */
function sampleCard(
  { words, now }: NotificationContext,
  { watch, by }: ModerationNotifications["watch-sample"],
): NotificationReply {
  const ref = { watchId: watch.id, itemId: "sample" };
  const { approve, reject, reply, more } = cardPresses;
  const off = { disabled: true } as const;
  const buttons: readonly Button[] = [
    { label: words.say("watch.button.approve"), style: "success", press: approve(ref), ...off },
    { label: words.say("watch.button.reject"), style: "danger", press: reject(ref), ...off },
    { label: words.say("watch.button.reply"), press: reply(ref), ...off },
    { label: words.say("common.more"), press: more(ref), ...off },
  ];
  const title = words.say("watch.sample.title");
  return card({
    title,
    tone: "neutral",
    author: { name: words.say("watch.sample.author") },
    text: join([
      quoteLines(words.say("watch.sample.text")),
      "",
      md`**${words.say("watch.state.open")}**`,
      words.md("watch.sample.note", { who: mention(by) }),
    ]),
    fields: [
      { name: words.say("watch.card.video"), value: words.say("watch.sample.video") },
      { name: words.say("watch.card.written"), value: time(new Date(now())), inline: true },
      { name: words.say("watch.card.history"), value: words.say("watch.card.first"), inline: true },
    ],
    buttons,
    post: { title, tags: [] },
  });
}

function closedLine(words: Words, movedTo: string | undefined): string {
  if (movedTo === undefined) return words.say("watch.closed.ended");
  return words.say("watch.closed.moved", { place: channelMention(movedTo).markup });
}

/** Draws the queue's events; the queue decides where they are posted. */
export const watchEvents = [
  notification({
    name: "held-card",
    run: ({ words, now }, facts) => drawCommentCard(facts, { words, now: now() }),
  }),
  notification({ name: "held-digest", run: ({ words }, facts) => drawDigestCard(facts, words) }),
  notification({ name: "watch-sample", run: sampleCard }),
  notification({
    name: "watch-closed",
    run: ({ words }, { movedTo }) => notice({ tone: "neutral", title: closedLine(words, movedTo) }),
  }),
  notification({ name: "watch-trouble", run: troubleNotice }),
  notification({ name: "watch-well", run: resolvedNotice }),
  // For when the bot can't write to the watch's own channel.
  notification({
    name: "watch-lost",
    to: ({ guildId }) => ({ kind: "notices", guildId }),
    run: troubleNotice,
  }),
] as const;
