import { BotError } from "../../errors.ts";
import { methods, type Params } from "../../video/index.ts";
import { action, type Ctx } from "../command.ts";
import { inShort } from "../explain.ts";
import { type Extra, noExtra, withExtra } from "../extra.ts";
import { presses } from "../presses.ts";
import { ask, notice, type Reply } from "../reply.ts";
import { join, type Text } from "../text.ts";
import { group, lines, type Named, videoLine } from "./lines.ts";
import { lingering, lingerMs } from "./linger.ts";
import { entriesOf, readTarget, requirePlace, type Target, videoTitles } from "./read.ts";

/** What is to be put into a playlist, JSON-shaped. */
export interface Adding {
  readonly playlistId: string;
  readonly videos: readonly string[];
  /** Of the first one, from 0; at the end when absent. */
  readonly position?: number | undefined;
  readonly note?: string | undefined;
  /** Also what is in it already. */
  readonly again?: boolean | undefined;
  readonly extra?: Extra;
}

/** More than this many are asked about with their price first. */
const mostUnasked = 3;

const method = "playlistItems.insert";

/** Failures that concern one video; after any other the rest would fail alike. */
const ofOne: ReadonlySet<string> = new Set([
  "video_not_found",
  "video_already_in_playlist",
  "invalid_resource_type",
]);

/** Adds without asking: what was asked about before. */
export const addNow = action<Adding>({
  name: "playlists.add-now",
  answer: "update",
  by: "requester",
  isOnce: true,
  row: method,
  uses: ["playlists.list", "playlistItems.list", "videos.list"],
  run: (ctx, adding) => addUnasked(ctx, adding),
});

/** For what was agreed to already. */
export async function addUnasked(ctx: Ctx<unknown>, adding: Adding): Promise<Reply> {
  const plan = await planFor(ctx, adding);
  return plan.todo.length === 0 ? nothingToAdd(ctx, plan) : addAll(ctx, plan, adding);
}

interface Plan {
  readonly target: Target;
  readonly todo: readonly Named[];
  readonly there: readonly Named[];
  /** Ids that no video has. */
  readonly unknown: readonly string[];
}

/** Looks what there is to do, then asks about many and adds few. */
export async function add(ctx: Ctx<unknown>, adding: Adding): Promise<Reply> {
  const plan = await planFor(ctx, adding);
  if (plan.todo.length === 0) return nothingToAdd(ctx, plan);
  return plan.todo.length > mostUnasked ? question(ctx, plan, adding) : addAll(ctx, plan, adding);
}

/** @throws InputError `place_too_high`, and what `readTarget` throws */
async function planFor(ctx: Ctx<unknown>, adding: Adding): Promise<Plan> {
  const target = await readTarget(ctx, adding.playlistId);
  requirePlace(adding.position, target.count === undefined ? undefined : target.count + 1);
  const titles = await videoTitles(ctx, adding.videos);
  const known = adding.videos.filter((id) => titles.has(id));
  const entries = adding.again === true ? [] : await entriesOf(ctx, target, known);
  const present = new Set(entries.map(({ videoId }) => videoId));
  const named = known.map((id) => ({ id, title: titles.get(id) ?? id }));
  return {
    target,
    todo: named.filter(({ id }) => !present.has(id)),
    there: named.filter(({ id }) => present.has(id)),
    unknown: adding.videos.filter((id) => !titles.has(id)),
  };
}

async function question(ctx: Ctx<unknown>, plan: Plan, adding: Adding): Promise<Reply> {
  const { words } = ctx;
  const { target, todo } = plan;
  const count = todo.length;
  const price = await ctx.price(method, count);
  return ask({
    title: words.say("playlists.add.ask", { count, playlist: target.title }),
    text: join([lines(todo.map(videoLine), words), ...leftOut(plan, ctx), price], "\n\n"),
    confirm: {
      label: words.say("playlists.add.confirm", { count }),
      style: "primary",
      press: addNow.press({ ...adding, videos: todo.map(({ id }) => id) }),
    },
  });
}

interface Failed extends Named {
  /** Absent when the work was stopped while it was under way. */
  readonly error?: BotError;
}

/**
 * One after the other, so that their order is kept. Stopped by a cancellation or by a failure that concerns all; what
 * is done by then stays and is told.
 * @throws the failure itself when nothing was added because of it
 */
async function addAll(ctx: Ctx<unknown>, plan: Plan, adding: Adding): Promise<Reply> {
  const { target, todo } = plan;
  const added: Named[] = [];
  const failed: Failed[] = [];
  let tried = 0;
  const signal = lingering(ctx.signal, lingerMs);
  for (const video of todo) {
    if (ctx.signal.aborted) break;
    if (todo.length > 1) showProgress(ctx, plan, tried);
    tried += 1;
    try {
      await ctx.own.call(method, paramsFor(adding, video.id, added.length), { signal });
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
  return told(ctx, plan, { adding, added, failed, rest: todo.slice(tried), target });
}

function isOfOne({ error }: Pick<Failed, "error">): boolean {
  return error !== undefined && ofOne.has(error.code);
}

function paramsFor(adding: Adding, videoId: string, before: number): Params<typeof method> {
  const { playlistId, position, note, extra = noExtra } = adding;
  const resourceId = { kind: "youtube#video", videoId };
  const place = position === undefined ? {} : { position: position + before };
  const snippet = { playlistId, resourceId, ...place };
  return withExtra<Params<typeof method>>(
    note === undefined
      ? { part: ["snippet"], body: { snippet } }
      : { part: ["snippet", "contentDetails"], body: { snippet, contentDetails: { note } } },
    extra,
  );
}

function showProgress(ctx: Ctx<unknown>, { target, todo }: Plan, done: number): void {
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

interface Outcome {
  readonly adding: Adding;
  readonly target: Target;
  readonly added: readonly Named[];
  readonly failed: readonly Failed[];
  /** Not tried. */
  readonly rest: readonly Named[];
}

function told(ctx: Ctx<unknown>, plan: Plan, outcome: Outcome): Reply {
  const { words } = ctx;
  const { adding, target, added, failed, rest } = outcome;
  const isWhole = failed.length === 0 && rest.length === 0;
  const reasons = failed.map((video) =>
    words.md("playlists.failed_line", {
      video: videoLine(video),
      reason:
        video.error === undefined
          ? words.say("playlists.add.undecided")
          : inShort(video.error, words),
    }),
  );
  const again = [...failed.filter((video) => !isOfOne(video)), ...rest];
  const parts = [
    ...(added.length === 0 ? [] : [lines(added.map(videoLine), words)]),
    ...group(words.say("playlists.add.failed", { count: failed.length }), reasons, words),
    ...group(words.say("playlists.add.rest", { count: rest.length }), rest.map(videoLine), words),
    ...leftOut(plan, ctx),
  ];
  return notice({
    tone: isWhole ? "good" : added.length === 0 ? "bad" : "warning",
    title: titleOf(ctx, outcome),
    text: join(parts, "\n\n"),
    buttons: [
      ...(again.length === 0
        ? []
        : [
            {
              label: words.say("playlists.add.go_on", { count: again.length }),
              style: "primary" as const,
              press: addNow.press(goingOn(adding, again, added.length)),
            },
          ]),
      { label: words.say("playlists.show_videos"), press: presses.playlist.items(target.id) },
    ],
  });
}

function goingOn(adding: Adding, videos: readonly Named[], before: number): Adding {
  const { position } = adding;
  const place = position === undefined ? {} : { position: position + before };
  return { ...adding, ...place, videos: videos.map(({ id }) => id) };
}

function titleOf(ctx: Ctx<unknown>, { added, target }: Outcome): string {
  const { words, signal } = ctx;
  const key = signal.aborted ? "playlists.add.stopped" : "playlists.add.done";
  return words.say(key, { count: added.length, playlist: target.title });
}

/** What is in it already, and what leads nowhere. */
function leftOut({ there, unknown }: Plan, { words }: Ctx<unknown>): readonly Text[] {
  const missing = unknown.map((id) => videoLine({ id, title: id }));
  return [
    ...group(
      words.say("playlists.add.there", { count: there.length }),
      there.map(videoLine),
      words,
    ),
    ...group(words.say("playlists.add.unknown", { count: missing.length }), missing, words),
  ];
}

function nothingToAdd(ctx: Ctx<unknown>, plan: Plan): Reply {
  const { words } = ctx;
  const { id, title } = plan.target;
  return notice({
    tone: plan.unknown.length === 0 ? "info" : "warning",
    title: words.say("playlists.add.nothing", { playlist: title }),
    text: join(leftOut(plan, ctx), "\n\n"),
    buttons: [{ label: words.say("playlists.show_videos"), press: presses.playlist.items(id) }],
  });
}

/** Units that a playlist with that many videos takes, for forms that can't ask. */
export function unitsFor(count: number): number {
  return methods["playlists.insert"].cost + methods[method].cost * count;
}
