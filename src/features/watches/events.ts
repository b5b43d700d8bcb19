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
  WatchFailure,
  WatchFailureCode,
  WatchFailureFacts,
} from "../../moderation/index.ts";
import { drawCommentCard } from "./card.ts";
import { drawCardButtons } from "./card-buttons.ts";
import { quoteLines } from "./comment.ts";
import { consentRequest } from "./consent.ts";
import { drawDigestCard } from "./digest.ts";

/** Another channel of the server ends these. */
const placeCodes: readonly WatchFailureCode[] = ["channel_gone", "channel_public"];

/** What keeps a watch from working, and what to do about it. */
export function describeWatchFailure(
  { code, trouble, watch }: Pick<WatchFailureFacts, "code" | "trouble" | "watch">,
  words: Words,
): Text {
  const until = trouble.until === undefined ? undefined : new Date(trouble.until);
  return join([
    words.md(troubleText(code, trouble), {
      command: words.mention(troubleCommand(code, trouble)),
      stop: words.mention("watch stop"),
      place: channelMention(watch.channelId),
    }),
    until && words.md("watch.trouble.until", { at: time(until), moment: time(until, "f") }),
  ]);
}

/** The words for a link that is missing or broken depend on whether the server has a key. */
function troubleText(code: WatchFailureCode, { readsByKey }: WatchFailure) {
  const isOfLink = code === "link_missing" || code === "link_broken";
  return isOfLink && readsByKey
    ? (`watch.trouble.${code}.by_key` as const)
    : (`watch.trouble.${code}.text` as const);
}

function troubleCommand(code: WatchFailureCode, { readsByKey }: WatchFailure): string {
  if (code === "key_broken") return "connect key";
  if (placeCodes.includes(code)) return "watch channel";
  return code === "link_missing" && readsByKey ? "connect channel" : "connect channels";
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

/** A card that shows what cards look like: there is no comment behind it, so its buttons are disabled. */
function sampleCard(
  { words, now }: NotificationContext,
  { watch, by }: ModerationNotifications["watch-sample"],
): NotificationReply {
  const { isKeyOnly } = watch;
  const state = isKeyOnly ? "published" : "heldForReview";
  const sample = { status: "open", comment: { state }, isKeyOnly } as const;
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
    run: ({ words }, { movedTo }) =>
      notice({
        tone: "neutral",
        title:
          movedTo === undefined
            ? words.say("watch.closed.ended")
            : words.say("watch.closed.moved", { place: channelMention(movedTo).markup }),
      }),
  }),
  notification({ name: "watch-trouble", run: failureNotice }),
  notification({
    name: "watch-well",
    run: ({ words }, { code }) =>
      notice({
        tone: "good",
        title: words.say(`watch.trouble.${code}.well`),
        text: words.say(
          code === "link_missing"
            ? "watch.trouble.link_missing.well_text"
            : "watch.trouble.well_text",
        ),
      }),
  }),
  notification({
    name: "watch-consent",
    to: ({ guildId }) => ({ kind: "notices", guildId }),
    run: consentRequest,
  }),
  // For when the bot can't write to the watch's own channel.
  notification({
    name: "watch-lost",
    to: ({ guildId }) => ({ kind: "notices", guildId }),
    run: failureNotice,
  }),
] as const;
