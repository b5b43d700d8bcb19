import { abortLater } from "../../clock.ts";
import {
  ask,
  type Button,
  cancelGraceMs,
  cut,
  describeFailureInLine,
  join,
  notice,
  type Reply,
  type Text,
  time,
  type Words,
} from "../../discord/index.ts";
import { BotError, LimitError } from "../../errors.ts";
import { type MethodParams, methods } from "../../video/index.ts";
import { mayBatchGoOn } from "../batches/index.ts";
import { presses } from "../cards/index.ts";
import type { Ctx } from "../context/index.ts";
import { action, type PastedVideos } from "../declarations/index.ts";
import {
  type AdditionPlan,
  listAdditionCalls,
  type PlaylistAddition,
  planAddition,
} from "./addition-plan.ts";
import { maxEntriesAtOnce } from "./entries.ts";
import { concernsAllEntries, isEntryRefused } from "./failed-entries.ts";
import { nameRefusedList } from "./special-list.ts";
import {
  formatGroup,
  formatLines,
  formatVideoLine,
  type NamedVideo,
  showVideoProgress,
} from "./video-lines.ts";

interface FailedVideo extends NamedVideo {
  /** Absent if the work was stopped while this video was being added. */
  readonly error?: BotError;
}

interface AdditionOutcome {
  readonly plan: AdditionPlan;
  readonly added: readonly NamedVideo[];
  readonly failed: readonly FailedVideo[];
  /** The videos that were not tried. */
  readonly rest: readonly NamedVideo[];
}

/** Says which videos were added, and why others were not, with a button that adds those. */
function drawOutcome(ctx: Ctx, adding: PlaylistAddition, outcome: AdditionOutcome): Reply {
  const { words, signal } = ctx;
  const { plan, added, failed, rest } = outcome;
  const { position, again } = adding;
  // Where copies are wanted, a video that may have been added is left out, because nothing would tell it from a copy.
  const tried = failed.filter(({ error }) => {
    const mayBeThere = error === undefined || error.outcome === "unknown";
    if (again && mayBeThere) return false;
    return error === undefined || !isEntryRefused(error);
  });
  const left = [...[...tried, ...rest].map(({ id }) => id), ...plan.later];
  const place = position === undefined ? {} : { position: position + added.length };
  const next = plan.later.length === 0 ? addVideosNow : addMoreVideos;
  const { id, title } = plan.target;
  const isWhole = failed.length === 0 && rest.length === 0;
  const key = signal.aborted ? "playlists.add.stopped" : "playlists.add.done";
  return notice({
    tone: isWhole ? "good" : added.length === 0 ? "bad" : "warning",
    title: words.say(key, { count: added.length, playlist: title }),
    text: join(
      [
        added.length > 0 && formatLines(added.map(formatVideoLine), words),
        ...notAdded(outcome, words),
        ...leftOut(plan, words),
      ],
      "\n\n",
    ),
    buttons: [
      ...(left.length === 0
        ? []
        : [goOnButton({ ...adding, ...place }, { ids: left, next }, words)]),
      { label: words.say("playlists.show_videos"), press: presses.playlist.items(id) },
    ],
  });
}

/** Adds the rest of a list. Entries that name no video were named before. */
function goOnButton(
  { later: _, unread: _unread, ...where }: PlaylistAddition,
  { ids, next }: { readonly ids: readonly string[]; readonly next: typeof addVideosNow },
  words: Words,
): Button {
  const count = Math.min(ids.length, maxEntriesAtOnce);
  const key = ids.length > count ? "playlists.add.go_on_some" : "playlists.add.go_on";
  const press = next.press({ ...where, ...splitList(ids) });
  return { label: words.say(key, { count }), style: "primary", press };
}

function notAdded({ failed, rest }: AdditionOutcome, words: Words): readonly Text[] {
  const reasons = failed.map(({ error, ...video }) =>
    words.md("playlists.failed_line", {
      video: formatVideoLine(video),
      reason:
        error === undefined ? words.say("playlists.add.undecided") : describeReason(error, words),
    }),
  );
  return [
    ...formatGroup(words.say("playlists.add.failed", { count: failed.length }), reasons, words),
    ...formatGroup(
      words.say("playlists.add.rest", { count: rest.length }),
      rest.map(formatVideoLine),
      words,
    ),
  ];
}

/** The reason in short, and when to try again or that it may have been done all the same. */
function describeReason(error: BotError, words: Words): Text {
  const reason = describeFailureInLine(error, words);
  if (error.outcome === "unknown") {
    return join([reason, words.say("playlists.add.maybe")], " · ");
  }
  if (!(error instanceof LimitError) || error.retryAt === undefined) return reason;
  return join([reason, time(error.retryAt, "R")], " · ");
}

/** Videos that are in the playlist already, ids of videos that do not exist, and what of a list is not in this plan. */
function leftOut({ there, unknown, later, unread }: AdditionPlan, words: Words): readonly Text[] {
  const missing = unknown.map((id) => formatVideoLine({ id, title: id }));
  const present = there.map(formatVideoLine);
  return [
    ...formatGroup(words.say("playlists.add.there", { count: there.length }), present, words),
    ...formatGroup(words.say("playlists.add.unknown", { count: missing.length }), missing, words),
    ...formatGroup(words.say("playlists.add.unread", { count: unread.length }), unread, words),
    ...formatGroup(
      words.say("playlists.add.later", { count: later.length, most: maxEntriesAtOnce }),
      later.map((id) => formatVideoLine({ id, title: id })),
      words,
    ),
  ];
}

function nothingToAdd({ words }: Ctx, plan: AdditionPlan, adding: PlaylistAddition): Reply {
  const { id, title } = plan.target;
  const rest = { ids: plan.later, next: addMoreVideos };
  return notice({
    tone: plan.unknown.length + plan.unread.length === 0 ? "neutral" : "warning",
    title: words.say("playlists.add.nothing", { playlist: title }),
    text: join(leftOut(plan, words), "\n\n"),
    buttons: [
      ...(plan.later.length === 0 ? [] : [goOnButton(adding, rest, words)]),
      { label: words.say("playlists.show_videos"), press: presses.playlist.items(id) },
    ],
  });
}

/** More videos than this are added only after a question that shows the price. */
const maxUnasked = 3;

const method = "playlistItems.insert";

/** What both buttons have in common. */
const additionAction = {
  isOnce: true,
  method,
  uses: ["channels.list", "playlists.list", "playlistItems.list", "videos.list"],
} as const;

export const addVideosNow = action<PlaylistAddition>({
  ...additionAction,
  name: "playlists.add-now",
  run: addVideosUnasked,
});

/** Goes on with a list that is longer than what is added at once; it asks again, because nobody has seen that price. */
export const addMoreVideos = action<PlaylistAddition>({
  ...additionAction,
  name: "playlists.add-more",
  run: addVideos,
});

/** Adds videos that somebody agreed to already. */
export async function addVideosUnasked(ctx: Ctx, adding: PlaylistAddition): Promise<Reply> {
  const plan = await planAddition(ctx, adding);
  if (plan.todo.length === 0) return nothingToAdd(ctx, plan, adding);
  await ctx.afford([[method, plan.todo.length]]);
  return addAll(ctx, plan, adding);
}

/** How much of an entry that is no video is shown, and of how many. */
const maxUnread = { chars: 80, entries: 50 };

/** Adds what can be added of a pasted list, and names the rest. */
export function addPastedVideos(
  ctx: Ctx,
  { ids, unread }: PastedVideos,
  where: Omit<PlaylistAddition, "videos" | "later" | "unread">,
): Promise<Reply> {
  return addVideos(ctx, {
    ...where,
    ...splitList(ids),
    ...(unread.length > 0 && {
      unread: unread.slice(0, maxUnread.entries).map((entry) => cut(entry, maxUnread.chars)),
    }),
  });
}

/** As many videos as are added at once, and those after them. */
function splitList(ids: readonly string[]): Pick<PlaylistAddition, "videos" | "later"> {
  const later = ids.slice(maxEntriesAtOnce);
  return { videos: ids.slice(0, maxEntriesAtOnce), ...(later.length > 0 && { later }) };
}

/** Reads what there is to add, and asks first if there are many videos. */
export async function addVideos(ctx: Ctx, adding: PlaylistAddition): Promise<Reply> {
  const plan = await planAddition(ctx, adding);
  if (plan.todo.length === 0) return nothingToAdd(ctx, plan, adding);
  await ctx.afford([[method, plan.todo.length]]);
  const { target, todo } = plan;
  const count = todo.length;
  if (count <= maxUnasked) return addAll(ctx, plan, adding);
  const { words } = ctx;
  const price = await ctx.price(...listAdditionCalls(target, count, adding.again));
  return ask({
    title: words.say("playlists.add.ask", { count, playlist: target.title }),
    text: join(
      [formatLines(todo.map(formatVideoLine), words), ...leftOut(plan, words), price],
      "\n\n",
    ),
    confirm: {
      label: words.say("playlists.add.confirm", { count }),
      style: "primary",
      press: addVideosNow.press({ ...adding, videos: todo.map(({ id }) => id) }),
    },
  });
}

/**
 * Adds one video after the other, so that they keep their order. A cancellation, or a failure that concerns all of them,
 * stops it. What was added by then stays and is reported.
 * @throws the failure itself if it keeps the first from being added, and would all others
 */
async function addAll(ctx: Ctx, plan: AdditionPlan, adding: PlaylistAddition): Promise<Reply> {
  const { todo, target } = plan;
  const added: NamedVideo[] = [];
  const failed: FailedVideo[] = [];
  let tried = 0;
  let failuresInRow: readonly BotError[] = [];
  const signal = abortLater(ctx.signal, cancelGraceMs);
  const title = ctx.words.say("playlists.add.adding", { playlist: target.title });
  for (const video of todo) {
    if (ctx.signal.aborted) break;
    if (todo.length > 1) showVideoProgress(ctx, todo, { title, done: tried });
    tried += 1;
    try {
      const params = paramsFor({ ...adding, playlistId: target.id }, video.id, added.length);
      await nameRefusedList(target.special, method, () => ctx.own.call(method, params, { signal }));
      added.push(video);
      failuresInRow = [];
    } catch (error) {
      if (!(error instanceof BotError)) throw error;
      const isStopped = signal.aborted;
      failuresInRow = [...failuresInRow, error];
      const isAlone = todo.length === 1 || (tried === 1 && concernsAllEntries(error));
      if (!isStopped && isAlone) throw error;
      failed.push({ ...video, ...(isStopped ? {} : { error }) });
      if (isStopped || !mayBatchGoOn(failuresInRow, concernsAllEntries)) break;
    }
  }
  return drawOutcome(ctx, adding, { plan, added, failed, rest: todo.slice(tried) });
}

function paramsFor(
  adding: PlaylistAddition,
  videoId: string,
  before: number,
): MethodParams<typeof method> {
  const { playlistId, position, note } = adding;
  const resourceId = { kind: "youtube#video", videoId };
  const place = position === undefined ? {} : { position: position + before };
  const snippet = { playlistId, resourceId, ...place };
  return note === undefined
    ? { part: ["snippet"], body: { snippet } }
    : { part: ["snippet", "contentDetails"], body: { snippet, contentDetails: { note } } };
}

/** The units that a new playlist with so many videos costs, for forms, which can't ask first. */
export function countNewPlaylistUnits(count: number): number {
  const calls = [["playlists.insert"], ...listAdditionCalls({ count: 0 }, count)] as const;
  return calls.reduce((sum, [name, times = 1]) => sum + methods[name].cost * times, 0);
}
