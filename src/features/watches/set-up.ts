import {
  type Ask,
  ask,
  type Button,
  channelMention,
  join,
  notice,
  type OptionsOf,
  type PostChannel,
  type Reply,
  requireWritable,
  type Text,
} from "../../discord/index.ts";
import type { Watch } from "../../moderation/index.ts";
import { nextSteps, presses } from "../cards/index.ts";
import { requireOwnChannelId } from "../channels/index.ts";
import type { Ctx } from "../context/index.ts";
import { action, actionFor, type FeatureAction, option } from "../declarations/index.ts";
import { askAboutPublicPlace, chosenPlace, type PlaceAnswer } from "../private-places/index.ts";
import { deleteButtons } from "./delete-messages.ts";
import { defaultPaceMs, describePace } from "./settings.ts";
import {
  chooseStates,
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
};

export const watchOptions = { channel: option.postChannel({ required: true }), ...shownOptions };

type WatchOptions = Partial<OptionsOf<typeof shownOptions>>;

interface WatchSetup extends WatchOptions {
  readonly place: PostChannel;
  /** Somebody answered that everyone may read it. */
  readonly mayBePublic?: boolean;
  /** What was answered about other watches of the same linked channel. */
  readonly others?: OthersAnswer;
}

/** The watch that is there moves, it stays beside the new one, or it ends and a new one begins. */
type OthersAnswer = "move" | "keep" | "end";

const defaultDigestFrom = 6;

/** What the buttons that set a watch up have in common. */
const settingUp = {
  rank: "manager",
  isOnce: true,
  needs: ["channel"],
  uses: ["commentThreads.list", "channels.list", "comments.setModerationStatus"],
} as const;

/**
 * Starts showing waiting comments in a channel, or changes what is shown there. Asks first where everyone can read it, and
 * where the comments appear elsewhere already.
 * @throws AccessError `discord_channel_closed`; InputError `watch_match_unused`, `rule_words`, `rule_pattern`,
 * `too_many_watches`; what the first read throws
 */
export async function setUpWatch(ctx: Ctx, setting: WatchSetup): Promise<Reply> {
  const { place, digest } = setting;
  const { words, moderation } = ctx;
  requireWritable(place);
  const match = await readMatchTerms(ctx, setting.match);
  // Refuses states that don't go with the terms before anything is asked or read.
  const chosen = chooseStates(setting.states, match);
  const all = await moderation.watches.all();
  const before = all.find(({ channelId }) => channelId === place.id);
  const isUnchanged = setting.states === undefined && match === undefined;
  const states = (isUnchanged ? before?.states : undefined) ?? chosen;
  const mayBePublic =
    setting.mayBePublic === true || isAgreedOn(before, { states, source: await actingSource(ctx) });
  if (!mayBePublic) {
    const question = await askAboutWatchPlace(ctx, place, { ...setting, shown: { states, match } });
    if (question !== undefined) return question;
  }
  const source = await checkAccess(ctx);
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
      const states = (isUnchanged ? stored?.states : undefined) ?? chosen;
      return {
        states,
        // Terms stay as long as new comments are watched and no others are given.
        match: states.includes("published") ? (match ?? stored?.match) : undefined,
        paceMs: stored?.paceMs ?? defaultPaceMs,
        digestFrom: digest ?? stored?.digestFrom ?? defaultDigestFrom,
        ping: stored?.ping,
        mayBePublic: mayBePublic || undefined,
      };
    },
    ctx.userId,
  );
  const watch = await put.catch((error: unknown) => {
    if (meanwhile.length === 0) throw error;
    return undefined;
  });
  if (watch === undefined) return askAboutOthers(ctx, { ...setting, mayBePublic }, meanwhile);
  return notice({
    tone: "good",
    title: words.say(isNew ? "watch.set.title" : "watch.set.changed"),
    text: join(await setUpLines(ctx, watch)),
    buttons: await nextSteps(ctx, "watch"),
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

/** Id of the linked channel that acts. */
async function actingSource({ channelId, credentials }: Ctx): Promise<string> {
  return channelId ?? (await credentials.channels())[0]?.channelId ?? "";
}

/** Asks what becomes of the watches of the same linked channel. */
async function askAboutOthers(ctx: Ctx, setup: WatchSetup, others: readonly Watch[]): Promise<Ask> {
  const { words } = ctx;
  const { isWritable: _, lack: __, ...at } = setup.place;
  const [{ source } = { source: "" }] = others;
  const channel = watchedChannelName(await ctx.credentials.channels(), source);
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
  /** Id of the YouTube channel they are from; the one that acts when absent. */
  readonly source?: string;
}

/** The same for a watch whose channel everyone can read by now; undefined if somebody has agreed to that. */
export async function askAboutPlaceAgain(ctx: Ctx, watch: Watch): Promise<Ask | undefined> {
  const { channelId: id, isForum = false, mayBePublic } = watch;
  if (mayBePublic) return undefined;
  const { name = id } = await ctx.serverChannels.read(id);
  const place = { id, name, isForum, isWritable: true };
  return askAboutWatchPlace(ctx, place, { shown: watch, source: watch.source });
}

/** Asks where cards are to appear if everyone can read the channel; undefined if only some can. */
async function askAboutWatchPlace(
  ctx: Ctx,
  place: Pick<PostChannel, "id" | "name" | "isForum" | "isWritable">,
  options: WatchPlaceOptions,
): Promise<Ask | undefined> {
  const { states, match, digest, shown } = options;
  const { words } = ctx;
  const source = options.source ?? (await actingSource(ctx));
  const channel = watchedChannelName(await ctx.credentials.channels(), source);
  const what = describeWatchedStates(shown, words);
  return askAboutPublicPlace(ctx, {
    place,
    seen: words.md("watch.set.seen", { channel, what }),
    newName: ctx.serverWords.say("watch.set.new_name"),
    takesForums: true,
    press: (answer) => watchThere.press({ answer, states, match, digest }),
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
    const states = chooseStates(undefined, undefined);
    const question = await askAboutWatchPlace(ctx, here, { shown: { states } });
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
 * Reads once with the channel's consent, so that a missing permission shows now and not later: reading and deciding
 * need the same consent. Returns the channel's id.
 */
async function checkAccess(ctx: Ctx): Promise<string> {
  const source = await requireOwnChannelId(ctx);
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

async function setUpLines(ctx: Ctx, watch: Watch): Promise<readonly Text[]> {
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
