import { abortedLater } from "../../clock.ts";
import {
  action,
  ask,
  type Button,
  type Ctx,
  cancelGraceMs,
  inShort,
  join,
  notice,
  type Press,
  presses,
  type Reply,
  type Text,
  time,
  type Words,
} from "../../discord/index.ts";
import { BotError, LimitError } from "../../errors.ts";
import { methods, type Params } from "../../video/index.ts";
import { group, lines, type Named, videoLine } from "./lines.ts";
import { type Adding, callsToAdd, type Plan, planFor } from "./plan.ts";
import { byName } from "./special.ts";

/** Failures of a single video; after any other failure the rest would fail too. */
const ofOne: ReadonlySet<string> = new Set([
  "video_not_found",
  "video_already_in_playlist",
  "invalid_resource_type",
]);

interface Failed extends Named {
  /** Absent when the work was stopped while it was under way. */
  readonly error?: BotError;
}

function isOfOne({ error }: Pick<Failed, "error">): boolean {
  return error !== undefined && ofOne.has(error.code);
}

/** The outcome of adding. */
interface Outcome {
  readonly plan: Plan;
  readonly added: readonly Named[];
  readonly failed: readonly Failed[];
  /** Not tried. */
  readonly rest: readonly Named[];
}

/** Which videos were added, and which were not and why; `goOn` adds the others. */
function told(ctx: Ctx, outcome: Outcome, goOn: Press | undefined): Reply {
  const { words, signal } = ctx;
  const { plan, added, failed, rest } = outcome;
  const { id, title } = plan.target;
  const isWhole = failed.length === 0 && rest.length === 0;
  const key = signal.aborted ? "playlists.add.stopped" : "playlists.add.done";
  return notice({
    tone: isWhole ? "good" : added.length === 0 ? "bad" : "warning",
    title: words.say(key, { count: added.length, playlist: title }),
    text: join(
      [
        added.length > 0 && lines(added.map(videoLine), words),
        ...notAdded(outcome, words),
        ...leftOut(plan, words),
      ],
      "\n\n",
    ),
    buttons: [
      ...(goOn === undefined ? [] : [goOnButton(remaining(outcome).length, goOn, words)]),
      { label: words.say("playlists.show_videos"), press: presses.playlist.items(id) },
    ],
  });
}

/** What another attempt may still add. */
function remaining({ failed, rest }: Outcome): readonly Named[] {
  return [...failed.filter((video) => !isOfOne(video)), ...rest];
}

function goOnButton(count: number, press: Press, words: Words): Button {
  return { label: words.say("playlists.add.go_on", { count }), style: "primary", press };
}

function notAdded({ failed, rest }: Outcome, words: Words): readonly Text[] {
  const reasons = failed.map(({ error, ...video }) =>
    words.md("playlists.failed_line", {
      video: videoLine(video),
      reason: error === undefined ? words.say("playlists.add.undecided") : reasonOf(error, words),
    }),
  );
  return [
    ...group(words.say("playlists.add.failed", { count: failed.length }), reasons, words),
    ...group(words.say("playlists.add.rest", { count: rest.length }), rest.map(videoLine), words),
  ];
}

/** The reason in short, and when it is worth another attempt. */
function reasonOf(error: BotError, words: Words): Text {
  const reason = inShort(error, words);
  if (!(error instanceof LimitError) || error.retryAt === undefined) return reason;
  return join([reason, time(error.retryAt, "R")], " · ");
}

/** Videos that are in it already, and ids of no video. */
function leftOut({ there, unknown }: Plan, words: Words): readonly Text[] {
  const missing = unknown.map((id) => videoLine({ id, title: id }));
  const present = there.map(videoLine);
  return [
    ...group(words.say("playlists.add.there", { count: there.length }), present, words),
    ...group(words.say("playlists.add.unknown", { count: missing.length }), missing, words),
  ];
}

function nothingToAdd({ words }: Ctx, plan: Plan): Reply {
  const { id, title } = plan.target;
  return notice({
    tone: plan.unknown.length === 0 ? "info" : "warning",
    title: words.say("playlists.add.nothing", { playlist: title }),
    text: join(leftOut(plan, words), "\n\n"),
    buttons: [{ label: words.say("playlists.show_videos"), press: presses.playlist.items(id) }],
  });
}

/** More videos than this are only added after a question with the price. */
const mostUnasked = 3;

const method = "playlistItems.insert";

/** Adds without asking, because the question was answered. */
export const addNow = action<Adding>({
  name: "playlists.add-now",
  answer: "update",
  by: "requester",
  isOnce: true,
  row: method,
  uses: ["channels.list", "playlists.list", "playlistItems.list", "videos.list"],
  run: (ctx, adding) => addUnasked(ctx, adding),
});

/** For videos that were agreed to already. */
export async function addUnasked(ctx: Ctx, adding: Adding): Promise<Reply> {
  const plan = await planFor(ctx, adding);
  if (plan.todo.length === 0) return nothingToAdd(ctx, plan);
  await ctx.afford([[method, plan.todo.length]]);
  return addAll(ctx, plan, adding);
}

/** Looks what there is to do, then asks first if it is much. */
export async function add(ctx: Ctx, adding: Adding): Promise<Reply> {
  const plan = await planFor(ctx, adding);
  if (plan.todo.length === 0) return nothingToAdd(ctx, plan);
  await ctx.afford([[method, plan.todo.length]]);
  return plan.todo.length > mostUnasked ? question(ctx, plan, adding) : addAll(ctx, plan, adding);
}

async function question(ctx: Ctx, plan: Plan, adding: Adding): Promise<Reply> {
  const { words } = ctx;
  const { target, todo } = plan;
  const count = todo.length;
  const price = await ctx.price(...callsToAdd(target, count, adding.again));
  return ask({
    title: words.say("playlists.add.ask", { count, playlist: target.title }),
    text: join([lines(todo.map(videoLine), words), ...leftOut(plan, words), price], "\n\n"),
    confirm: {
      label: words.say("playlists.add.confirm", { count }),
      style: "primary",
      press: addNow.press({ ...adding, videos: todo.map(({ id }) => id) }),
    },
  });
}

/**
 * Adds one after the other, so that their order is kept. A cancellation, or a failure that concerns all, stops it; what
 * was added by then stays and is reported.
 * @throws the failure itself when nothing was added because of it
 */
async function addAll(ctx: Ctx, plan: Plan, adding: Adding): Promise<Reply> {
  const { todo, target } = plan;
  const added: Named[] = [];
  const failed: Failed[] = [];
  let tried = 0;
  const signal = abortedLater(ctx.signal, cancelGraceMs);
  for (const video of todo) {
    if (ctx.signal.aborted) break;
    if (todo.length > 1) showProgress(ctx, plan, tried);
    tried += 1;
    try {
      const params = paramsFor({ ...adding, playlistId: target.id }, video.id, added.length);
      await byName(target.special, method, () => ctx.own.call(method, params, { signal }));
      added.push(video);
    } catch (error) {
      if (!(error instanceof BotError)) throw error;
      const isStopped = signal.aborted;
      const isHopeless = isStopped || !isOfOne({ error });
      if (!isStopped && added.length === 0 && (isHopeless || todo.length === 1)) throw error;
      failed.push({ ...video, ...(isStopped ? {} : { error }) });
      if (isHopeless) break;
    }
  }
  const outcome = { plan, added, failed, rest: todo.slice(tried) };
  return told(ctx, outcome, goingOn(adding, outcome));
}

function goingOn(adding: Adding, outcome: Outcome): Press | undefined {
  const videos = remaining(outcome).map(({ id }) => id);
  if (videos.length === 0) return undefined;
  const { position } = adding;
  const place = position === undefined ? {} : { position: position + outcome.added.length };
  return addNow.press({ ...adding, ...place, videos });
}

function paramsFor(adding: Adding, videoId: string, before: number): Params<typeof method> {
  const { playlistId, position, note } = adding;
  const resourceId = { kind: "youtube#video", videoId };
  const place = position === undefined ? {} : { position: position + before };
  const snippet = { playlistId, resourceId, ...place };
  return note === undefined
    ? { part: ["snippet"], body: { snippet } }
    : { part: ["snippet", "contentDetails"], body: { snippet, contentDetails: { note } } };
}

function showProgress(ctx: Ctx, { target, todo }: Plan, done: number): void {
  const { words } = ctx;
  ctx.progress({
    title: words.say("playlists.add.adding", { playlist: target.title }),
    text: words.md("playlists.add.so_far", {
      done,
      count: todo.length,
      title: todo[done]?.title ?? "",
    }),
    done: done / todo.length,
  });
}

/** Units that a new playlist with that many videos takes, for forms that can't ask first. */
export function unitsFor(count: number): number {
  const calls = [["playlists.insert"], ...callsToAdd({ count: 0 }, count)] as const;
  return calls.reduce((sum, [name, times = 1]) => sum + methods[name].cost * times, 0);
}
