import {
  type Ctx,
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
import { paceText, usualPaceMs } from "./pace.ts";
import { wantedIn } from "./wanted.ts";

/** What people choose from, in the option's order. */
export const stateChoices = ["waiting", "heldForReview", "likelySpam", "published", "all"] as const;
type StateChoice = (typeof stateChoices)[number];

const chosenStates = {
  waiting: ["heldForReview", "likelySpam"],
  heldForReview: ["heldForReview"],
  likelySpam: ["likelySpam"],
  published: ["published"],
  all: ["heldForReview", "likelySpam", "published"],
} as const satisfies Record<StateChoice, readonly WatchedState[]>;

/**
 * Words are searched for in new comments, so those are watched too unless something else was chosen.
 * @throws InputError `watch_match_unused`
 */
export function statesFor(
  choice: StateChoice | undefined,
  match: readonly string[] | undefined,
): readonly WatchedState[] {
  if (match === undefined) return chosenStates[choice ?? "waiting"];
  const states = chosenStates[choice ?? "all"];
  if (states.some((state) => state === "published")) return states;
  throw new InputError("words to look for, but no new comments", {
    code: "watch_match_unused",
  });
}

/** The kinds of comments that a watch shows, as a list in a sentence. */
export function whatOf({ states, match }: Pick<Watch, "states" | "match">, words: Words): string {
  const said = states.map((state) =>
    state === "published" && match !== undefined
      ? words.say("watch.states.matching", { match: words.list(match) })
      : words.say(`watch.states.${state}`),
  );
  return words.list(said);
}

export interface SettingUp {
  readonly place: PostChannel;
  readonly states?: StateChoice | undefined;
  readonly match?: string | undefined;
  readonly digest?: number | undefined;
}

const usualDigest = 6;

/**
 * Starts showing waiting comments in a channel, or changes what is shown there.
 * @throws AccessError `discord_channel_closed`; InputError `watch_match_unused`, `rule_words`, `rule_pattern`,
 * `too_many_watches`; what the service answers to a first look
 */
export async function setUp(ctx: Ctx, setting: SettingUp): Promise<Reply> {
  const { place, digest } = setting;
  const { words, moderation } = ctx;
  requireWritable(place);
  const match = await matchIn(ctx, setting.match);
  const before = (await moderation.watches.all()).find(({ channelId }) => channelId === place.id);
  const states =
    setting.states === undefined && match === undefined && before !== undefined
      ? before.states
      : statesFor(setting.states, match);
  const source = await lookOnce(ctx);
  const watch = await moderation.watches.put(
    {
      channelId: place.id,
      ...(place.isForum && { isForum: true as const }),
      source,
      states,
      ...keptMatch({ match, before, states }),
      paceMs: before?.paceMs ?? usualPaceMs,
      digestFrom: digest ?? before?.digestFrom ?? usualDigest,
      ...(before?.ping !== undefined && { ping: before.ping }),
    },
    ctx.userId,
  );
  return notice({
    tone: "good",
    title: words.say(before === undefined ? "watch.set.title" : "watch.set.changed"),
    text: join(await linesOf(ctx, watch)),
  });
}

/** @throws InputError `rule_words`, `rule_pattern` for what can't be looked for */
async function matchIn(
  { moderation }: Ctx,
  text: string | undefined,
): Promise<readonly string[] | undefined> {
  if (text === undefined) return undefined;
  const wanted = wantedIn(text);
  await moderation.rules.matching(wanted, []);
  return wanted;
}

interface Matching {
  readonly match: readonly string[] | undefined;
  readonly before: Watch | undefined;
  readonly states: Watch["states"];
}

/** The former words stay while new comments are watched and no others are given. */
function keptMatch({ match, before, states }: Matching): Pick<Watch, "match"> {
  const kept = match ?? before?.match;
  return kept !== undefined && states.includes("published") ? { match: kept } : {};
}

/**
 * Reads once with the channel's consent, so that a missing permission shows now and not later in the channel: deciding
 * needs the same consent. Returns the channel.
 */
async function lookOnce({ own, channelId, signal }: Ctx): Promise<string> {
  const source = channelId ?? (await ownId(own, signal));
  await own.call(
    "commentThreads.list",
    {
      part: ["id"],
      allThreadsRelatedToChannelId: source,
      moderationStatus: "heldForReview",
      maxResults: 1,
    },
    { signal },
  );
  return source;
}

/** Links from early versions do not name their channel. */
async function ownId(own: Ctx["own"], signal: AbortSignal): Promise<string> {
  const mine = { part: ["id"], mine: true } as const;
  const { items } = await own.call("channels.list", mine, { signal });
  return items?.[0]?.id ?? "";
}

async function linesOf(ctx: Ctx, watch: Watch): Promise<readonly Text[]> {
  const { words } = ctx;
  const { paused, isForum, digestFrom } = watch;
  const resume = words.command("watch resume");
  return [
    words.md("watch.set.what", {
      place: channelMention(watch.channelId),
      channel: sourceName(await ctx.credentials.channels(), watch.source),
      what: whatOf(watch, words),
    }),
    isForum === true
      ? words.say("watch.set.forum")
      : words.say("watch.set.digest", { count: digestFrom }),
    paceText(watch, ctx),
    words.say("watch.set.decisions"),
    paused === undefined
      ? words.say("watch.set.soon")
      : words.say("watch.set.is_paused", { command: resume }),
  ];
}

/** The watched channel's name on this server. */
export function sourceName(channels: readonly CredentialFacts[], source: string): string {
  const facts = channels.find(({ channelId }) => channelId === source);
  return facts?.name ?? facts?.channelTitle ?? source;
}
