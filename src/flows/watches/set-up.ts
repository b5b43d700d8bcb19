import {
  ask,
  channelMention,
  join,
  notice,
  type PostChannel,
  type Reply,
  requireWritable,
  type Text,
  type Words,
} from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type { Watch, WatchedState } from "../../moderation/index.ts";
import type { CredentialFacts } from "../../store/index.ts";
import { nextSteps, presses } from "../cards/index.ts";
import { readOwnChannelId } from "../comments/index.ts";
import type { Ctx } from "../context/index.ts";
import { action, actionFor, type FlowAction } from "../declarations/index.ts";
import { defaultPaceMs, describePace } from "./settings.ts";

/** A pattern between slashes, or any text, up to the next comma, line break or the end. */
const matchTerm = /[^\S\n]*(\/(?:[^/\\\n]|\\.)+\/)[^\S\n]*(?:[,\n]|$)|[^,\n]+/gu;

/**
 * Splits what people typed into words, phrases and patterns, without repeats. Commas and line breaks separate them; a
 * pattern stands between slashes and may contain commas.
 */
export function parseMatchTerms(text: string): readonly string[] {
  const pieces = text.matchAll(matchTerm);
  const wanted = [...pieces].map(([whole, pattern = whole]) => pattern.trim()).filter(Boolean);
  return [...new Set(wanted)];
}

/** What people can choose to watch, in the option's order. */
export const watchStateChoices = [
  "waiting",
  "heldForReview",
  "likelySpam",
  "published",
  "all",
] as const;
type StateChoice = (typeof watchStateChoices)[number];

const chosenStates = {
  waiting: ["heldForReview", "likelySpam"],
  heldForReview: ["heldForReview"],
  likelySpam: ["likelySpam"],
  published: ["published"],
  all: ["heldForReview", "likelySpam", "published"],
} as const satisfies Record<StateChoice, readonly WatchedState[]>;

/**
 * The states to watch. Search terms apply to new comments, so with terms these are watched too unless chosen otherwise.
 * @throws InputError `watch_match_unused`
 */
export function chooseStates(
  choice: StateChoice | undefined,
  match: readonly string[] | undefined,
): readonly WatchedState[] {
  if (match === undefined) return chosenStates[choice ?? "waiting"];
  const states = chosenStates[choice ?? "all"];
  if (states.some((state) => state === "published")) return states;
  throw new InputError("words to look for, but no new comments", { code: "watch_match_unused" });
}

/** Describes the comments that a watch shows, as a list within a sentence. */
export function describeWatchedStates(
  { states, match }: Pick<Watch, "states" | "match">,
  words: Words,
): string {
  const names = states.map((state) =>
    state === "published" && match !== undefined
      ? words.say("watch.states.matching", { match: words.list(match) })
      : words.say(`watch.states.${state}`),
  );
  return words.list(names);
}

interface WatchSetup {
  readonly place: PostChannel;
  readonly states?: StateChoice | undefined;
  readonly match?: string | undefined;
  readonly digest?: number | undefined;
}

const defaultDigestFrom = 6;

/**
 * Starts showing waiting comments in a channel, or changes what is shown there.
 * @throws AccessError `discord_channel_closed`; InputError `watch_match_unused`, `rule_words`, `rule_pattern`,
 * `too_many_watches`; what the service throws on the first read
 */
export async function setUpWatch(ctx: Ctx, setting: WatchSetup): Promise<Reply> {
  const { place, digest } = setting;
  const { words, moderation } = ctx;
  requireWritable(place);
  const match = await matchIn(ctx, setting.match);
  const before = (await moderation.watches.all()).find(({ channelId }) => channelId === place.id);
  const states =
    setting.states === undefined && match === undefined && before !== undefined
      ? before.states
      : chooseStates(setting.states, match);
  const source = await checkAccess(ctx);
  const watch = await moderation.watches.put(
    {
      channelId: place.id,
      ...(place.isForum && { isForum: true as const }),
      source,
      states,
      ...matchSetting({ match, before, states }),
      paceMs: before?.paceMs ?? defaultPaceMs,
      digestFrom: digest ?? before?.digestFrom ?? defaultDigestFrom,
      ...(before?.ping !== undefined && { ping: before.ping }),
    },
    ctx.userId,
  );
  return notice({
    tone: "good",
    title: words.say(before === undefined ? "watch.set.title" : "watch.set.changed"),
    text: join(await linesOf(ctx, watch)),
    buttons: await nextSteps(ctx, "watch"),
  });
}

/** Asks whether cards may appear in the channel where it was pressed. */
export const offerWatchHere = actionFor(presses.watch.offerHere, {
  answer: "private",
  by: "requester",
  rank: "manager",
  needs: ["channel"],
  run: async ({ words, here }) => {
    const command = words.mention("watch channel");
    const title = words.say("watch.here.title");
    if (here === undefined) {
      return notice({ tone: "bad", title, text: words.md("watch.here.elsewhere", { command }) });
    }
    requireWritable(here);
    return ask({
      title,
      text: words.md("watch.here.text", { place: channelMention(here.id), command }),
      confirm: {
        label: words.say("watch.here.button"),
        style: "primary",
        press: watchHere.press(null),
      },
    });
  },
});

const watchHere = action<null>({
  name: "watch.here",
  answer: "update",
  by: "requester",
  rank: "manager",
  needs: ["channel"],
  uses: ["commentThreads.list", "channels.list", "comments.setModerationStatus"],
  run: async (ctx) => {
    if (ctx.here === undefined) throw new TypeError("a question leads to another channel");
    return setUpWatch(ctx, { place: ctx.here });
  },
});

export const setUpActions: readonly FlowAction<never>[] = [offerWatchHere, watchHere];

/** The search terms, checked. @throws InputError `rule_words`, `rule_pattern` for terms that can't be searched for */
async function matchIn(
  { moderation }: Ctx,
  text: string | undefined,
): Promise<readonly string[] | undefined> {
  if (text === undefined) return undefined;
  const wanted = parseMatchTerms(text);
  await moderation.rules.matching(wanted, []);
  return wanted;
}

interface MatchChange {
  readonly match: readonly string[] | undefined;
  readonly before: Watch | undefined;
  readonly states: Watch["states"];
}

/** The previous search terms stay as long as new comments are watched and no other terms are given. */
function matchSetting({ match, before, states }: MatchChange): Pick<Watch, "match"> {
  const kept = match ?? before?.match;
  return kept !== undefined && states.includes("published") ? { match: kept } : {};
}

/**
 * Reads once with the channel's consent, so that a missing permission shows now and not later: reading and deciding
 * need the same consent. Returns the channel's id.
 */
async function checkAccess(ctx: Ctx): Promise<string> {
  const source = await readOwnChannelId(ctx);
  await ctx.own.call(
    "commentThreads.list",
    {
      part: ["id"],
      allThreadsRelatedToChannelId: source,
      moderationStatus: "heldForReview",
      maxResults: 1,
    },
    { signal: ctx.signal },
  );
  return source;
}

async function linesOf(ctx: Ctx, watch: Watch): Promise<readonly Text[]> {
  const { words } = ctx;
  const { paused, isForum, digestFrom } = watch;
  const resume = words.mention("watch resume");
  return [
    words.md("watch.set.what", {
      place: channelMention(watch.channelId),
      channel: watchedChannelName(await ctx.credentials.channels(), watch.source),
      what: describeWatchedStates(watch, words),
    }),
    isForum === true
      ? words.say("watch.set.forum")
      : words.say("watch.set.digest", { count: digestFrom }),
    describePace(watch, ctx),
    words.say("watch.set.decisions"),
    paused === undefined
      ? words.say("watch.set.soon")
      : words.md("watch.set.is_paused", { command: resume }),
  ];
}

/** The watched channel's name on this server. */
export function watchedChannelName(channels: readonly CredentialFacts[], source: string): string {
  const facts = channels.find(({ channelId }) => channelId === source);
  return facts?.name ?? facts?.channelTitle ?? source;
}
