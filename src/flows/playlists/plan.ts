import type { Ctx, Planned } from "../../discord/index.ts";
import { entriesOf, looksFor, videoTitles } from "./entries.ts";
import type { Named } from "./lines.ts";
import { isClosing } from "./special.ts";
import { readTarget, requirePlace, type Target } from "./target.ts";

/** Facts: ids of one call. */
const idsOfCall = 50;

/** What is to be put into a playlist, JSON-shaped. */
export interface Adding {
  readonly playlistId: string;
  readonly videos: readonly string[];
  /** Of the first one, from 0; at the end when absent. */
  readonly position?: number | undefined;
  readonly note?: string | undefined;
  /** Also what is in it already. */
  readonly again?: boolean | undefined;
}

/** What there is to do, looked up before anything is written. */
export interface Plan {
  readonly target: Target;
  readonly todo: readonly Named[];
  readonly there: readonly Named[];
  /** Ids that no video has. */
  readonly unknown: readonly string[];
}

/** What it takes to add so many videos, looked up once more before: somebody may have been faster. */
export function callsToAdd(
  target: Pick<Target, "count" | "special">,
  videos: number,
  again = false,
): readonly Planned[] {
  return [
    ["channels.list", target.special === undefined ? 0 : 1],
    ["playlists.list"],
    ["videos.list", Math.ceil(videos / idsOfCall)],
    ["playlistItems.list", again ? 0 : looksFor(target, videos)],
    ["playlistItems.insert", videos],
  ];
}

/** @throws InputError `place_too_high`, and what `readTarget` throws */
export async function planFor(ctx: Ctx, adding: Adding): Promise<Plan> {
  const target = await readTarget(ctx, adding.playlistId, "playlistItems.insert");
  requirePlace(adding.position, target.count === undefined ? undefined : target.count + 1);
  const titles = await videoTitles(ctx, adding.videos);
  const known = adding.videos.filter((id) => titles.has(id));
  const entries = adding.again === true ? [] : await entriesIn(ctx, target, known);
  const present = new Set(entries.map(({ videoId }) => videoId));
  const named = known.map((id) => ({ id, title: titles.get(id) ?? id }));
  return {
    target,
    todo: named.filter(({ id }) => !present.has(id)),
    there: named.filter(({ id }) => present.has(id)),
    unknown: adding.videos.filter((id) => !titles.has(id)),
  };
}

/** A list of the service's own may take what it does not show. */
async function entriesIn(ctx: Ctx, target: Target, videoIds: readonly string[]) {
  try {
    return await entriesOf(ctx, target, videoIds);
  } catch (error) {
    if (target.special !== undefined && isClosing(error)) return [];
    throw error;
  }
}
