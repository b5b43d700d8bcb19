import {
  type Ctx,
  describeChange,
  join,
  md,
  notice,
  presses,
  type Reply,
  type Text,
} from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import { type PlaylistItem, updateResource } from "../../video/index.ts";
import { type Entry, type EntryRef, entryRefOf, notInPlaylist, resolve } from "./entries.ts";
import { videoLine } from "./lines.ts";
import { byName } from "./special.ts";
import { readTarget, requirePlace, type Target } from "./target.ts";

const method = "playlistItems.update";

/** Which entry is to go where, as the options say it; one place, or none when only the note changes. */
export interface Moving {
  readonly playlist: string;
  readonly item: string;
  /** From 1. */
  readonly position?: number | undefined;
  readonly place?: "top" | "bottom" | undefined;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  readonly note?: string | undefined;
}

/**
 * Moves one entry, writes its note, or both.
 * @throws InputError `place_missing`, `place_ambiguous`, `not_in_playlist`, `place_too_high`, all before the write
 */
export async function move(ctx: Ctx, moving: Moving): Promise<Reply> {
  const { note } = moving;
  requireOnePlace(moving);
  const ref = entryRefOf(moving.item, "item");
  const besideRef = besideOf(moving);
  const target = await readTarget(ctx, moving.playlist, method);
  const entry = await entryFor(ctx, target, ref);
  const beside = besideRef && (await entryFor(ctx, target, besideRef));
  const position = positionFor(moving, { entry, beside, target });
  const change = {
    ...(position === undefined ? {} : { snippet: { position } }),
    ...(note === undefined ? {} : { contentDetails: { note } }),
  };
  if (position === entry.position && note === undefined) {
    return told(ctx, { target, entry, position, key: "playlists.move.there" });
  }
  const { signal } = ctx;
  const changed = { id: entry.id, ...change };
  const around = await byName(target.special, method, () =>
    updateResource(ctx.own, method, changed, { signal }),
  );
  const key = position === undefined ? "playlists.move.noted" : "playlists.move.done";
  const { words } = ctx;
  const noted = describeChange(words, noteOf(around.before) ?? "", noteOf(around.after) ?? "");
  return told(ctx, {
    target,
    entry,
    position: position ?? entry.position,
    key,
    ...(note !== undefined && { note: md`${words.say("playlists.note")}: ${noted}` }),
  });
}

interface Told {
  readonly target: Target;
  readonly entry: Entry;
  readonly position: number;
  /** What it was and is. */
  readonly note?: Text;
  readonly key: "playlists.move.done" | "playlists.move.there" | "playlists.move.noted";
}

function noteOf({ contentDetails }: PlaylistItem): string | undefined {
  return contentDetails?.note;
}

function told({ words }: Ctx, { target, entry, position, note, key }: Told): Reply {
  const place = words.md("playlists.move.from_to", {
    video: videoLine({ id: entry.videoId, title: entry.title }),
    from: entry.position + 1,
    to: position + 1,
    moved: position === entry.position ? "no" : "yes",
  });
  return notice({
    tone: key === "playlists.move.there" ? "info" : "good",
    title: words.say(key, { playlist: target.title }),
    text: note === undefined ? place : join([place, note]),
    buttons: [
      { label: words.say("playlists.show_videos"), press: presses.playlist.items(target.id) },
    ],
  });
}

function besideOf({ before, after }: Moving): EntryRef | undefined {
  if (before !== undefined) return entryRefOf(before, "before");
  return after === undefined ? undefined : entryRefOf(after, "after");
}

/** A video that stands in several places is taken at the first of them. */
async function entryFor(ctx: Ctx, target: Target, ref: EntryRef): Promise<Entry> {
  const [entry] = await resolve(ctx, target, [ref]);
  if (entry === undefined) throw notInPlaylist(target);
  return entry;
}

interface Around {
  readonly entry: Entry;
  readonly beside: Entry | undefined;
  readonly target: Target;
}

/** From 0, as the list will be: the entry is taken out first, so that what stood behind it moves up. */
function positionFor(
  { position, place, before }: Moving,
  { entry, beside, target }: Around,
): number | undefined {
  if (position !== undefined) {
    requirePlace(position - 1, target.count);
    return position - 1;
  }
  if (place === "top") return 0;
  if (place === "bottom") return Math.max((target.count ?? 1) - 1, 0);
  if (beside === undefined) return undefined;
  if (beside.id === entry.id) return entry.position;
  const isAhead = entry.position < beside.position;
  const at = isAhead ? beside.position - 1 : beside.position;
  return before === undefined ? at + 1 : at;
}

function requireOnePlace({ position, place, before, after, note }: Moving): void {
  const given = [position, place, before, after].filter((each) => each !== undefined).length;
  if (given === 1 || (given === 0 && note !== undefined)) return;
  const code = given === 0 ? "place_missing" : "place_ambiguous";
  throw new InputError(`${given} places were given`, {
    code,
    facts: { given },
  });
}
