import {
  type Button,
  type Card,
  type CardField,
  card,
  channelMention,
  compact,
  join,
  md,
  mention,
  type Reply,
  reaches,
  type Text,
  time,
  type Words,
} from "../../discord/index.ts";
import {
  toPublicWatch,
  type WatchFailure,
  type WatchFailureCode,
  type WatchStatus,
} from "../../moderation/index.ts";
import type { CredentialFacts } from "../../store/index.ts";
import { presses } from "../cards/index.ts";
import type { Ctx, CtxFor } from "../context/index.ts";
import { action, type FeatureAction } from "../declarations/index.ts";
import { publicPlaceLine } from "../private-places/index.ts";
import { consentButtons } from "./consent.ts";
import { describeWatchFailure } from "./events.ts";
import { noWatchNotice, type watchChoice, withWatch } from "./find-watch.ts";
import { afterLinkLine, askAboutPlaceAgain, noRulesLine } from "./set-up.ts";
import { describePing } from "./settings.ts";
import { describeWatchedStates, watchedChannelName } from "./watched-comments.ts";

interface StatusRef {
  readonly watchId: string;
}

const moderator = { by: "requester", rank: "moderator", answer: "update" } as const;

const pause = action<StatusRef>({
  ...moderator,
  name: "watch.pause",
  run: async (ctx, { watchId }) => {
    await ctx.moderation.watches.pause(watchId, ctx.userId);
    return watchCard(ctx, watchId);
  },
});

const resume = action<StatusRef>({
  ...moderator,
  name: "watch.resume",
  run: async (ctx, { watchId }) => {
    await ctx.moderation.watches.resume(watchId);
    return watchCard(ctx, watchId);
  },
});

const look = action<StatusRef>({
  ...moderator,
  name: "watch.look",
  run: async (ctx, { watchId }) => {
    await ctx.moderation.watches.resume(watchId);
    const shown = await watchCard(ctx, watchId);
    return { ...shown, footer: ctx.words.say("watch.looking") };
  },
});

/** Asks where to post instead, or whether to post there anyway. */
const askPlace = action<StatusRef>({
  ...moderator,
  name: "watch.ask-place",
  rank: "manager",
  run: async (ctx, { watchId }) => {
    const watch = (await ctx.moderation.watches.all()).find(({ id }) => id === watchId);
    const question = watch && (await askAboutPlaceAgain(ctx, watch));
    return question ?? watchCard(ctx, watchId);
  },
});

const show = action<null>({
  ...moderator,
  name: "watch.show",
  run: (ctx, _, { values: [watchId = ""] }) => watchCard(ctx, watchId),
});

/** The status of every watch, for everyone who moderates. */
export const showAllWatches = action<null>({
  ...moderator,
  name: "watch.show-all",
  run: listCard,
});

const showChosen = withWatch((ctx, { id }) => watchCard(ctx, id));

/** Every watch of the server, or one. @throws as `withWatch` */
export function showWatchStatus(ctx: CtxFor<typeof watchChoice>): Promise<Reply> {
  return ctx.options.watch === undefined ? listCard(ctx) : showChosen(ctx);
}

async function listCard(ctx: Ctx): Promise<Reply> {
  const { words, moderation } = ctx;
  const watches = await moderation.watches.all();
  const [only] = watches;
  if (only === undefined) return noWatchNotice(ctx);
  if (watches.length === 1) return watchCard(ctx, only.id);
  const channels = await ctx.credentials.channels();
  const read = await Promise.all(watches.map(({ id }) => moderation.watches.status(id)));
  const known = read.filter((status) => status !== undefined);
  const rows = await Promise.all(
    known.map(async (status, index) => {
      const { watch } = status;
      const states = describeReadComments(status, words);
      const failures = await readFailuresNow(ctx, status);
      const text = join([
        md`${channelMention(watch.channelId)}: ${states}`,
        md`${queueText(ctx, status)} · ${paceText(ctx, status)}`,
        ...pausedLine(ctx, status),
        ...failures.map(([code]) => words.say(`watch.trouble.${code}.short`)),
        status.isByKey && words.say("watch.trouble.by_key"),
      ]);
      const name = `${index + 1}. ${watchedChannelName(channels, watch)}`;
      return { id: watch.id, name, states, text };
    }),
  );
  return card({
    title: words.say("watch.status.title"),
    fields: rows.map(({ name, text }) => ({ name, value: text })),
    selects: [
      {
        placeholder: words.say("watch.status.choose"),
        options: rows.map(({ id, name, states }) => ({
          value: id,
          label: name,
          description: states,
        })),
        press: show.press(null),
      },
    ],
  });
}

/** The card of one watch with all details. */
async function watchCard(
  ctx: Ctx,
  watchId: string,
): Promise<Card | Extract<Reply, { kind: "notice" }>> {
  const { words, moderation } = ctx;
  const [status, watches] = await Promise.all([
    moderation.watches.status(watchId),
    moderation.watches.all(),
  ]);
  if (status === undefined) return { ...noWatchNotice(ctx), title: words.say("watch.status.gone") };
  const { watch } = status;
  const failures = await readFailuresNow(ctx, status);
  const lines = [
    ...pausedLine(ctx, status),
    ...(watch.mayBePublic
      ? await publicPlaceLine(ctx, { id: watch.channelId, mayBePublic: true })
      : []),
    ...failures.flatMap(([code, failure]) => [
      md`**${words.say(`watch.trouble.${code}.short`)}** (${time(new Date(failure.since))})`,
      describeWatchFailure({ code, trouble: failure, watch }, words),
    ]),
    ...(status.isByKey ? await publicLines(ctx, status) : []),
  ];
  return card({
    title: words.say("watch.status.one"),
    tone: failures.length > 0 ? "warning" : watch.paused === undefined ? "good" : "neutral",
    ...(lines.length > 0 && { text: join(lines) }),
    fields: statusFields(ctx, status, await ctx.credentials.channels()),
    buttons: statusButtons(ctx, status, {
      isPublic: failures.some(([code]) => code === "channel_public"),
      hasOthers: watches.length > 1,
    }),
  });
}

function statusFields(
  ctx: Ctx,
  status: WatchStatus,
  channels: readonly CredentialFacts[],
): readonly CardField[] {
  const { words } = ctx;
  const { watch, polledAt, nextPollAt, slowedBy, unitsToday: today, unitsADay: day } = status;
  const channel = watchedChannelName(channels, watch);
  const polls = join([
    polledAt === undefined
      ? words.say("watch.status.never")
      : words.md("watch.status.last", { at: time(new Date(polledAt)) }),
    nextPollAt !== undefined &&
      watch.paused === undefined &&
      words.md("watch.status.next", { at: time(new Date(nextPollAt)) }),
  ]);
  const pace = join([
    paceText(ctx, status),
    slowedBy !== undefined && words.say(`watch.status.slowed.${slowedBy}`),
  ]);
  const inline = true;
  return [
    {
      name: words.say("watch.status.place"),
      value: words.md("watch.status.where", { place: channelMention(watch.channelId), channel }),
    },
    { name: words.say("watch.status.what"), value: describeReadComments(status, words) },
    { name: words.say("watch.status.queue"), value: queueText(ctx, status), inline },
    { name: words.say("watch.status.looks"), value: polls, inline },
    { name: words.say("watch.status.pace"), value: pace, inline },
    {
      name: words.say("watch.status.units"),
      value: words.say("watch.status.units_text", { today, day }),
      inline,
    },
    { name: words.say("watch.status.ping"), value: join(describePing(ctx, watch)) },
  ];
}

/** What is shown at present, which is less while the channel can't be read as its owner. */
function describeReadComments({ watch, isByKey }: WatchStatus, words: Words): string {
  return describeWatchedStates(isByKey ? toPublicWatch(watch) : watch, words);
}

/** What a watch that reads with a key shows, and how it becomes a full one. */
async function publicLines(ctx: Ctx, { watch }: WatchStatus): Promise<readonly Text[]> {
  return compact([
    watch.isKeyOnly && afterLinkLine(watch, ctx.words),
    await noRulesLine(ctx, toPublicWatch(watch)),
  ]);
}

function queueText({ words }: Ctx, { waiting, oldestAt }: WatchStatus): Text {
  const count = words.say("watch.status.waiting", { count: waiting });
  if (oldestAt === undefined || waiting === 0) return count;
  const oldest = words.md("watch.status.oldest", { at: time(new Date(oldestAt)) });
  return md`${count} · ${oldest}`;
}

function paceText({ words }: Ctx, { watch, paceMs, slowedBy }: WatchStatus): string {
  // A slowed-down pace has odd milliseconds, which nobody wants to read.
  const [now = "", wanted = ""] = [paceMs, watch.paceMs].map((ms) => {
    const step = ms >= 600_000 ? 60_000 : 1000;
    return words.every(Math.max(1000, Math.round(ms / step) * step));
  });
  return slowedBy === undefined ? now : words.say("watch.status.wanted", { now, wanted });
}

function pausedLine({ words }: Ctx, { watch }: WatchStatus): readonly Text[] {
  const { paused } = watch;
  if (paused === undefined) return [];
  const at = time(new Date(paused.at));
  return [words.md("watch.status.paused", { who: mention(paused.by), at })];
}

/** With who can read the channel now: cards may not have met it yet. */
async function readFailuresNow(
  ctx: Ctx,
  { watch, troubles }: WatchStatus,
): Promise<readonly (readonly [WatchFailureCode, WatchFailure])[]> {
  const { isPublic } = await ctx.serverChannels.read(watch.channelId);
  const { channel_public: known = { since: ctx.now(), isTold: true }, ...others } = troubles;
  const isUnasked = isPublic && !watch.mayBePublic;
  const now = isUnasked ? { ...others, channel_public: known } : others;
  // `Object.entries` loses the key type: the keys are always codes of failures.
  return Object.entries(isPublic === undefined ? troubles : now) as [
    WatchFailureCode,
    WatchFailure,
  ][];
}

function statusButtons(
  { words, rank }: Ctx,
  { watch, waiting }: WatchStatus,
  { isPublic, hasOthers }: { readonly isPublic: boolean; readonly hasOthers: boolean },
): readonly Button[] {
  const state = { watchId: watch.id };
  const isPaused = watch.paused !== undefined;
  return compact<Button>([
    isPublic && {
      label: words.say("watch.status.choose_place"),
      disabled: !reaches(rank, "manager"),
      press: askPlace.press(state),
    },
    isPaused
      ? { label: words.say("watch.status.resume"), style: "primary", press: resume.press(state) }
      : { label: words.say("watch.status.look"), style: "primary", press: look.press(state) },
    !isPaused && { label: words.say("watch.status.pause"), press: pause.press(state) },
    waiting > 0 && {
      label: words.say("watch.button.review"),
      press: presses.comment.review(watch.id),
    },
    ...(watch.isKeyOnly ? consentButtons({ words, rank }, watch) : []),
    hasOthers && { label: words.say("watch.status.all"), press: showAllWatches.press(null) },
  ]);
}

export const watchStatusActions: readonly FeatureAction<never>[] = [
  pause,
  resume,
  look,
  show,
  askPlace,
  showAllWatches,
];
