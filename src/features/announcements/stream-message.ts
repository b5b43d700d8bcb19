import type { FeedNotifications, ReleasedVideo, StreamNotice } from "../../announcements/index.ts";
import {
  card,
  compact,
  join,
  link,
  type Markup,
  notice,
  notification,
  type Text,
  time,
  type Words,
} from "../../discord/index.ts";
import { youtubePages } from "../../video/index.ts";
import { announcementText, bold, buttonsFor, postOf } from "./message.ts";

type StreamFacts = FeedNotifications["stream"];

/** A message about a stream or premiere: the one that stays and is kept up to date, or a short call. */
export const streamEvent = notification({
  name: "stream",
  run: ({ words }, facts) => drawings[facts.notice.what](facts, words),
});

const drawings = {
  scheduled: streamCard,
  reminder: callMessage,
  live: streamCard,
  call: callMessage,
  over: streamCard,
  cancelled: streamCard,
  earlier: earlierMessage,
} as const satisfies Record<StreamNotice["what"], unknown>;

function streamCard(facts: StreamFacts, words: Words) {
  const { feed, video, notice, isSample } = facts;
  const { what, startsAt, startedAt, lengthMs, isRecorded, lost, isLate } = notice;
  const isOver = what === "over" || what === "cancelled";
  const seconds = isOver ? lengthSeconds(notice, video) : undefined;
  const length = seconds === undefined ? undefined : words.length(`PT${seconds}S`);
  const field = (name: string, value: Text) => ({ name, value, inline: true });
  const starts = startsAt === undefined ? undefined : new Date(startsAt);
  return card({
    tone: what === "cancelled" || lost !== undefined ? "warning" : "neutral",
    title: video.title,
    url: youtubePages.video(video.id),
    author: { name: video.channelTitle, url: youtubePages.channel(feed.source) },
    text: what === "live" ? liveText(facts, words) : join(streamLines(facts, words)),
    fields: compact([
      !isOver &&
        what !== "live" &&
        starts !== undefined &&
        field(words.say("announce.stream.starts"), time(starts)),
      startedAt !== undefined &&
        field(
          words.say(what === "live" ? "announce.live_since" : "announce.stream.started"),
          time(new Date(startedAt)),
        ),
      what === "over" &&
        length !== undefined &&
        (lengthMs === undefined || isRecorded) &&
        field(words.say("cards.length"), length),
    ]),
    ...(video.thumbnailUrl === undefined ? {} : { image: video.thumbnailUrl }),
    ...(isLate ? { footer: words.say("announce.stream.late") } : {}),
    ...(isSample === true ? { footer: words.say("announce.sample") } : {}),
    post: { ...postOf(video, words), isOver: what === "cancelled" },
    ...buttonsFor({ ...facts, isLost: what === "cancelled" || lost !== undefined }, words),
  });
}

/**
 * A message that is no longer the newest: one line that stays true, with a link to the newest. Messages are found by their
 * buttons, but this one needs none: its id is already known, because it was posted before.
 */
function earlierMessage({ guildId, announcement, video, notice }: StreamFacts, words: Words) {
  const { startsAt, startedAt, newest } = notice;
  const when = (at: number) => time(new Date(at), "f");
  return card({
    tone: "neutral",
    title: video.title,
    url: youtubePages.video(video.id),
    text: join(
      [
        startedAt !== undefined &&
          words.md("announce.stream.earlier.live", { when: when(startedAt) }),
        startsAt !== undefined &&
          words.md("announce.stream.earlier.scheduled", { when: when(startsAt) }),
        newest !== undefined &&
          link(words.say("announce.stream.earlier.newest"), messageUrl(guildId, newest)),
      ],
      " ",
    ),
    post: { ...postOf(video, words), isOver: announcement.more?.cancelled !== undefined },
  });
}

/** The place's own text is made for what is out: it says nothing of what is still to come, or over. */
function liveText({ feed, video }: StreamFacts, words: Words): Text {
  return announcementText({ feed, video: { ...video, isOver: undefined } }, words);
}

function streamLines({ video, notice }: StreamFacts, words: Words): readonly (Text | false)[] {
  const { what, startsAt, movedFrom, isOverdue, isBack, lost } = notice;
  const channel = bold(video.channelTitle);
  const kind = video.kind === "premiere" ? "premiere" : "live";
  const when = (at: number) => time(new Date(at));
  if (what === "cancelled") {
    return [words.say(`announce.stream.cancelled.${lost ?? "gone"}`)];
  }
  if (what === "over") return overLines({ channel, kind, notice, video }, words);
  if (startsAt === undefined) return [words.md(`announce.stream.planned.${kind}`, { channel })];
  return [
    isOverdue
      ? words.md("announce.stream.overdue", { when: when(startsAt) })
      : // Reads well after that time, too: some streams begin a few minutes late.
        words.md(`announce.stream.scheduled.${kind}`, {
          channel,
          when: time(new Date(startsAt), "f"),
        }),
    movedFrom !== undefined &&
      words.md("announce.stream.moved", { from: time(new Date(movedFrom), "f") }),
    isBack === true && words.say("announce.stream.back"),
  ];
}

interface OverFacts extends Pick<StreamFacts, "notice" | "video"> {
  readonly channel: Markup;
  readonly kind: "premiere" | "live";
}

function overLines({ channel, kind, notice, video }: OverFacts, words: Words): readonly Text[] {
  const { lengthMs, peakViewers, isRecorded, lost } = notice;
  const seconds = lengthMs === undefined ? undefined : lengthSeconds(notice, video);
  const length = seconds === undefined ? undefined : words.length(`PT${seconds}S`);
  const rest =
    lost === undefined
      ? words.say(`announce.stream.${isRecorded ? "recorded" : "no_recording"}`)
      : words.say(`announce.stream.lost.${lost}`);
  return [
    length === undefined
      ? words.md(`announce.stream.over.${kind}`, { channel })
      : words.md(`announce.stream.over_length.${kind}`, { channel, length }),
    ...(peakViewers === undefined
      ? []
      : [words.say("announce.stream.viewers", { count: peakViewers })]),
    rest,
  ];
}

/** How long it was live; else how long its recording is. */
function lengthSeconds({ lengthMs }: StreamNotice, { seconds }: ReleasedVideo): number | undefined {
  const length = lengthMs === undefined ? seconds : Math.round(lengthMs / 1_000);
  return length === undefined || length < 1 ? undefined : length;
}

/** A short message that only calls people to the video. */
function callMessage(facts: StreamFacts, words: Words) {
  const { guildId, video, notice: says, card: at } = facts;
  const kind = video.kind === "premiere" ? "premiere" : "live";
  const what = says.what === "reminder" ? "reminder" : "call";
  const { startsAt } = says;
  const title = link(video.title, youtubePages.video(video.id));
  const text =
    what === "reminder" && startsAt !== undefined
      ? words.md("announce.stream.reminder_text", {
          title,
          at: time(new Date(startsAt), "t"),
          when: time(new Date(startsAt)),
        })
      : title;
  const first =
    at === undefined ? false : link(words.say("announce.stream.to_card"), messageUrl(guildId, at));
  return notice({
    tone: "neutral",
    title: words.say(`announce.stream.${what}.${kind}`, { channel: video.channelTitle }),
    text: join([text, first], " · "),
    ...buttonsFor(facts, words),
  });
}

/** The address of a message in a channel, thread or forum post of a server. */
export function messageUrl(guildId: string, at: NonNullable<StreamFacts["card"]>): string {
  return `https://discord.com/channels/${BigInt(guildId)}/${BigInt(at.channelId)}/${BigInt(at.messageId)}`;
}
