import type { Video } from "../../video/index.ts";
import { pages } from "../links.ts";
import { type Card, card, type Field } from "../reply.ts";
import { cut, md, type Text, time } from "../text.ts";
import { clockTime, shortNumber } from "./numbers.ts";
import { largeThumbnail } from "./thumbnail.ts";

/** One video, whole: picture, numbers, dates, description. */
export function videoCard(video: Video, locale: string): Card {
  const { snippet, id = "" } = video;
  const image = largeThumbnail(snippet?.thumbnails);
  return card({
    title: snippet?.title ?? "Untitled video",
    url: pages.video(id),
    ...(snippet?.channelTitle === undefined || snippet.channelId === undefined
      ? {}
      : { author: { name: snippet.channelTitle, url: pages.channel(snippet.channelId) } }),
    ...(snippet?.description ? { text: cut(snippet.description, 600) } : {}),
    fields: fieldsOf(video, locale),
    ...(image === undefined ? {} : { image }),
    buttons: [{ label: "Watch", url: pages.video(id) }],
  });
}

const liveStates: Readonly<Record<string, string>> = {
  live: "Live now",
  upcoming: "Not started yet",
};

function fieldsOf(video: Video, locale: string): Field[] {
  const { snippet, statistics, contentDetails, status } = video;
  const state = liveStates[snippet?.liveBroadcastContent ?? ""];
  return present([
    ["Length", clockTime(contentDetails?.duration) ?? state],
    ["Views", shortNumber(statistics?.viewCount, locale)],
    ["Likes", shortNumber(statistics?.likeCount, locale)],
    ["Comments", shortNumber(statistics?.commentCount, locale)],
    ["Published", published(snippet?.publishedAt)],
    ["Privacy", status?.privacyStatus],
  ]);
}

/** Only the fields that the answer has, side by side. */
export function present(rows: readonly (readonly [string, Text | undefined])[]): Field[] {
  return rows.flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [{ name, value, inline: true }],
  );
}

/** In words relative to now, and in full. */
export function published(at: string | undefined): Text | undefined {
  const date = new Date(at ?? "");
  return Number.isNaN(date.getTime()) ? undefined : md`${time(date, "D")} (${time(date, "R")})`;
}
