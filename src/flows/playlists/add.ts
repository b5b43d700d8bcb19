import {
  action,
  ask,
  type Ctx,
  join,
  noExtra,
  type Press,
  type Reply,
  withExtra,
} from "../../discord/index.ts";
import { BotError } from "../../errors.ts";
import { methods, type Params } from "../../video/index.ts";
import {
  type Failed,
  isOfOne,
  leftOut,
  nothingToAdd,
  type Outcome,
  remaining,
  told,
} from "./added.ts";
import { lines, type Named, videoLine } from "./lines.ts";
import { lingering, lingerMs } from "./linger.ts";
import { type Adding, callsToAdd, type Plan, planFor } from "./plan.ts";
import { byName } from "./special.ts";

/** More than this many are asked about with their price first. */
const mostUnasked = 3;

const method = "playlistItems.insert";

/** Adds without asking: what was asked about before. */
export const addNow = action<Adding>({
  name: "playlists.add-now",
  answer: "update",
  by: "requester",
  isOnce: true,
  row: method,
  uses: ["channels.list", "playlists.list", "playlistItems.list", "videos.list"],
  run: (ctx, adding) => addUnasked(ctx, adding),
});

/** For what was agreed to already. */
export async function addUnasked(ctx: Ctx<unknown>, adding: Adding): Promise<Reply> {
  const plan = await planFor(ctx, adding);
  if (plan.todo.length === 0) return nothingToAdd(ctx, plan);
  await ctx.afford([[method, plan.todo.length]]);
  return addAll(ctx, plan, adding);
}

/** Looks what there is to do, then asks about many and adds few. */
export async function add(ctx: Ctx<unknown>, adding: Adding): Promise<Reply> {
  const plan = await planFor(ctx, adding);
  if (plan.todo.length === 0) return nothingToAdd(ctx, plan);
  await ctx.afford([[method, plan.todo.length]]);
  return plan.todo.length > mostUnasked ? question(ctx, plan, adding) : addAll(ctx, plan, adding);
}

async function question(ctx: Ctx<unknown>, plan: Plan, adding: Adding): Promise<Reply> {
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
 * One after the other, so that their order is kept. Stopped by a cancellation or by a failure that concerns all; what
 * is done by then stays and is told.
 * @throws the failure itself when nothing was added because of it
 */
async function addAll(ctx: Ctx<unknown>, plan: Plan, adding: Adding): Promise<Reply> {
  const { todo, target } = plan;
  const added: Named[] = [];
  const failed: Failed[] = [];
  let tried = 0;
  const signal = lingering(ctx.signal, lingerMs);
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

/** Units that a playlist with that many videos takes, for forms that can't ask. */
export function unitsFor(count: number): number {
  const calls = [["playlists.insert"], ...callsToAdd({ count: 0 }, count)] as const;
  return calls.reduce((sum, [name, times = 1]) => sum + methods[name].cost * times, 0);
}
