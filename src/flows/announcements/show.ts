import {
  channelMention,
  cut,
  join,
  link,
  mention,
  pages,
  roleMention,
  type Text,
  time,
  type Words,
} from "../../discord/index.ts";
import type { Feed, FeedPlace, FeedStatus, ReleaseKind } from "../../feeds/index.ts";

/** In the order in which people name them. */
export const releaseKinds = ["upload", "live", "short"] as const satisfies readonly ReleaseKind[];

/** What is announced where, a line for each kind. */
export function placeLines({ places }: Pick<Feed, "places">, words: Words): readonly Text[] {
  return releaseKinds.flatMap((kind) => {
    const place = places[kind];
    return place === undefined ? [] : [placeLine(kind, place, words)];
  });
}

function placeLine(kind: ReleaseKind, place: FeedPlace, words: Words): Text {
  const { channelId, roleId, template, off } = place;
  const where = words.md("announce.place", {
    kind: words.say(`announce.kinds.${kind}`),
    channel: channelMention(channelId),
  });
  const more: readonly Text[] = [
    ...(roleId === undefined
      ? []
      : [words.md("announce.place_role", { role: roleMention(roleId) })]),
    ...(template === undefined
      ? []
      : [words.md("announce.place_template", { template: cut(template, 60) })]),
    ...(off === undefined ? [] : [offWord(off.code, words)]),
  ];
  return join([where, ...more], " · ");
}

function offWord(code: string, words: Words): string {
  return words.find(`announce.place_off.${code}`) ?? words.say("announce.place_off.other");
}

/** How it goes, on one line or two. */
export function statusLines(status: FeedStatus, words: Words): readonly Text[] {
  const { feed, progress, isPushed, intervalMs, unitsADay } = status;
  const when = (at: number) => time(new Date(at));
  const last =
    progress?.announcedAt === undefined
      ? words.say("announce.status.never")
      : words.md("announce.status.last", { when: when(progress.announcedAt) });
  if (feed.paused !== undefined) {
    const { by, at } = feed.paused;
    return [words.md("announce.paused.line", { person: mention(by), when: when(at) }), last];
  }
  if (feed.off !== undefined) {
    return [words.md("announce.off.line", { when: when(feed.off.at) }), last];
  }
  const how = isPushed
    ? words.say("announce.status.pushes")
    : words.say("announce.status.polls", { interval: words.duration(rounded(intervalMs)) });
  const trouble = progress?.failures ?? 0;
  return [
    join([how, words.say("announce.status.units", { units: unitsADay })], " · "),
    join(
      [
        last,
        ...(progress?.nextPollAt === undefined
          ? []
          : [words.md("announce.status.next", { when: when(progress.nextPollAt) })]),
        ...(trouble === 0 ? [] : [words.say("announce.status.trouble", { count: trouble })]),
      ],
      " · ",
    ),
  ];
}

const minuteMs = 60_000;

function rounded(ms: number): number {
  return Math.max(1, Math.round(ms / minuteMs)) * minuteMs;
}

/** Its name, as a link to its page. */
export function titleOf({ title, source }: Feed): Text {
  return link(cut(title, 80), pages.channel(source));
}
