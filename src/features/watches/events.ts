import {
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
import { drawCardButtons } from "./card-buttons.ts";
import { quoteLines } from "./comment.ts";
import { drawDigestCard } from "./digest.ts";

/** What keeps a watch from working, and what to do about it. */
export function describeWatchFailure(
  { code, trouble, watch }: Pick<WatchFailureFacts, "code" | "trouble" | "watch">,
  words: Words,
): Text {
  return join([adviceText(code, watch, words), ...untilLines(trouble, words)]);
}

/** Another channel of the server ends these. */
const placeCodes: readonly WatchFailureCode[] = ["channel_gone", "channel_public"];

function adviceText(code: WatchFailureCode, watch: Watch, words: Words): Text {
  const command = words.mention(placeCodes.includes(code) ? "watch channel" : "connect channels");
  const stop = words.mention("watch stop");
  const place = channelMention(watch.channelId);
  return words.md(`watch.trouble.${code}.text`, { command, stop, place });
}

function untilLines({ until }: WatchFailure, words: Words): readonly Text[] {
  if (until === undefined) return [];
  const at = new Date(until);
  return [words.md("watch.trouble.until", { at: time(at), moment: time(at, "f") })];
}

function failureNotice(
  { words }: NotificationContext,
  facts: WatchFailureFacts,
): NotificationReply {
  return notice({
    tone: "warning",
    title: words.say(`watch.trouble.${facts.code}.title`),
    text: describeWatchFailure(facts, words),
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
  const sample = { status: "open", comment: { state: "heldForReview" } } as const;
  const buttons = drawCardButtons(sample, { watchId: watch.id, itemId: "sample" }, words);
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
    buttons: buttons.map((one) => ({ ...one, disabled: true })),
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
  notification({ name: "watch-trouble", run: failureNotice }),
  notification({ name: "watch-well", run: resolvedNotice }),
  // For when the bot can't write to the watch's own channel.
  notification({
    name: "watch-lost",
    to: ({ guildId }) => ({ kind: "notices", guildId }),
    run: failureNotice,
  }),
] as const;
