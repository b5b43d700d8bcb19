import {
  action,
  ask,
  type Ctx,
  channelMention,
  channelOf,
  event,
  join,
  matching,
  notice,
  type Reply,
  type Text,
  type Words,
} from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type { Feed, FeedEvents, ReleaseKind } from "../../feeds/index.ts";
import { placeLines } from "./list.ts";

/**
 * The feed that is meant by an id, a channel's link or a title; the only one when none is named.
 * @throws InputError `feed_not_found`, `feed_needed`
 */
export async function feedMeant(ctx: Ctx, said: string | undefined): Promise<Feed> {
  const feeds = await ctx.feeds.all();
  if (said === undefined) {
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
  const found = byId(feeds, said) ?? byTitle(feeds, said);
  if (found === undefined) throw notFound();
  return found;
}

function byId(feeds: readonly Feed[], said: string): Feed | undefined {
  const ref = channelOf(said);
  const source = ref !== undefined && "id" in ref ? ref.id : undefined;
  return feeds.find((feed) => feed.id === said || feed.source === source);
}

/** Only where the title is unambiguous. */
function byTitle(feeds: readonly Feed[], said: string): Feed | undefined {
  const candidates = feeds.map(({ id, title }) => ({ value: id, title }));
  const [first, ...others] = matching(said, candidates);
  const isExact = first?.title === said.trim();
  if (first === undefined || (others.length > 0 && !isExact)) return undefined;
  return feeds.find(({ id }) => id === first.value);
}

function notFound(): InputError {
  return new InputError("there is no such feed", {
    code: "feed_not_found",
    facts: { command: "announce list" },
  });
}

interface FeedOptions {
  /** Which feed; the only one when absent. */
  readonly feed?: string | undefined;
}

export async function pause(ctx: Ctx<FeedOptions>): Promise<Reply> {
  const { words } = ctx;
  const { id, title } = await feedMeant(ctx, ctx.options.feed);
  const feed = await ctx.feeds.pause(id, ctx.userId);
  if (feed === undefined) return gone(ctx);
  return notice({
    tone: "good",
    title: words.say("announce.paused.title", { channel: title }),
    text: words.md("announce.paused.text", { resume: words.command("announce resume") }),
    buttons: [{ ...resumeButton(ctx, feed), label: words.say("announce.paused.press") }],
  });
}

/** Ends a pause, and switches a feed on again that the bot has switched off. */
export async function resume(ctx: Ctx<FeedOptions>): Promise<Reply> {
  return resumed(ctx, await feedMeant(ctx, ctx.options.feed));
}

async function resumed(ctx: Ctx, { id }: Pick<Feed, "id">): Promise<Reply> {
  const { words } = ctx;
  const feed = await ctx.feeds.resume(id);
  if (feed === undefined) return gone(ctx);
  return notice({
    tone: "good",
    title: words.say("announce.resumed.title", { channel: feed.title }),
    text: join([...placeLines(feed, words), words.say("announce.resumed.text")]),
  });
}

/** Switches a feed on again; also offered on the message that says it was switched off. */
const resumeAgain = action<{ readonly id: string }>({
  name: "announce.resume-again",
  answer: "private",
  by: "anyone",
  rank: "manager",
  run: (ctx, { id }) => resumed(ctx, { id }),
});

function resumeButton({ words }: Pick<Ctx, "words">, { id }: Pick<Feed, "id">) {
  return { label: words.say("announce.off.resume"), press: resumeAgain.press({ id }) };
}

interface TestOptions extends FeedOptions {
  readonly kind?: ReleaseKind | undefined;
}

/** @throws InputError `feed_without_video`, `feed_kind_missing`; what the desk and the video client throw */
export async function test(ctx: Ctx<TestOptions>): Promise<Reply> {
  const { words } = ctx;
  const { feed, kind } = ctx.options;
  const { id } = await feedMeant(ctx, feed);
  const { channelId } = await ctx.feeds.test(id, kind);
  return notice({
    tone: "good",
    title: words.say("announce.tested.title"),
    text: words.md("announce.tested.text", { channel: channelMention(channelId) }),
  });
}

export async function askRemove(ctx: Ctx<FeedOptions>): Promise<Reply> {
  const { words } = ctx;
  const feed = await feedMeant(ctx, ctx.options.feed);
  const { id, title } = feed;
  return ask({
    title: words.say("announce.remove.ask", { channel: title }),
    text: join([...placeLines(feed, words), words.say("announce.remove.text")]),
    confirm: {
      label: words.say("announce.remove.press"),
      style: "danger",
      press: removeNow.press({ id, title }),
    },
  });
}

const removeNow = action<{ readonly id: string; readonly title: string }>({
  name: "announce.remove-now",
  answer: "update",
  by: "requester",
  isOnce: true,
  rank: "manager",
  run: async (ctx, { id, title }) => {
    if (!(await ctx.feeds.remove(id))) return gone(ctx);
    return notice({
      tone: "good",
      title: ctx.words.say("announce.remove.done", { channel: title }),
    });
  },
});

export const stepActions = [resumeAgain, removeNow] as const;

function gone({ words }: Ctx): Reply {
  return notice({ tone: "warning", title: words.say("announce.gone"), isPrivate: true });
}

type Facts = FeedEvents["feed-off"];

/** A feed, or one of its places, was switched off; posted once. */
export const feedOff = event<Facts>({
  name: "feed-off",
  to: ({ guildId }) => ({ kind: "notices", guildId }),
  run: ({ words }, facts) =>
    notice({
      tone: "warning",
      title: words.say("announce.off.title", { channel: facts.feed.title }),
      text: reasonOf(facts, words),
      buttons: [resumeButton({ words }, facts.feed)],
    }),
});

function reasonOf({ code, place }: Facts, words: Words): Text {
  const resume = words.command("announce resume");
  if (place !== undefined) {
    const kinds = words.list(place.kinds.map((kind) => words.say(`announce.kinds.${kind}`)));
    const isGone = code === "discord_channel_gone";
    return words.md("announce.off.place", {
      kinds,
      place: channelMention(place.channelId),
      reason: words.say(
        `announce.off.${isGone ? "discord_channel_gone" : "discord_channel_closed"}`,
      ),
      change: words.command("announce change"),
      resume,
    });
  }
  return code === "channel_gone"
    ? words.md("announce.off.channel_gone", { resume })
    : words.say("announce.off.credentials");
}
