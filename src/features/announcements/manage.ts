import { type Feed, type FeedNotifications, releaseKinds } from "../../announcements/index.ts";
import {
  ask,
  channelMention,
  join,
  link,
  notice,
  notification,
  type Reply,
  type Text,
  typedText,
  type Words,
} from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import { readChannelRef } from "../../video-links/index.ts";
import type { Ctx, CtxFor } from "../context/index.ts";
import { action, option } from "../declarations/index.ts";
import { feeds, matchCandidates } from "../suggestions/index.ts";
import { describePlaces, eventsForbidden, listFeeds } from "./list.ts";
import { messageUrl } from "./stream-message.ts";

/**
 * Finds a feed by its id, by a channel's link or by its title; without any of them, the server's only feed.
 * @throws InputError `feed_not_found`, `feed_needed`
 */
export async function findFeed(ctx: Ctx, text: string | undefined): Promise<Feed> {
  const feeds = await ctx.feeds.all();
  if (text === undefined) {
    const [only] = feeds;
    if (only === undefined) throw notFound();
    if (feeds.length > 1) {
      throw new InputError("several feeds could be meant", {
        code: "feed_needed",
        facts: { option: "feed" },
      });
    }
    return only;
  }
  const ref = readChannelRef(text);
  const source = ref !== undefined && "id" in ref ? ref.id : undefined;
  const exact = feeds.find((feed) => feed.id === text || feed.source === source);
  if (exact !== undefined) return exact;
  const candidates = feeds.map(({ id, title }) => ({ value: id, title }));
  const [first, ...others] = matchCandidates(text, candidates);
  // If several titles match, only one that was typed exactly is clear.
  const isClear = others.length === 0 || first?.title === text.trim();
  const found = isClear ? feeds.find(({ id }) => id === first?.value) : undefined;
  if (found === undefined) throw notFound(text);
  return found;
}

function notFound(typed?: string): InputError {
  return new InputError("there is no such feed", {
    code: "feed_not_found",
    facts: {
      command: "announce list",
      isNamed: typed !== undefined,
      ...(typed !== undefined && { given: typedText(typed) }),
    },
  });
}

/** Which feed. May be left out if there is only one. */
export const feedChoice = { feed: option.text({ max: 100, suggest: feeds }) };

/** All feeds, or the chosen one. @throws what `findFeed` throws */
export async function listChosenFeeds(ctx: FeedChoiceCtx): Promise<Reply> {
  const { feed } = ctx.options;
  return listFeeds(ctx, 0, feed === undefined ? undefined : (await findFeed(ctx, feed)).id);
}

type FeedChoiceCtx = CtxFor<typeof feedChoice>;

export async function pauseChosenFeed(ctx: FeedChoiceCtx): Promise<Reply> {
  const { words } = ctx;
  const { id, title } = await findFeed(ctx, ctx.options.feed);
  const feed = await ctx.feeds.pause(id, ctx.userId);
  if (feed === undefined) return feedGoneNotice(ctx);
  return notice({
    tone: "good",
    title: words.say("announce.paused.title", { channel: title }),
    text: words.md("announce.paused.text", { resume: words.mention("announce resume") }),
    buttons: [{ ...resumeButton(ctx, feed), label: words.say("announce.paused.press") }],
  });
}

/** Ends a pause, or switches a feed back on that the bot has switched off. */
export async function resumeChosenFeed(ctx: FeedChoiceCtx): Promise<Reply> {
  return resumeFeed(ctx, await findFeed(ctx, ctx.options.feed));
}

async function resumeFeed(ctx: Ctx, { id }: Pick<Feed, "id">): Promise<Reply> {
  const { words } = ctx;
  const feed = await ctx.feeds.resume(id);
  if (feed === undefined) return feedGoneNotice(ctx);
  return notice({
    tone: "good",
    title: words.say("announce.resumed.title", { channel: feed.title }),
    text: join([...describePlaces(feed, words), words.say("announce.resumed.text")]),
  });
}

/** Switches a feed back on; its button is also on the message that says it was switched off. */
const resumeAgain = action<{ readonly id: string }>({
  name: "announce.resume-again",
  answer: "private",
  by: "anyone",
  rank: "manager",
  run: (ctx, { id }) => resumeFeed(ctx, { id }),
});

function resumeButton({ words }: Pick<Ctx, "words">, { id }: Pick<Feed, "id">) {
  return { label: words.say("announce.off.resume"), press: resumeAgain.press({ id }) };
}

export const testFeedOptions = {
  ...feedChoice,
  kind: option.choice({ group: "release", values: releaseKinds }),
};

/** Posts a sample. @throws InputError `feed_without_video`, `feed_kind_missing`; what reading and posting throw */
export async function testChosenFeed(ctx: CtxFor<typeof testFeedOptions>): Promise<Reply> {
  const { words } = ctx;
  const { feed, kind } = ctx.options;
  const { id } = await findFeed(ctx, feed);
  const sample = await ctx.feeds.test(id, kind);
  return notice({
    tone: "good",
    title: words.say("announce.tested.title"),
    text: words.md("announce.tested.text", {
      kind: words.say(`announce.kinds.${sample.kind}`),
      sample: link(words.say("announce.tested.sample"), messageUrl(ctx.guildId, sample.at)),
      channel: channelMention(sample.channelId),
    }),
  });
}

export async function askRemoveFeed(ctx: FeedChoiceCtx): Promise<Reply> {
  return removalQuestion(await findFeed(ctx, ctx.options.feed), ctx.words);
}

export function removalQuestion(feed: Feed, words: Words): Reply {
  const { id, title } = feed;
  return ask({
    title: words.say("announce.remove.ask", { channel: title }),
    text: join([...describePlaces(feed, words), words.say("announce.remove.text")]),
    confirm: {
      label: words.say("announce.remove.press"),
      style: "danger",
      press: removeNow.press({ id, title }),
    },
  });
}

const removeNow = action<{ readonly id: string; readonly title: string }>({
  name: "announce.remove-now",
  isOnce: true,
  rank: "manager",
  run: async (ctx, { id, title }) => {
    if (!(await ctx.feeds.remove(id))) return feedGoneNotice(ctx);
    return notice({
      tone: "good",
      title: ctx.words.say("announce.remove.done", { channel: title }),
    });
  },
});

export const manageFeedActions = [resumeAgain, removeNow] as const;

function feedGoneNotice({ words }: Ctx): Reply {
  return notice({ tone: "bad", title: words.say("announce.gone"), isPrivate: true });
}

/** A feed, or one of its places, was switched off; posted once. */
export const feedOffEvent = notification({
  name: "feed-off",
  to: ({ guildId }) => ({ kind: "notices", guildId }),
  run: ({ words }, facts) =>
    notice({
      tone: "warning",
      title: words.say(facts.isEvents ? "announce.off.events_title" : "announce.off.title", {
        channel: facts.feed.title,
      }),
      text: reasonText(facts, words),
      // Without events, everything else goes on.
      ...(facts.isEvents ? {} : { buttons: [resumeButton({ words }, facts.feed)] }),
    }),
});

function reasonText({ code, place, isEvents }: FeedNotifications["feed-off"], words: Words): Text {
  if (isEvents) return eventsForbidden(words);
  const resume = words.mention("announce resume");
  if (place !== undefined) {
    const kinds = words.list(place.kinds.map((kind) => words.say(`announce.kinds.${kind}`)));
    const change = words.mention("announce change");
    return words.md("announce.off.place", {
      kinds,
      place: channelMention(place.channelId),
      reason:
        code === "discord_channel_gone"
          ? words.md("announce.off.discord_channel_gone", { change })
          : words.md("announce.off.discord_channel_closed", { change, resume }),
    });
  }
  return code === "channel_gone"
    ? words.md("announce.off.channel_gone", { resume })
    : words.say("announce.off.credentials");
}
