import {
  form,
  join,
  longestTexts,
  md,
  notice,
  type OptionsOf,
  type Reply,
  type Text,
} from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import { updateResource } from "../../video/index.ts";
import { describeChange, presses } from "../cards/index.ts";
import type { Ctx } from "../context/index.ts";
import { action, option, readPlace } from "../declarations/index.ts";
import { playlistItems, playlists } from "../suggestions/index.ts";
import {
  type EntryRef,
  type NamedPlaylistEntry,
  notInPlaylistError,
  readEntryRef,
  resolveEntries,
} from "./entries.ts";
import {
  type PlaylistToChange,
  readPlaylistToChange,
  requirePlaylistPlace,
} from "./playlist-to-change.ts";
import { nameRefusedList } from "./special-list.ts";
import { formatVideoLine } from "./video-lines.ts";

const method = "playlistItems.update";

const entry = { max: longestTexts.id, suggest: playlistItems("playlist") } as const;

/** One place, or none if only the note changes. */
export const entryMoveOptions = {
  playlist: option.playlist({
    required: true,
    covers: "snippet.playlistId",
    suggest: playlists,
  }),
  item: option.text({ ...entry, required: true, covers: "id" }),
  position: option.position({ covers: "snippet.position" }),
  before: option.text(entry),
  after: option.text(entry),
  note: option.field("playlistItems.update", "contentDetails.note"),
};

type EntryMove = Pick<OptionsOf<typeof entryMoveOptions>, "playlist" | "item"> &
  Partial<OptionsOf<typeof entryMoveOptions>>;

/**
 * Moves one entry, writes its note, or both.
 * @throws InputError `place_missing`, `place_ambiguous`, `not_in_playlist`, `place_too_high`, all before the write
 */
export async function moveEntry(ctx: Ctx, options: EntryMove): Promise<Reply> {
  const { note } = options;
  requireOnePlace(options);
  const item = { ref: readEntryRef(options.item, "item"), typed: options.item };
  const besideItem = readBeside(options);
  const target = await readPlaylistToChange(ctx, options.playlist, method);
  const entry = await entryFor(ctx, target, item);
  const beside = besideItem && (await entryFor(ctx, target, besideItem));
  const position = positionFor(options, { entry, beside, target });
  const change = {
    ...(position === undefined ? {} : { snippet: { position } }),
    ...(note === undefined ? {} : { contentDetails: { note } }),
  };
  if (position === entry.position && note === undefined) {
    return drawMove(ctx, { target, entry, position, key: "playlists.move.there" });
  }
  const { signal } = ctx;
  const changed = { id: entry.id, ...change };
  const around = await nameRefusedList(target.special, method, () =>
    updateResource(ctx.own, method, changed, { signal }),
  );
  const { words } = ctx;
  if (around.after === around.before) {
    const there = words.say("common.same");
    return drawMove(ctx, {
      target,
      entry,
      position: entry.position,
      key: "playlists.move.there",
      note: md`${there}`,
    });
  }
  const key = position === undefined ? "playlists.move.noted" : "playlists.move.done";
  const { before, after } = around;
  const noted = describeChange(
    words,
    before.contentDetails?.note ?? "",
    after.contentDetails?.note ?? "",
  );
  return drawMove(ctx, {
    target,
    entry,
    position: position ?? entry.position,
    key,
    ...(note !== undefined && { note: md`${words.say("playlists.note")}: ${noted}` }),
  });
}

interface MoveOutcome {
  readonly target: PlaylistToChange;
  readonly entry: NamedPlaylistEntry;
  readonly position: number;
  /** The note before and after. */
  readonly note?: Text;
  readonly key: "playlists.move.done" | "playlists.move.there" | "playlists.move.noted";
}

function drawMove({ words }: Ctx, { target, entry, position, note, key }: MoveOutcome): Reply {
  const place = words.md("playlists.move.from_to", {
    video: formatVideoLine({ id: entry.videoId, title: entry.title }),
    from: entry.position + 1,
    to: position + 1,
    moved: position === entry.position ? "no" : "yes",
  });
  return notice({
    tone: key === "playlists.move.there" ? "neutral" : "good",
    title: words.say(key, { playlist: target.title }),
    text: note === undefined ? place : join([place, note]),
    buttons: [
      { label: words.say("playlists.show_videos"), press: presses.playlist.items(target.id) },
    ],
  });
}

interface TypedEntry {
  readonly ref: EntryRef;
  readonly typed: string;
}

function readBeside({ before, after }: EntryMove): TypedEntry | undefined {
  if (before !== undefined) return { ref: readEntryRef(before, "before"), typed: before };
  return after === undefined ? undefined : { ref: readEntryRef(after, "after"), typed: after };
}

/** If a video is in several places, this is the first of them. */
async function entryFor(
  ctx: Ctx,
  target: PlaylistToChange,
  { ref, typed }: TypedEntry,
): Promise<NamedPlaylistEntry> {
  const [entry] = await resolveEntries(ctx, target, [ref]);
  if (entry === undefined) throw notInPlaylistError(target, typed);
  return entry;
}

interface MovedEntry {
  readonly entry: NamedPlaylistEntry;
  readonly beside: NamedPlaylistEntry | undefined;
  readonly target: PlaylistToChange;
}

/** The new position, from 0. The entry is taken out first, so everything behind it moves up. */
function positionFor(
  { position, before }: EntryMove,
  { entry, beside, target }: MovedEntry,
): number | undefined {
  if (typeof position === "number") {
    requirePlaylistPlace(position - 1, target.count);
    return position - 1;
  }
  if (position === "top") return 0;
  if (position === "bottom") return Math.max((target.count ?? 1) - 1, 0);
  if (beside === undefined) return undefined;
  if (beside.id === entry.id) return entry.position;
  const isAhead = entry.position < beside.position;
  const at = isAhead ? beside.position - 1 : beside.position;
  return before === undefined ? at + 1 : at;
}

function requireOnePlace({ position, before, after, note }: EntryMove): void {
  const places = [position, before, after].filter((each) => each !== undefined).length;
  if (places === 1 || (places === 0 && note !== undefined)) return;
  const code = places === 0 ? "place_missing" : "place_ambiguous";
  throw new InputError(`${places} places were given`, { code, facts: { given: places } });
}

/** An entry of a list, where the list has buttons for it. */
export interface ListedEntry {
  readonly playlist: string;
  readonly item: string;
  readonly title: string;
  /** From 1. */
  readonly place: number;
}

const moving = {
  by: "anyone",
  method,
  uses: ["channels.list", "playlists.list", "playlistItems.list"],
} as const;

export const openMoveForm = action<ListedEntry>({
  ...moving,
  name: "playlists.move-form",
  answer: "form",
  form: ({ words }, entry) =>
    form({
      title: words.say("playlists.move.title"),
      intro: words.md("playlists.move.intro", { title: entry.title, place: entry.place }),
      isReturned: true,
      fields: [
        {
          name: "position",
          label: words.say("playlists.move.position"),
          description: words.say("playlists.move.position_about"),
          maxLength: 20,
        },
      ],
      submit: moveListed.press(entry),
    }),
});

export const moveListed = action<ListedEntry>({
  ...moving,
  name: "playlists.move-listed",
  answer: "private",
  run: (ctx, { playlist, item }, { fields }) => {
    const position = readPlace(fields.position ?? "", ctx.words.say("playlists.move.position"));
    return moveEntry(ctx, { playlist, item, position });
  },
});
