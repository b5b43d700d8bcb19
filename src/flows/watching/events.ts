import {
  type Button,
  card,
  channelMention,
  type EventCtx,
  type EventReply,
  event,
  join,
  md,
  mention,
  notice,
  type Text,
  time,
  type Words,
} from "../../discord/index.ts";
import type {
  ModerationEvents,
  Trouble,
  TroubleCode,
  TroubleFacts,
  Watch,
} from "../../moderation/index.ts";
import { itemCard } from "./card.ts";
import { quoted } from "./comment.ts";
import { digestCard } from "./digest.ts";
import { cardPresses } from "./presses.ts";

/** What keeps a watch from working, and what to do about it. */
export function troubleText(
  { code, trouble, watch }: Pick<TroubleFacts, "code" | "trouble" | "watch">,
  words: Words,
): Text {
  return join([adviceOf(code, watch, words), ...untilOf(trouble, words)]);
}

function adviceOf(code: TroubleCode, watch: Watch, words: Words): Text {
  const command = words.command(code === "channel_gone" ? "watch channel" : "connect channels");
  const stop = words.command("watch stop");
  const place = channelMention(watch.channelId);
  return words.md(`watch.trouble.${code}.text`, { command, stop, place });
}

function untilOf({ until }: Trouble, words: Words): readonly Text[] {
  if (until === undefined) return [];
  const at = new Date(until);
  return [words.md("watch.trouble.until", { at: time(at), moment: time(at, "f") })];
}

function troubleNotice({ words }: EventCtx, facts: TroubleFacts): EventReply {
  return notice({
    tone: "warning",
    title: words.say(`watch.trouble.${facts.code}.title`),
    text: troubleText(facts, words),
  });
}

function wellNotice({ words }: EventCtx, { code }: TroubleFacts): EventReply {
  return notice({
    tone: "good",
    title: words.say(`watch.trouble.${code}.well`),
    text: words.say("watch.trouble.well_text"),
  });
}

/** A card with nothing behind it: its buttons can't be pressed. */
function sampleCard(
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
    text: join([
      quoted(words.say("watch.sample.text")),
      "",
      md`**${words.say("watch.state.open")}**`,
      words.md("watch.sample.note", { who: mention(by) }),
    ]),
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

/** Draws the queue's events; the queue decides where they are posted. */
export const events = [
  event<ModerationEvents["held-card"]>({
    name: "held-card",
    run: ({ words, now }, facts) => itemCard(facts, { words, now: now() }),
  }),
  event<ModerationEvents["held-digest"]>({
    name: "held-digest",
    run: ({ words }, facts) => digestCard(facts, words),
  }),
  event<ModerationEvents["watch-sample"]>({ name: "watch-sample", run: sampleCard }),
  event<ModerationEvents["watch-trouble"]>({ name: "watch-trouble", run: troubleNotice }),
  event<ModerationEvents["watch-well"]>({ name: "watch-well", run: wellNotice }),
  // Where the watch's own channel can't be written to.
  event<ModerationEvents["watch-lost"]>({
    name: "watch-lost",
    to: ({ guildId }) => ({ kind: "notices", guildId }),
    run: troubleNotice,
  }),
] as const;
