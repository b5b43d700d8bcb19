import {
  type Feed,
  type FeedFilter,
  isPlaceOpen,
  passesFilter,
  placeFor,
  type ReleasedVideo,
} from "../../announcements/index.ts";
import {
  cut,
  join,
  link,
  notice,
  type OptionsOf,
  type Reply,
  type Text,
  typedText,
  type Words,
} from "../../discord/index.ts";
import { BotError, InputError } from "../../errors.ts";
import { youtubePages } from "../../video/index.ts";
import type { Ctx, CtxFor } from "../context/index.ts";
import { option } from "../declarations/index.ts";
import { categories, suggestForLast } from "../suggestions/index.ts";
import { categoryNamed } from "./categories.ts";
import { describeFilter } from "./list.ts";
import { feedChoice, findFeed } from "./manage.ts";

const clearable = ["title", "longer", "category", "shorts", "all"] as const;

export const filterFeedOptions = {
  ...feedChoice,
  title: option.words({ max: 500 }),
  longer: option.duration({}),
  category: option.words({ max: 200, suggest: suggestForLast(categories, () => undefined) }),
  shorts: option.flag({}),
  clear: option.choice({ group: "announce_filter", values: clearable }),
};

type FilterOptions = Omit<OptionsOf<typeof filterFeedOptions>, "feed">;

const maxTitles = 20;
const maxTitleChars = 100;

/**
 * Changes which releases of a feed are announced, and says how many of its newest videos would have been; with no option,
 * only that. It costs two units.
 * @throws InputError `category_unknown`, `filter_titles`, and what choosing a feed throws
 */
export async function filterFeed(ctx: CtxFor<typeof filterFeedOptions>): Promise<Reply> {
  const { words } = ctx;
  const { feed: typed, ...wanted } = ctx.options;
  const change = readFilter(wanted, [words, ctx.wordsIn("en-US")]);
  const found = await findFeed(ctx, typed);
  const isChange = Object.values(wanted).some((one) => one !== undefined);
  const feed = isChange ? await ctx.feeds.setFilter(found.id, change) : found;
  const filter = describeFilter(feed.filter, words) ?? words.say("announce.filter.none");
  const done = isChange ? "announce.filter.title" : "announce.filter.title_now";
  return notice({
    tone: isChange ? "good" : "neutral",
    title: words.say(done, { channel: feed.title }),
    text: join([filter, "", await dryRun(ctx, feed)]),
  });
}

function readFilter(
  { title, longer, category, shorts, clear }: FilterOptions,
  languages: readonly Words[],
): (stored: FeedFilter) => FeedFilter {
  const tooLong = title?.find((one) => one.length > maxTitleChars);
  if (title !== undefined && (title.length > maxTitles || tooLong !== undefined)) {
    throw new InputError("too many or too long words for titles", {
      code: "filter_titles",
      facts: { option: "title", most: maxTitles, length: maxTitleChars },
    });
  }
  // Suggested ids are separated by spaces.
  const names = category?.flatMap((text) => (/^[\d\s]+$/u.test(text) ? text.split(/\s+/u) : text));
  const categoryIds = names?.map((name) => {
    const id = categoryNamed(name, languages);
    if (id !== undefined) return id;
    throw new InputError("there is no such category", {
      code: "category_unknown",
      facts: { given: typedText(name) },
    });
  });
  const isCleared = (part: (typeof clearable)[number]) => clear === part || clear === "all";
  return (stored) => ({
    titleContains: title ?? (isCleared("title") ? undefined : stored.titleContains),
    minSeconds:
      longer === undefined
        ? isCleared("longer")
          ? undefined
          : stored.minSeconds
        : Math.ceil(longer / 1_000) || undefined,
    categoryIds: categoryIds ?? (isCleared("category") ? undefined : stored.categoryIds),
    hasNoShorts:
      shorts === undefined
        ? isCleared("shorts")
          ? undefined
          : stored.hasNoShorts
        : !shorts || undefined,
  });
}

const maxExamples = 5;

/** How many of the channel's newest videos would have been announced. Only kinds that have a place count. */
async function dryRun(ctx: Ctx, feed: Feed): Promise<Text> {
  const { words } = ctx;
  try {
    return describePassing(feed, await ctx.feeds.recent(feed.id), words);
  } catch (error) {
    if (!(error instanceof BotError)) throw error;
    ctx.log.info("a filter was not tried out", { error });
    return words.say("announce.filter.untried");
  }
}

function describePassing(
  { places, filter }: Feed,
  recent: readonly ReleasedVideo[],
  words: Words,
): Text {
  const wanted = recent.filter(({ kind }) => isPlaceOpen(placeFor(places, kind)));
  const passing = wanted.filter((video) => passesFilter(filter, video));
  const counts = {
    count: passing.length,
    total: wanted.length,
    filtered: wanted.length - passing.length,
  };
  return join([
    wanted.length === 0
      ? words.say("announce.filter.dry_none")
      : words.say("announce.filter.dry", counts),
    ...passing
      .slice(0, maxExamples)
      .map(({ title, id }) => join(["• ", link(cut(title, 80), youtubePages.video(id))], "")),
    words.say("announce.filter.cost"),
  ]);
}
