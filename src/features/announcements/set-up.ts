import {
  type Feed,
  type FeedPlace,
  type ReleaseKind,
  releaseKinds,
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
import { findChannel } from "../channels/index.ts";
import type { Ctx, CtxFor } from "../context/index.ts";
import { option } from "../declarations/index.ts";
import { linkedChannels } from "../suggestions/index.ts";
import { describePlaces } from "./list.ts";
import { feedChoice, findFeed } from "./manage.ts";
import { checkTemplate, maxTemplateChars } from "./template.ts";

const role = option.pingRole({});
const template = option.text({ max: maxTemplateChars });

export const addFeedOptions = {
  channel: option.channel({ required: true, suggest: linkedChannels }),
  uploads: option.postChannel({}),
  live: option.postChannel({}),
  premieres: option.postChannel({}),
  shorts: option.postChannel({}),
  role,
  template,
};

/** The option with the channel for each kind of release. */
const placeOptions = {
  upload: "uploads",
  live: "live",
  premiere: "premieres",
  short: "shorts",
} as const satisfies Record<ReleaseKind, keyof typeof addFeedOptions>;

export const changeFeedOptions = {
  kind: option.choice({ required: true, group: "release", values: releaseKinds }),
  ...feedChoice,
  channel: option.postChannel({}),
  role,
  template,
  clear: option.choice({ group: "announce_clear", values: ["role", "template", "place"] }),
};

/**
 * Starts announcing a channel, or adds kinds of releases to a feed that exists.
 * @throws InputError `feed_place_missing`, `template_placeholder`, `too_many_feeds`; AccessError
 * `discord_channel_closed`; what `findChannel` throws
 */
export async function announceChannel(ctx: CtxFor<typeof addFeedOptions>): Promise<Reply> {
  const { words, options } = ctx;
  const { role: roleId, template } = options;
  const chosen = releaseKinds.flatMap((kind) => {
    const channel = options[placeOptions[kind]];
    return channel === undefined ? [] : [{ kind, channel }];
  });
  if (chosen.length === 0) throw placeMissing("feed_place_missing");
  check(
    chosen.map(({ channel }) => channel),
    template,
  );
  const { id, title, channel } = await findChannel(ctx, options.channel, ["contentDetails"]);
  const places = Object.fromEntries(
    chosen.map(({ kind, channel }) => [kind, { ...toPlace(channel), roleId, template }]),
  );
  // If YouTube does not return the id of the list of uploads, the `UU` prefix follows its convention.
  const uploads = channel.contentDetails?.relatedPlaylists?.uploads ?? `UU${id.slice(2)}`;
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
      words.md("announce.added.text", { test: words.mention("announce test") }),
    ]),
  });
}

/**
 * Changes where or how one kind of release is announced.
 * @throws InputError `announce_unchanged`, `feed_kind_missing`, and what setting up and choosing a feed throw
 */
export async function changeAnnouncement(ctx: CtxFor<typeof changeFeedOptions>): Promise<Reply> {
  const { options } = ctx;
  const { kind, channel, role, template, clear } = options;
  if ([channel, role, template, clear].every((one) => one === undefined)) {
    throw new InputError("nothing about the feed was to be changed", {
      code: "announce_unchanged",
    });
  }
  check(channel === undefined ? [] : [channel], template);
  const { id, title } = await findFeed(ctx, options.feed);
  const now = await ctx.feeds.change(id, ({ [kind]: place, ...others }) =>
    clear === "place" ? others : { ...others, [kind]: changePlace(place, options) },
  );
  const word = now === undefined ? "stopped" : "changed";
  return savedNotice(ctx, now, {
    title: ctx.words.say(`announce.${word}.title`, { channel: title }),
  });
}

function changePlace(
  place: FeedPlace | undefined,
  wanted: OptionsOf<typeof changeFeedOptions>,
): FeedPlace {
  const { channel, role, template, clear } = wanted;
  const where = channel === undefined ? place : toPlace(channel);
  if (where === undefined) throw placeMissing("feed_kind_missing");
  return {
    channelId: where.channelId,
    isForum: where.isForum,
    roleId: role ?? (clear === "role" ? undefined : place?.roleId),
    template: template ?? (clear === "template" ? undefined : place?.template),
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
  feed: Feed | undefined,
  { title, last }: { readonly title: string; readonly last?: Text },
): Reply {
  const lines = feed === undefined ? [] : describePlaces(feed, words);
  return notice({ tone: "good", title, text: join([...lines, last]) });
}

function placeMissing(code: "feed_place_missing" | "feed_kind_missing"): InputError {
  return new InputError("no channel of the server was chosen", { code });
}
