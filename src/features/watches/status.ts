import {
  type Button,
  type Card,
  type CardField,
  card,
  channelMention,
  join,
  md,
  mention,
  type Reply,
  reaches,
  type Select,
  type Text,
  time,
} from "../../discord/index.ts";
import type { Watch, WatchFailure, WatchFailureCode, WatchStatus } from "../../moderation/index.ts";
import type { CredentialFacts } from "../../store/index.ts";
import { presses } from "../cards/index.ts";
import type { Ctx } from "../context/index.ts";
import { action, type FlowAction } from "../declarations/index.ts";
import { publicPlaceLine } from "../private-places/index.ts";
import { describeWatchFailure } from "./events.ts";
import { findWatch, noWatchNotice, type WatchChoiceCtx } from "./find-watch.ts";
import { askAboutPlaceAgain } from "./set-up.ts";
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
  needs: ["channel"],
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
  run: (ctx) => listCard(ctx),
});

/** Every watch of the server, or one. @throws as `findWatch` */
export async function showWatchStatus(ctx: WatchChoiceCtx): Promise<Reply> {
  const { watch: chosen } = ctx.options;
  if (chosen === undefined) return listCard(ctx);
  const found = await findWatch(ctx, chosen);
  return "refusal" in found ? found.refusal : watchCard(ctx, found.watch.id);
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
  return card({
    title: words.say("watch.status.title"),
    fields: await Promise.all(
      known.map((status, index) => shortField(ctx, { status, channels, index })),
    ),
    selects: [chooseSelect(ctx, known, channels)],
  });
}

interface NumberedStatus {
  readonly status: WatchStatus;
  readonly channels: readonly CredentialFacts[];
  readonly index: number;
}

async function shortField(
  ctx: Ctx,
  { status, channels, index }: NumberedStatus,
): Promise<CardField> {
  const { watch } = status;
  const troubles = await troublesNow(ctx, status);
  return {
    name: `${index + 1}. ${watchedChannelName(channels, watch.source)}`,
    value: join([
      md`${channelMention(watch.channelId)}: ${describeWatchedStates(watch, ctx.words)}`,
      md`${queueText(ctx, status)} · ${paceText(ctx, status)}`,
      ...pausedLine(ctx, status),
      ...troubles.map(([code]) => ctx.words.say(`watch.trouble.${code}.short`)),
    ]),
  };
}

function chooseSelect(
  { words }: Ctx,
  statuses: readonly WatchStatus[],
  channels: readonly CredentialFacts[],
): Select {
  return {
    placeholder: words.say("watch.status.choose"),
    options: statuses.map(({ watch }, index) => ({
      value: watch.id,
      label: `${index + 1}. ${watchedChannelName(channels, watch.source)}`,
      description: describeWatchedStates(watch, words),
    })),
    press: show.press(null),
  };
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
  const troubles = await troublesNow(ctx, status);
  return card({
    title: words.say("watch.status.one"),
    tone: troubles.length > 0 ? "warning" : watch.paused === undefined ? "good" : "neutral",
    ...(await statusText(ctx, status, troubles)),
    fields: statusFields(ctx, status, await ctx.credentials.channels()),
    buttons: [
      ...(troubles.some(([code]) => code === "channel_public") ? [placeButton(ctx, watch)] : []),
      ...statusButtons(ctx, status, watches.length > 1),
    ],
  });
}

function placeButton({ words, rank }: Ctx, { id: watchId }: Watch): Button {
  const label = words.say("watch.status.choose_place");
  return { label, disabled: !reaches(rank, "manager"), press: askPlace.press({ watchId }) };
}

async function statusText(
  ctx: Ctx,
  status: WatchStatus,
  troubles: readonly FailureOfWatch[],
): Promise<Pick<Card, "text">> {
  const { watch } = status;
  const lines = [
    ...pausedLine(ctx, status),
    ...(watch.mayBePublic
      ? await publicPlaceLine(ctx, { id: watch.channelId, mayBePublic: true })
      : []),
    ...troubles.flatMap(([code, trouble]) => [
      md`**${ctx.words.say(`watch.trouble.${code}.short`)}** (${time(new Date(trouble.since))})`,
      describeWatchFailure({ code, trouble, watch: status.watch }, ctx.words),
    ]),
  ];
  return lines.length === 0 ? {} : { text: join(lines) };
}

function statusFields(
  ctx: Ctx,
  status: WatchStatus,
  channels: readonly CredentialFacts[],
): readonly CardField[] {
  const { words } = ctx;
  const { watch, unitsToday: today, unitsADay: day } = status;
  const channel = watchedChannelName(channels, watch.source);
  const inline = true;
  return [
    {
      name: words.say("watch.status.place"),
      value: words.md("watch.status.where", { place: channelMention(watch.channelId), channel }),
    },
    { name: words.say("watch.status.what"), value: describeWatchedStates(watch, words) },
    { name: words.say("watch.status.queue"), value: queueText(ctx, status), inline },
    { name: words.say("watch.status.looks"), value: looksText(ctx, status), inline },
    { name: words.say("watch.status.pace"), value: paceLines(ctx, status), inline },
    {
      name: words.say("watch.status.units"),
      value: words.say("watch.status.units_text", { today, day }),
      inline,
    },
    { name: words.say("watch.status.ping"), value: join(describePing(ctx, watch)) },
  ];
}

function queueText({ words }: Ctx, { waiting, oldestAt }: WatchStatus): Text {
  const count = words.say("watch.status.waiting", { count: waiting });
  if (oldestAt === undefined || waiting === 0) return count;
  const oldest = words.md("watch.status.oldest", { at: time(new Date(oldestAt)) });
  return md`${count} · ${oldest}`;
}

function looksText({ words }: Ctx, status: WatchStatus): Text {
  const { polledAt, nextPollAt, watch } = status;
  return join([
    polledAt === undefined
      ? words.say("watch.status.never")
      : words.md("watch.status.last", { at: time(new Date(polledAt)) }),
    ...(nextPollAt === undefined || watch.paused !== undefined
      ? []
      : [words.md("watch.status.next", { at: time(new Date(nextPollAt)) })]),
  ]);
}

function paceText({ words }: Ctx, { watch, paceMs, slowedBy }: WatchStatus): string {
  const every = (ms: number) => words.every(roundedMs(ms));
  const now = every(paceMs);
  if (slowedBy === undefined) return now;
  return words.say("watch.status.wanted", { now, wanted: every(watch.paceMs) });
}

function paceLines(ctx: Ctx, status: WatchStatus): Text {
  const { slowedBy } = status;
  const pace = paceText(ctx, status);
  return slowedBy === undefined
    ? pace
    : join([pace, ctx.words.say(`watch.status.slowed.${slowedBy}`)]);
}

/** A slowed-down pace has odd milliseconds, which nobody wants to read. */
function roundedMs(ms: number): number {
  const step = ms >= 600_000 ? 60_000 : 1000;
  return Math.max(1000, Math.round(ms / step) * step);
}

function pausedLine({ words }: Ctx, { watch }: WatchStatus): readonly Text[] {
  const { paused } = watch;
  if (paused === undefined) return [];
  const at = time(new Date(paused.at));
  return [words.md("watch.status.paused", { who: mention(paused.by), at })];
}

type FailureOfWatch = readonly [WatchFailureCode, WatchFailure];

function listFailures({ troubles }: Pick<WatchStatus, "troubles">): readonly FailureOfWatch[] {
  // `Object.entries` loses the key type: the keys are always trouble codes.
  return Object.entries(troubles) as [WatchFailureCode, WatchFailure][];
}

/** With who can read the channel now: cards may not have met it yet. */
async function troublesNow(
  ctx: Ctx,
  { watch, troubles }: WatchStatus,
): Promise<readonly FailureOfWatch[]> {
  const { isPublic } = await ctx.serverChannels.read(watch.channelId);
  const { channel_public: known, ...others } = troubles;
  if (isPublic === undefined) return listFailures({ troubles });
  if (!isPublic || watch.mayBePublic) return listFailures({ troubles: others });
  const trouble = known ?? { since: ctx.now(), isTold: true };
  return listFailures({ troubles: { ...others, channel_public: trouble } });
}

function statusButtons(
  { words }: Ctx,
  { watch, waiting }: WatchStatus,
  hasOthers: boolean,
): readonly Button[] {
  const state = { watchId: watch.id };
  const review: readonly Button[] =
    waiting > 0
      ? [{ label: words.say("watch.button.review"), press: presses.comment.review(watch.id) }]
      : [];
  const own: readonly Button[] =
    watch.paused === undefined
      ? [
          { label: words.say("watch.status.look"), style: "primary", press: look.press(state) },
          { label: words.say("watch.status.pause"), press: pause.press(state) },
        ]
      : [{ label: words.say("watch.status.resume"), style: "primary", press: resume.press(state) }];
  const all = [...own, ...review];
  return hasOthers
    ? [...all, { label: words.say("watch.status.all"), press: showAllWatches.press(null) }]
    : all;
}

export const watchStatusActions: readonly FlowAction<never>[] = [
  pause,
  resume,
  look,
  show,
  askPlace,
  showAllWatches,
];
