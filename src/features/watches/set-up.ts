import {
  type Ask,
  ask,
  type Button,
  channelMention,
  compact,
  join,
  notice,
  type OptionsOf,
  type PostChannel,
  type Reply,
  reaches,
  requireWritable,
  type Text,
  type Words,
} from "../../discord/index.ts";
import { ConnectError } from "../../errors.ts";
import { toPublicWatch, type Watch } from "../../moderation/index.ts";
import { nextSteps, presses } from "../cards/index.ts";
import { findChannel, requireOwnChannelId } from "../channels/index.ts";
import type { Ctx } from "../context/index.ts";
import { action, actionFor, type FeatureAction, option } from "../declarations/index.ts";
import { askAboutPublicPlace, chosenPlace, type PlaceAnswer } from "../private-places/index.ts";
import { linkedChannels } from "../suggestions/index.ts";
import { consentButtons, describeConsentGivers } from "./consent.ts";
import { deleteButtons } from "./delete-messages.ts";
import { defaultPaceMs, describePace } from "./settings.ts";
import {
  chooseStates,
  describeShownComments,
  describeWatchedStates,
  parseMatchTerms,
  type WatchedComments,
  watchedChannelName,
  watchStateChoices,
} from "./watched-comments.ts";

const shownOptions = {
  states: option.choice({ group: "watch_states", values: watchStateChoices }),
  match: option.text({ max: 500 }),
  digest: option.integer({ min: 2, max: 100 }),
  youtube: option.channel({ suggest: linkedChannels }),
};

export const watchOptions = { channel: option.postChannel({ required: true }), ...shownOptions };

type WatchOptions = Partial<OptionsOf<typeof shownOptions>>;

interface WatchSetup extends WatchOptions {
  readonly place: PostChannel;
  /** Somebody answered that everyone may read it. */
  readonly mayBePublic?: boolean;
  /** What was answered about other watches of the same YouTube channel. */
  readonly others?: OthersAnswer;
}

/** The watch that is there moves, it stays beside the new one, or it ends and a new one begins. */
type OthersAnswer = "move" | "keep" | "end";

const defaultDigestFrom = 6;

/** What the buttons that set a watch up have in common. */
const settingUp = {
  rank: "manager",
  isOnce: true,
  uses: ["commentThreads.list", "channels.list", "comments.setModerationStatus"],
} as const;

/** The YouTube channel of a watch. One that is not linked is read with the server's key. */
interface WatchTarget extends Pick<Watch, "source" | "title"> {
  readonly isLinked: boolean;
}

/**
 * Starts showing comments in a channel, or changes what is shown there. Asks first where everyone can read it, and where the
 * comments appear elsewhere already.
 * @throws AccessError `discord_channel_closed`; InputError `watch_match_unused`, `rule_words`, `rule_pattern`,
 * `too_many_watches`; ConnectError `watch_source_missing`, `watch_source_unlinked`; what the first read throws
 */
export async function setUpWatch(ctx: Ctx, given: WatchSetup): Promise<Reply> {
  const { place, digest } = given;
  const { words, moderation } = ctx;
  requireWritable(place);
  const match = await readMatchTerms(ctx, given.match);
  // Refuses states that don't go with the terms before anything is asked or read.
  const chosenOnes = chooseStates(given.states, match);
  const all = await moderation.watches.all();
  const before = all.find(({ channelId }) => channelId === place.id);
  const target = await findTarget(ctx, given.youtube, before);
  const { source, isLinked } = target;
  // Whoever answers a question need not have it looked up again.
  const setting = given.youtube === undefined ? given : { ...given, youtube: { id: source } };
  const isUnchanged = setting.states === undefined && match === undefined;
  // Of all published comments only those that a rule finds: a channel may have thousands a day.
  const chosen = isUnchanged && !isLinked ? chooseStates("ruled", undefined) : chosenOnes;
  const known = isUnchanged && before?.source === source ? before : undefined;
  const { states, isRuledOnly } = known ?? chosen;
  const mayBePublic = setting.mayBePublic === true || isAgreedOn(before, { states, source });
  if (!mayBePublic) {
    const shown = { states, match, isRuledOnly };
    const question = await askAboutWatchPlace(ctx, place, { ...setting, shown, of: target });
    if (question !== undefined) return question;
  }
  await checkAccess(ctx, target);
  const others = before?.source === source ? [] : all.filter((one) => one.source === source);
  const [other] = others;
  if (other !== undefined && setting.others !== "keep") {
    if (setting.others === undefined)
      return askAboutOthers(ctx, { ...setting, mayBePublic }, others);
    const isMove = setting.others === "move";
    return replaceWatches(ctx, { ...setting, mayBePublic }, isMove ? [other] : others);
  }
  let isNew = true;
  let meanwhile: readonly Watch[] = [];
  const put = moderation.watches.put(
    { channelId: place.id, isForum: place.isForum || undefined, source },
    (stored, now) => {
      isNew = stored === undefined;
      const isUnasked = isNew && setting.others === undefined;
      meanwhile = isUnasked ? now.filter((one) => one.source === source) : [];
      if (meanwhile.length > 0) throw new Error("somebody else has added a watch");
      const same = stored?.source === source ? stored : undefined;
      const { states, isRuledOnly } = (isUnchanged ? same : undefined) ?? chosen;
      return {
        states,
        isRuledOnly,
        // Terms stay as long as new comments are watched and no others are given.
        match: states.includes("published") ? (match ?? stored?.match) : undefined,
        paceMs: stored?.paceMs ?? defaultPaceMs,
        digestFrom: digest ?? stored?.digestFrom ?? defaultDigestFrom,
        ping: stored?.ping,
        mayBePublic: mayBePublic || undefined,
        // Its next poll notices that the channel is linked by now, and has its cards drawn again.
        isKeyOnly: isLinked ? same?.isKeyOnly : true,
        ...(target.title === undefined
          ? { title: same?.title, titleReadAt: same?.titleReadAt }
          : { title: target.title, titleReadAt: ctx.now() }),
      };
    },
    ctx.userId,
  );
  const watch = await put.catch((error: unknown) => {
    if (meanwhile.length === 0) throw error;
    return undefined;
  });
  if (watch === undefined) return askAboutOthers(ctx, { ...setting, mayBePublic }, meanwhile);
  const title = isLinked ? "watch.set.title" : "watch.set.title_key";
  return notice({
    tone: "good",
    title: words.say(isNew ? title : "watch.set.changed"),
    text: join(
      compact([
        before !== undefined &&
          before.source !== source &&
          words.md("watch.set.replaced", {
            former: watchedChannelName(await ctx.credentials.channels(), before),
            command: words.mention("watch channel"),
          }),
        ...(await setUpLines(ctx, watch)),
      ]),
    ),
    buttons: isLinked ? await nextSteps(ctx, "watch") : consentButtons(ctx, watch),
  });
}

/**
 * The channel that was named, else the linked one that acts, else the one that is watched there already. @throws ConnectError
 * `watch_source_missing`, `watch_source_unlinked`; what `findChannel` throws
 */
async function findTarget(
  ctx: Ctx,
  ref: WatchOptions["youtube"],
  before: Watch | undefined,
): Promise<WatchTarget> {
  const isOwner = reaches(ctx.rank, "owner");
  if (ref === undefined) {
    if (ctx.has("channel")) return { source: await requireOwnChannelId(ctx), isLinked: true };
    if (before !== undefined) {
      const { source, title } = before;
      return { source, title, isLinked: false };
    }
    throw new ConnectError("no channel is linked, and none was named", {
      code: "watch_source_missing",
      facts: { command: "connect channel", option: "youtube", isOwner },
    });
  }
  const linked = await ctx.credentials.channels();
  const isLinked = (id: string) => linked.some(({ channelId }) => channelId === id);
  if ("id" in ref && isLinked(ref.id)) return { source: ref.id, isLinked: true };
  const { id, title } = await findChannel(ctx, ref);
  if (isLinked(id)) return { source: id, isLinked: true };
  if (ctx.has("video-key")) return { source: id, title, isLinked: false };
  throw new ConnectError("the channel is not linked, and there is no key to read it with", {
    code: "watch_source_unlinked",
    facts: { command: "connect key", channel: title, isOwner },
  });
}

/** Whether somebody has agreed already that everyone may read these: more comments, or those of another channel, are asked about. */
function isAgreedOn(
  before: Watch | undefined,
  { states, source }: Pick<Watch, "states" | "source">,
): boolean {
  return (
    before?.mayBePublic === true &&
    before.source === source &&
    states.every((state) => before.states.includes(state))
  );
}

/** Asks what becomes of the watches of the same linked channel. */
async function askAboutOthers(ctx: Ctx, setup: WatchSetup, others: readonly Watch[]): Promise<Ask> {
  const { words } = ctx;
  const { isWritable: _, lack: __, ...at } = setup.place;
  const [first = { source: "" }] = others;
  const channel = watchedChannelName(await ctx.credentials.channels(), first);
  const places = join(
    others.map((one) => channelMention(one.channelId)),
    ", ",
  );
  const isOne = others.length === 1;
  const facts = { isOne, channel, place: channelMention(at.id), places };
  const press = (answer: OthersAnswer) =>
    answerOthers.press({ ...setup, place: at, others: answer });
  const keep: Button = { label: words.say("watch.others.keep", facts), press: press("keep") };
  const end: Button = {
    label: words.say("watch.others.end", facts),
    style: "danger",
    press: press("end"),
  };
  const move: Button = {
    label: words.say("watch.others.move"),
    style: "primary",
    press: press("move"),
  };
  return ask({
    title: words.say("watch.others.title", { channel }),
    text: join([
      words.md("watch.others.text", facts),
      isOne && words.md("watch.others.move_text", facts),
      words.md("watch.others.keep_text", facts),
      words.md("watch.others.end_text", facts),
    ]),
    confirm: isOne ? move : keep,
    others: isOne ? [keep, end] : [end],
  });
}

interface OthersState extends Omit<WatchSetup, "place"> {
  readonly place: Omit<PostChannel, "isWritable" | "lack">;
}

const answerOthers = action<OthersState>({
  name: "watch.others",
  ...settingUp,
  run: (ctx, { place, ...setup }) =>
    setUpWatch(ctx, { ...setup, place: { ...place, isWritable: true, lack: undefined } }),
});

/** Moves the watch, or ends these and begins a new one; what they posted is closed and can be deleted. */
async function replaceWatches(
  ctx: Ctx,
  setup: WatchSetup,
  former: readonly Watch[],
): Promise<Reply> {
  const { words, moderation, userId } = ctx;
  const { place, others, mayBePublic } = setup;
  const counts = await Promise.all(former.map(({ id }) => moderation.watches.countMessages(id)));
  const [first] = former;
  if (others === "move" && first !== undefined) {
    const isForum = place.isForum || undefined;
    const to = { channelId: place.id, isForum, mayBePublic: mayBePublic || undefined };
    await moderation.watches.move(first.id, to, userId);
  }
  const set = await setUpWatch(ctx, { ...setup, others: "keep" });
  if (others === "end") for (const { id } of former) await moderation.watches.remove(id);
  if (set.kind !== "notice") return set;
  const count = counts.reduce((sum, one) => sum + one, 0);
  return {
    ...set,
    ...(others === "move" && { title: words.say("watch.others.moved") }),
    text: join([set.text, count > 0 && words.say("watch.closed.soon", { count })]),
    // A button deletes the messages of one watch, so each watch has its own.
    buttons: former.flatMap(({ id }, index) =>
      deleteButtons(words, { watchId: id, count: counts[index] ?? 0 }),
    ),
  };
}

interface WatchPlaceOptions extends WatchOptions {
  /** The comments that would be shown. */
  readonly shown: WatchedComments;
  /** The YouTube channel they are from. */
  readonly of: Pick<Watch, "source" | "title">;
}

/** The same for a watch whose channel everyone can read by now; undefined if somebody has agreed to that. */
export async function askAboutPlaceAgain(ctx: Ctx, watch: Watch): Promise<Ask | undefined> {
  const { channelId: id, isForum = false, mayBePublic } = watch;
  if (mayBePublic) return undefined;
  const { name = id } = await ctx.serverChannels.read(id);
  const place = { id, name, isForum, isWritable: true };
  return askAboutWatchPlace(ctx, place, { shown: watch, of: watch });
}

/** Asks where cards are to appear if everyone can read the channel; undefined if only some can. */
async function askAboutWatchPlace(
  ctx: Ctx,
  place: Pick<PostChannel, "id" | "name" | "isForum" | "isWritable">,
  options: WatchPlaceOptions,
): Promise<Ask | undefined> {
  const { states, match, digest, youtube, shown, of } = options;
  const { words } = ctx;
  const channel = watchedChannelName(await ctx.credentials.channels(), of);
  const what = describeWatchedStates(shown, words);
  return askAboutPublicPlace(ctx, {
    place,
    seen: words.md("watch.set.seen", { channel, what }),
    newName: ctx.serverWords.say("watch.set.new_name"),
    takesForums: true,
    press: (answer) => watchThere.press({ answer, states, match, digest, youtube }),
  });
}

/** After the question about a channel that everyone can read. */
const watchThere = action<WatchOptions & { readonly answer: PlaceAnswer }>({
  name: "watch.there",
  ...settingUp,
  run: async (ctx, { answer, ...options }, { values: [chosen] }) => {
    const newName = ctx.serverWords.say("watch.set.new_name");
    return setUpWatch(ctx, {
      ...options,
      ...(await chosenPlace(ctx, answer, { chosen, newName })),
    });
  },
});

/** Asks whether cards may appear in the channel where it was pressed. */
export const offerWatchHere = actionFor(presses.watch.offerHere, {
  by: "requester",
  rank: "manager",
  needs: ["channel"],
  run: async (ctx) => {
    const { words, here } = ctx;
    const command = words.mention("watch channel");
    const title = words.say("watch.here.title");
    if (here === undefined) {
      return notice({ tone: "bad", title, text: words.md("watch.here.elsewhere", { command }) });
    }
    requireWritable(here);
    const shown = chooseStates(undefined, undefined);
    const of = { source: await requireOwnChannelId(ctx) };
    const question = await askAboutWatchPlace(ctx, here, { shown, of });
    if (question !== undefined) return question;
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
  ...settingUp,
  run: async (ctx) => {
    if (ctx.here === undefined) throw new TypeError("a question leads to another channel");
    return setUpWatch(ctx, { place: ctx.here });
  },
});

export const setUpActions: readonly FeatureAction<never>[] = [
  offerWatchHere,
  watchHere,
  watchThere,
  answerOthers,
];

/** The search terms, checked. @throws InputError `rule_words`, `rule_pattern` for terms that can't be searched for */
async function readMatchTerms(
  { moderation }: Ctx,
  text: string | undefined,
): Promise<readonly string[] | undefined> {
  if (text === undefined) return undefined;
  const wanted = parseMatchTerms(text);
  await moderation.rules.matching(wanted, []);
  return wanted;
}

/**
 * Reads once, so that a missing permission shows now and not later: with the channel's consent, which reading and deciding
 * need both, or with the key.
 */
async function checkAccess(ctx: Ctx, { source, isLinked }: WatchTarget): Promise<void> {
  const { signal } = ctx;
  const wanted = { part: ["id"], allThreadsRelatedToChannelId: source, maxResults: 1 } as const;
  if (!isLinked) {
    await ctx.video.call("commentThreads.list", wanted, { signal });
  } else if (source === (await requireOwnChannelId(ctx))) {
    // Another linked channel than the one that acts is checked by the first poll.
    const held = { ...wanted, moderationStatus: "heldForReview" } as const;
    await ctx.own.call("commentThreads.list", held, { signal });
  }
}

async function setUpLines(ctx: Ctx, watch: Watch): Promise<readonly Text[]> {
  const { words } = ctx;
  const { paused, isForum, digestFrom, isKeyOnly } = watch;
  const resume = words.mention("watch resume");
  return compact<Text>([
    words.md("watch.set.what", {
      place: channelMention(watch.channelId),
      channel: watchedChannelName(await ctx.credentials.channels(), watch),
      what: describeShownComments(watch, words),
    }),
    isForum === true
      ? words.say("watch.set.forum")
      : words.say("watch.set.digest", { count: digestFrom }),
    describePace(watch, ctx),
    !isKeyOnly && words.say("watch.set.decisions"),
    paused !== undefined
      ? words.md("watch.set.is_paused", { command: resume })
      : words.say(isKeyOnly ? "watch.set.from_now" : "watch.set.soon"),
    isKeyOnly && (await noRulesLine(ctx, toPublicWatch(watch))),
    ...(isKeyOnly
      ? [
          "",
          words.md("watch.set.missing"),
          await describeConsentGivers(ctx),
          afterLinkLine(watch, words),
        ]
      : []),
  ]);
}

/** What a watch that reads with a key does once its channel is linked. */
export function afterLinkLine(watch: Watch, words: Words): string {
  return words.say("watch.set.after_link", { what: describeWatchedStates(watch, words) });
}

/** That a watch shows nothing, because it shows what rules find and there is none. */
export async function noRulesLine(
  { moderation, words }: Pick<Ctx, "moderation" | "words">,
  { isRuledOnly, match }: Pick<Watch, "isRuledOnly" | "match">,
): Promise<Text | undefined> {
  if (!isRuledOnly || match !== undefined) return undefined;
  const { rules } = await moderation.rules.book();
  if (rules.some(({ isOn }) => isOn)) return undefined;
  return words.md("watch.set.no_rules", {
    rules: words.mention("rules add"),
    watch: words.mention("watch channel"),
  });
}
