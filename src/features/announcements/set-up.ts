import {
  type Feed,
  type FeedPlace,
  placeFor,
  type ReleaseKind,
  releaseKinds,
  unitsOfUsualStream,
} from "../../announcements/index.ts";
import {
  join,
  notice,
  type OptionsOf,
  type PostChannel,
  type Reply,
  requireWritable,
  type Text,
} from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type { Channel } from "../../video/index.ts";
import { findChannel } from "../channels/index.ts";
import type { Ctx, CtxFor } from "../context/index.ts";
import { option } from "../declarations/index.ts";
import { linkedChannels } from "../suggestions/index.ts";
import { describePlaces } from "./list.ts";
import { feedChoice, findFeed, removalQuestion } from "./manage.ts";
import { channelOf, type PlaceStyle, placeOptions, readStyles } from "./places.ts";
import { templatePreview } from "./preview.ts";
import { checkTemplate } from "./template.ts";

/** Where each kind is announced. */
export const placeChannels = {
  uploads: option.postChannel({}),
  live: option.postChannel({}),
  premieres: option.postChannel({}),
  shorts: option.postChannel({}),
};

export const addFeedOptions = {
  channel: option.channel({ required: true, suggest: linkedChannels }),
  ...placeChannels,
  ...placeOptions,
};

/** The option with the channel for each kind of release. */
const channelOptions = {
  upload: "uploads",
  live: "live",
  premiere: "premieres",
  short: "shorts",
} as const satisfies Record<ReleaseKind, keyof typeof placeChannels>;

export const changeFeedOptions = {
  kind: option.choice({ required: true, group: "release", values: releaseKinds }),
  ...feedChoice,
  channel: option.postChannel({}),
  ...placeOptions,
  clear: option.choice({
    group: "announce_clear",
    values: ["role", "template", "language", "tags", "place"],
  }),
};

/**
 * Starts announcing a channel, or adds kinds of releases to a feed that exists.
 * @throws InputError `feed_place_missing`, `template_placeholder`, `too_many_feeds`; AccessError
 * `discord_channel_closed`; what `findChannel` throws
 */
export async function announceChannel(ctx: CtxFor<typeof addFeedOptions>): Promise<Reply> {
  const { words, options } = ctx;
  const { kinds, places } = await choosePlaces(ctx, options);
  const { id, title, channel } = await findChannel(ctx, options.channel, ["contentDetails"]);
  const uploads = uploadsOf(channel, id);
  const feed = await ctx.feeds.put({ source: id, title, uploads, places }, ctx.userId);
  const { upload, live, short } = feed.places;
  return savedNotice(ctx, feed, {
    title: words.say("announce.added.title", { channel: title }),
    last: join([
      // What is not announced, or only later.
      live === undefined &&
        words.say(upload === undefined ? "announce.covers.no_live" : "announce.covers.live_later"),
      short === undefined && words.say("announce.covers.no_shorts"),
      upload === undefined && words.say("announce.covers.no_uploads"),
      words.say("announce.stream.checks", {
        units: (await ctx.feeds.status(feed.id))?.unitsADay ?? 0,
      }),
      live !== undefined &&
        feed.streams?.messages === "one" &&
        words.md("announce.stream.added", {
          units: unitsOfUsualStream(feed.streams.reminderMs),
          command: words.mention("announce streams"),
        }),
      words.md("announce.added.text", { test: words.mention("announce test") }),
      options.template !== undefined && (await templatePreview(ctx, feed, kinds[0])),
    ]),
  });
}

/**
 * The places that the options choose, and for which kinds of releases.
 * @throws InputError `feed_place_missing`, and what the template and `readStyles` are refused for; AccessError `discord_channel_closed`
 */
export async function choosePlaces(
  ctx: Ctx,
  options: OptionsOf<typeof placeChannels> & PlaceStyle,
): Promise<{ readonly kinds: readonly ReleaseKind[]; readonly places: Feed["places"] }> {
  const chosen = releaseKinds.flatMap((kind) => {
    const channel = options[channelOptions[kind]];
    return channel === undefined ? [] : [{ kind, channel }];
  });
  if (chosen.length === 0) throw placeMissing("feed_place_missing");
  const channels = chosen.map(({ channel }) => channel);
  check(channels, options.template);
  const styles = await readStyles(ctx, channels, options);
  const places = Object.fromEntries(
    chosen.map(({ kind, channel }, index) => [kind, { ...toPlace(channel), ...styles[index] }]),
  );
  return { kinds: chosen.map(({ kind }) => kind), places };
}

/** The channel's list of uploads. If YouTube does not return its id, the `UU` prefix follows its convention. */
export function uploadsOf({ contentDetails }: Channel, id: string): string {
  return contentDetails?.relatedPlaylists?.uploads ?? `UU${id.slice(2)}`;
}

/**
 * Changes where or how one kind of release is announced. If that clears the last place, nothing of the channel would be
 * announced any more, so it asks first, as `/announce remove` does.
 * @throws InputError `announce_unchanged`, `feed_kind_missing`, and what setting up and choosing a feed throw
 */
export async function changeAnnouncement(ctx: CtxFor<typeof changeFeedOptions>): Promise<Reply> {
  const { options } = ctx;
  const { kind, feed: _, channel, clear, ...style } = options;
  if ([channel, clear, ...Object.values(style)].every((one) => one === undefined)) {
    throw new InputError("nothing about the feed was to be changed", {
      code: "announce_unchanged",
    });
  }
  check(channel === undefined ? [] : [channel], style.template);
  const found = await findFeed(ctx, options.feed);
  const { id, title, places } = found;
  const before = placeFor(places, kind);
  if (channel === undefined && before === undefined) throw placeMissing("feed_kind_missing");
  const where = channel ?? (before && (await channelOf(ctx, before)));
  const [changed = {}] = where === undefined ? [] : await readStyles(ctx, [where], style);
  const now = await ctx.feeds.change(id, (stored) => {
    const { [kind]: _, ...others } = stored;
    if (clear === "place") return others;
    // A premiere that goes where streams go gets a place of its own.
    const place = changePlace(placeFor(stored, kind), channel, { ...changed, clear });
    return { ...others, [kind]: place };
  });
  if (now === undefined) return removalQuestion(found, ctx.words);
  return savedNotice(ctx, now, {
    title: ctx.words.say("announce.changed.title", { channel: title }),
    ...(clear === "place" && { last: ctx.words.say("announce.changed.cleared") }),
    ...(style.template !== undefined && { last: await templatePreview(ctx, now, kind) }),
  });
}

/** What can be cleared, and what is stored of it. */
const clearedFields = {
  role: "roleId",
  template: "template",
  language: "locale",
  tags: "tagIds",
} as const satisfies Record<string, keyof FeedPlace>;

function changePlace(
  before: FeedPlace | undefined,
  channel: PostChannel | undefined,
  {
    clear,
    ...changed
  }: Partial<FeedPlace> & { readonly clear: keyof typeof clearedFields | undefined },
): FeedPlace {
  const where = channel === undefined ? before : toPlace(channel);
  if (where === undefined) throw placeMissing("feed_kind_missing");
  const { off: _, ...kept } = before ?? {};
  const { channelId, isForum } = where;
  const cleared = clear === undefined ? {} : { [clearedFields[clear]]: undefined };
  const place = { ...kept, channelId, isForum, ...cleared };
  const isMoved = channel !== undefined && channel.id !== before?.channelId;
  return { ...(isMoved ? withoutImpossible(place, channel) : place), ...changed };
}

/** In another channel: without what that one can't do. Tags belong to one forum. */
function withoutImpossible(place: FeedPlace, { isForum, isAnnouncement }: PostChannel): FeedPlace {
  return {
    ...place,
    tagIds: undefined,
    isPublished: isAnnouncement ? place.isPublished : undefined,
    hasThread: isForum ? undefined : place.hasThread,
  };
}

function toPlace({ id, isForum }: PostChannel): FeedPlace {
  return { channelId: id, isForum: isForum ? true : undefined };
}

/** Throws for what can't work, before any quota is spent. */
function check(channels: readonly PostChannel[], template: string | undefined): void {
  for (const channel of channels) requireWritable(channel);
  if (template !== undefined) checkTemplate(template);
}

function savedNotice(
  { words }: Ctx,
  feed: Feed,
  { title, last }: { readonly title: string; readonly last?: Text },
): Reply {
  return notice({ tone: "good", title, text: join([...describePlaces(feed, words), last]) });
}

function placeMissing(code: "feed_place_missing" | "feed_kind_missing"): InputError {
  return new InputError("no channel of the server was chosen", { code });
}
