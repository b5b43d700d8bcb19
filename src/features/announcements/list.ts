import {
  type Feed,
  type FeedFilter,
  type FeedProgress,
  type FeedStatus,
  isMutedAt,
  maxFeeds,
  type PlaceTrouble,
  placeFor,
  releaseKinds,
} from "../../announcements/index.ts";
import { minuteMs } from "../../clock.ts";
import {
  type Button,
  card,
  channelMention,
  compact,
  cut,
  join,
  link,
  list,
  md,
  mention,
  type Reply,
  roleMention,
  type Text,
  time,
  type Words,
} from "../../discord/index.ts";
import { youtubePages } from "../../video/index.ts";
import type { Ctx } from "../context/index.ts";
import { action } from "../declarations/index.ts";
import { categoryName } from "./categories.ts";

/** One line for each kind of release: where it is announced, and what fails there. */
export function describePlaces(
  { places, troubles = [] }: Pick<Feed, "places"> & Pick<FeedProgress, "troubles">,
  words: Words,
): readonly Text[] {
  return releaseKinds.flatMap((kind) => {
    const place = places[kind];
    if (place === undefined) return [];
    const { channelId, roleId, template, locale, isPublished, hasThread, tagIds, off } = place;
    const troubleOf = (what: PlaceTrouble["what"]) => {
      const found = troubles.find((one) => one.channelId === channelId && one.what === what);
      return found && describeTrouble(found, words);
    };
    const facts = [
      words.md("announce.place", {
        kind: words.say(`announce.kinds.${kind}`),
        channel: channelMention(channelId),
      }),
      roleId !== undefined && words.md("announce.place_role", { role: roleMention(roleId) }),
      locale !== undefined &&
        words.say("announce.place_language", {
          language: words.find(`choices.announce_language.${locale}`) ?? locale,
        }),
      isPublished === true && (troubleOf("isPublished") ?? words.say("announce.place_published")),
      hasThread === true && (troubleOf("hasThread") ?? words.say("announce.place_thread")),
      tagIds !== undefined &&
        (troubleOf("tagIds") ?? words.say("announce.place_tags", { count: tagIds.length })),
      template !== undefined &&
        words.md("announce.place_template", { template: cut(template, 60) }),
      off !== undefined && describeOff(off, words),
    ];
    return [join(facts, " · ")];
  });
}

function describeOff({ code }: { readonly code: string }, words: Words): string {
  return words.find(`announce.place_off.${code}`) ?? words.say("announce.place_off.other");
}

function describeTrouble({ what, code, since }: PlaceTrouble, words: Words): Text {
  return words.md(`announce.place_trouble.${what}`, {
    since: time(new Date(since), "f"),
    reason: words.find(`announce.place_reason.${code}`) ?? words.say("announce.place_reason.other"),
  });
}

/** Undefined if it excludes nothing. */
export function describeFilter(filter: FeedFilter | undefined, words: Words): Text | undefined {
  const { titleContains, minSeconds, categoryIds, hasNoShorts } = filter ?? {};
  const facts = [
    titleContains !== undefined &&
      words.md("announce.filter.titles", { words: cut(titleContains.join(", "), 200) }),
    minSeconds !== undefined &&
      words.say("announce.filter.longer", { length: words.duration(minSeconds * 1_000) }),
    categoryIds !== undefined &&
      words.md("announce.filter.categories", {
        names: categoryIds.map((id) => categoryName(id, words)).join(", "),
      }),
    hasNoShorts === true && words.say("announce.filter.no_shorts"),
  ].filter((fact) => fact !== false);
  return facts.length === 0
    ? undefined
    : words.md("announce.filter.line", { facts: join(facts, " · ") });
}

/** How its streams are followed, in one line; undefined if it announces none. */
function describeFollowing({ streams, places }: Feed, words: Words): Text | undefined {
  if (placeFor(places, "premiere") === undefined) return undefined;
  const { messages = "live", reminderMs, hasEvents, eventsOff } = streams ?? {};
  const isMade = hasEvents === true && eventsOff === undefined;
  const facts = [
    words.say(`announce.list.streams.${messages}`),
    reminderMs === undefined
      ? words.say("announce.list.streams.no_reminder")
      : words.say("announce.list.streams.reminder", { before: words.duration(reminderMs) }),
    words.say(`announce.list.streams.${isMade ? "events" : "no_events"}`),
  ];
  return join(facts, " · ");
}

/** The feed's state, in a few lines. */
function statusLines(status: FeedStatus, words: Words, now: number): readonly Text[] {
  const { feed, progress, isPushed, intervalMs, unitsADay } = status;
  const last = lastLine(progress, words);
  const stopped = pausedLine(feed, words) ?? offLine(feed, words);
  if (stopped !== undefined) return [stopped, last];
  // All its places are off, so nothing is checked.
  if (unitsADay === 0) return [last];
  const minutes = Math.max(1, Math.round(intervalMs / minuteMs));
  const how = isPushed
    ? words.say("announce.status.pushes")
    : words.say("announce.status.polls", { every: words.every(minutes * minuteMs) });
  const failures = progress?.failures ?? 0;
  return [
    ...compact([muteLine(feed, words, now)]),
    join([how, words.say("announce.status.units", { units: unitsADay })], " · "),
    join(
      [
        last,
        progress?.nextPollAt !== undefined &&
          words.md("announce.status.next", { when: time(new Date(progress.nextPollAt)) }),
        failures !== 0 && words.say("announce.status.trouble", { count: failures }),
      ],
      " · ",
    ),
    ...(feed.streams?.hasEvents && feed.streams.eventsOff ? [eventsForbidden(words)] : []),
  ];
}

function pausedLine({ paused }: Feed, words: Words): Text | undefined {
  return (
    paused &&
    words.md("announce.paused.line", {
      person: mention(paused.by),
      when: time(new Date(paused.at)),
    })
  );
}

function offLine({ off }: Feed, words: Words): Text | undefined {
  return off && words.md("announce.off.line", { when: time(new Date(off.at)) });
}

function muteLine(feed: Feed, words: Words, now: number): Text | undefined {
  const { mutedUntil } = feed;
  if (mutedUntil === undefined || !isMutedAt(feed, now)) return undefined;
  return words.md("announce.mute.line", { until: time(new Date(mutedUntil), "f") });
}

/** When something was last announced. */
function lastLine(progress: FeedListing["progress"], words: Words): Text {
  return progress?.announcedAt === undefined
    ? words.say("announce.status.never")
    : words.md("announce.status.last", { when: time(new Date(progress.announcedAt)) });
}

/** Who has to give the permission, and what to do then. */
export function eventsForbidden(words: Words): Text {
  return words.md("announce.stream.settings.events_forbidden", {
    command: words.mention("announce streams"),
  });
}

/** Feeds on a page that shows all details. */
const perPage = 5;
/** With more feeds, each has one line. A line has about 150 characters; Discord allows 4,096 for the text. */
const maxDetailed = 2 * perPage;
const linesPerPage = 20;
/** How many Discord channels a line names. */
const maxNamed = 3;

/** Pages are counted from 0. */
const turn = action<{ readonly page: number }>({
  name: "announce.turn",
  rank: "manager",
  run: (ctx, { page }) => listFeeds(ctx, page),
});

/** Shows the chosen feed in a separate answer, so that the list stays. */
const show = action<Record<never, never>>({
  name: "announce.show",
  answer: "private",
  rank: "manager",
  run: (ctx, _state, { values: [id] }) => listFeeds(ctx, 0, id),
});

export const feedListActions = [turn, show] as const;

/** All feeds, or one of them: what is announced where, and their state. `wanted`: a page, counted from 0. */
export async function listFeeds(ctx: Ctx, wanted = 0, id?: string): Promise<Reply> {
  const { words } = ctx;
  const { compare } = new Intl.Collator(words.tag);
  const all = (await ctx.feeds.statuses())
    .filter(({ feed }) => id === undefined || feed.id === id)
    .toSorted((a, b) => compare(a.feed.title, b.feed.title));
  const isLong = all.length > maxDetailed;
  const size = isLong ? linesPerPage : perPage;
  const lastPage = Math.max(0, Math.ceil(all.length / size) - 1);
  const page = Math.min(wanted, lastPage);
  const shown = all.slice(page * size, (page + 1) * size);
  const units = all.reduce((sum, { unitsADay }) => sum + unitsADay, 0);
  const total = words.say("announce.list.total", { count: all.length, most: maxFeeds, units });
  const title = words.say("announce.list.title");
  const turns =
    lastPage === 0
      ? {}
      : {
          footer: `${words.say("common.page", { page: page + 1 })} / ${lastPage + 1}`,
          buttons: turnButtons(page, lastPage, words),
        };
  if (isLong) {
    return card({
      title,
      text: join([total, "", ...shown.map((status) => feedLine(status, words, ctx.now()))]),
      selects: [
        {
          placeholder: words.say("announce.list.pick"),
          options: shown.map(({ feed }) => ({ label: cut(feed.title, 100), value: feed.id })),
          press: show.press({}),
        },
      ],
      ...turns,
    });
  }
  return list({
    title,
    ...(all.length === 0 || id !== undefined ? {} : { text: total }),
    items: shown.map((status) => ({
      title: link(cut(status.feed.title, 80), youtubePages.channel(status.feed.source)),
      lines: compact([
        join(
          describePlaces(
            { places: status.feed.places, troubles: status.progress?.troubles },
            words,
          ),
        ),
        describeFollowing(status.feed, words),
        describeFilter(status.feed.filter, words),
        ...statusLines(status, words, ctx.now()),
      ]),
    })),
    empty: words.md("announce.list.empty", { command: words.mention("announce add") }),
    ...turns,
  });
}

/** First, previous, next and last; with only two pages, just previous and next. */
function turnButtons(page: number, lastPage: number, words: Words): readonly Button[] {
  const to = (label: string, target: number, disabled: boolean) => ({
    label,
    disabled,
    press: turn.press({ page: target }),
  });
  const [isFirst, isLast] = [page === 0, page === lastPage];
  return compact([
    lastPage > 1 && to(words.say("common.first"), 0, isFirst),
    to(words.say("common.previous"), page - 1, isFirst),
    to(words.say("common.next"), page + 1, isLast),
    lastPage > 1 && to(words.say("common.last"), lastPage, isLast),
  ]);
}

/** One line of a long list: where a feed is announced, and what is wrong with it or when it last announced something. */
export function feedLine(status: FeedListing, words: Words, now: number): Text {
  const { feed, progress } = status;
  const { places } = feed;
  const all = compact(releaseKinds.map((kind) => places[kind]));
  const channelIds = [...new Set(all.map(({ channelId }) => channelId))];
  const off = all.find((place) => place.off !== undefined)?.off;
  const failures = progress?.failures ?? 0;
  const more = channelIds.length - maxNamed;
  const named = join(
    [...channelIds.slice(0, maxNamed).map(channelMention), more > 0 && `+${more}`],
    " ",
  );
  const trouble = compact([
    offLine(feed, words),
    pausedLine(feed, words),
    muteLine(feed, words, now),
    off !== undefined && describeOff(off, words),
    failures !== 0 && words.say("announce.status.trouble", { count: failures }),
  ]);
  const [state = lastLine(progress, words)] = trouble;
  return join([md`**${cut(feed.title, 50)}**`, named, state], " · ");
}

type FeedListing = Pick<FeedStatus, "feed"> & {
  readonly progress?: Partial<FeedProgress> | undefined;
};
