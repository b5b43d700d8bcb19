import { kindOf, videoOf } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";

/** An entry of a playlist: by its own id, or by the video that it holds. */
export type EntryRef = { readonly itemId: string } | { readonly videoId: string };

/** At most this many things at once (facts: ids of one call). */
export const mostAtOnce = 50;

/**
 * What an option for entries was given: a suggestion's id, or a video's link or id.
 * @throws InputError `option_unreadable`, `id_kind`
 */
export function entryRefOf(text: string, option: string): EntryRef {
  const trimmed = text.trim();
  const videoId = videoOf(trimmed);
  if (videoId !== undefined) return { videoId };
  const given = kindOf(trimmed);
  if (given === undefined && /^[\w=-]{12,200}$/u.test(trimmed)) return { itemId: trimmed };
  throw new InputError(`option ${option} is not an entry of a playlist`, {
    code: given === undefined ? "option_unreadable" : "id_kind",
    hint: `The option “${option}” takes an entry of the playlist. Choose one of the suggestions, or paste the video's link.`,
    facts: { option, wanted: "item", ...(given !== undefined && { given }) },
  });
}

/**
 * Several of them, between spaces, commas or lines; each once.
 * @throws InputError `option_unreadable`, `id_kind`, `too_many_values`
 */
export function entryRefsOf(text: string, option: string): readonly EntryRef[] {
  const pieces = text.split(/[\s,;|]+/u).filter(Boolean);
  const refs = (pieces.length === 0 ? [text] : pieces).map((piece) => entryRefOf(piece, option));
  const distinct = [...new Map(refs.map((ref) => [JSON.stringify(ref), ref])).values()];
  if (distinct.length <= mostAtOnce) return distinct;
  throw new InputError(`option ${option} has ${distinct.length} values`, {
    code: "too_many_values",
    hint: `Give at most ${mostAtOnce} at once.`,
    facts: { option, most: mostAtOnce, count: distinct.length },
  });
}
