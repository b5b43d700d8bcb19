import { InputError } from "../../errors.ts";
import { updateResource } from "../../video/index.ts";
import type { Ctx } from "../command.ts";
import { type Extra, withExtra } from "../extra.ts";
import { presses } from "../presses.ts";
import { notice, type Reply } from "../reply.ts";
import { type Entry, notInPlaylist, resolve } from "./entries.ts";
import { videoLine } from "./lines.ts";
import { entryRefOf } from "./refs.ts";
import { readTarget, requirePlace, type Target } from "./target.ts";

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
export async function move(ctx: Ctx<unknown>, moving: Moving, extra: Extra): Promise<Reply> {
  const { note } = moving;
  requireOnePlace(moving, extra);
  const refs = [moving.item, moving.before ?? moving.after].map((text, index) =>
    text === undefined ? undefined : entryRefOf(text, nameAt(moving, index)),
  );
  const target = await readTarget(ctx, moving.playlist);
  const [entry, beside] = await Promise.all(
    refs.map((ref) => (ref === undefined ? undefined : entryFor(ctx, target, ref))),
  );
  if (entry === undefined) throw notInPlaylist();
  const position = positionFor(moving, { entry, beside, target });
  const change = {
    ...(position === undefined ? {} : { snippet: { position } }),
    ...(note === undefined ? {} : { contentDetails: { note } }),
  };
  const { body } = withExtra({ body: change }, extra);
  if (position === entry.position && Object.keys(body).length === 1 && note === undefined) {
    return told(ctx, { target, entry, position, key: "playlists.move.there" });
  }
  const { signal } = ctx;
  // The places of the row were read by the options and `extra`; the client checks the whole once more.
  const whole = { id: entry.id, ...body } as Parameters<typeof updateResource>[2];
  await updateResource(ctx.own, "playlistItems.update", whole as never, { signal });
  const key = position === undefined ? "playlists.move.noted" : "playlists.move.done";
  return told(ctx, { target, entry, position: position ?? entry.position, key });
}

interface Told {
  readonly target: Target;
  readonly entry: Entry;
  readonly position: number;
  readonly key: "playlists.move.done" | "playlists.move.there" | "playlists.move.noted";
}

function told({ words }: Ctx<unknown>, { target, entry, position, key }: Told): Reply {
  return notice({
    tone: key === "playlists.move.there" ? "info" : "good",
    title: words.say(key, { playlist: target.title }),
    text: words.md("playlists.move.from_to", {
      video: videoLine({ id: entry.videoId, title: entry.title }),
      from: entry.position + 1,
      to: position + 1,
      moved: position === entry.position ? "no" : "yes",
    }),
    buttons: [
      { label: words.say("playlists.show_videos"), press: presses.playlist.items(target.id) },
    ],
  });
}

function nameAt({ before }: Moving, index: number): string {
  if (index === 0) return "item";
  return before === undefined ? "after" : "before";
}

/** A video that stands in several places is taken at the first of them. */
async function entryFor(
  ctx: Ctx<unknown>,
  target: Target,
  ref: ReturnType<typeof entryRefOf>,
): Promise<Entry> {
  const [entry] = await resolve(ctx, target, [ref]);
  if (entry === undefined) throw notInPlaylist();
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

function requireOnePlace({ position, place, before, after, note }: Moving, extra: Extra): void {
  const given = [position, place, before, after].filter((each) => each !== undefined).length;
  if (given === 1) return;
  if (given === 0 && (note !== undefined || Object.keys(extra.body).length > 0)) return;
  const code = given === 0 ? "place_missing" : "place_ambiguous";
  throw new InputError(`${given} places were given`, {
    code,
    hint: "Say one place: a number, top or bottom, or another entry to go before or after.",
    facts: { given },
  });
}
