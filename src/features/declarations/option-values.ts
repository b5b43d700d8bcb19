import { splitPieces, typedText } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import {
  listedEntries,
  listedValues,
  readBareId,
  readCommentId,
  readLinkKind,
  readVideoRef,
  videosIn,
  withoutLabels,
} from "../../video-links/index.ts";

/** The most values of one option: docs/services/youtube.md#ids-of-one-call */
const mostIds = 50;

export function parseLocation(text: string): string | undefined {
  const [, latitude, longitude] =
    /^(-?\d{1,2}(?:\.\d+)?)(?:\s*[,;]\s*|\s+)(-?\d{1,3}(?:\.\d+)?)$/u.exec(text.trim()) ?? [];
  if (Math.abs(Number(latitude)) > 90 || Math.abs(Number(longitude)) > 180) return undefined;
  return latitude === undefined ? undefined : `${latitude},${longitude}`;
}

const meters: Readonly<Record<string, number>> = { m: 1, km: 1000, ft: 0.3048, mi: 1609.344 };

export function parseRadius(text: string): string | undefined {
  const [, length, unit = ""] = /^(\d+(?:\.\d+)?)\s*(m|km|ft|mi)$/u.exec(text.trim()) ?? [];
  const metersAway = Number(length) * (meters[unit] ?? 0);
  return metersAway > 0 && metersAway <= 1_000_000 ? `${length}${unit}` : undefined;
}

/** Ids that only YouTube gives out. Those of comments have 26 characters, so short words can't be one. */
const idShapes: Readonly<Record<string, RegExp>> = {
  comment: /^[\w.=-]{12,200}$/u,
  // Today they have up to two digits.
  category: /^\d{1,6}$/u,
  subscription: /^[\w=-]{12,200}$/u,
  entry: /^[\w=-]{12,200}$/u,
};
const anyId = /^[\w.=-]{2,200}$/u;

/** The longest id of a video, channel or playlist, including albums; a longer text only begins like one. */
const longestKnownId = 41;

/** Reads an id that YouTube gave out, from a pasted link too. */
export function idIn(of: string): (text: string) => string | undefined {
  return (text) => {
    const linked = of === "comment" ? readCommentId(text) : undefined;
    const id = linked ?? readBareId(text) ?? "";
    if (!(idShapes[of] ?? anyId).test(id)) return undefined;
    return id.length > longestKnownId || readLinkKind(id) === undefined ? id : undefined;
  };
}

/** @param wanted - what the option takes, as messages select it; it may depend on what was typed */
export function readWith<T>(
  read: (text: string) => T | undefined,
  wanted: string | ((text: string) => string),
) {
  return (value: unknown, name: string): T => {
    const text = String(value);
    const result = read(text);
    if (result !== undefined) return result;
    throw unreadable(name, typeof wanted === "string" ? wanted : wanted(text), text);
  };
}

/** @param readOne - also learns whether the value stands alone between commas or lines */
export function readSeveral<T>(
  readOne: (text: string, isAlone: boolean) => T | undefined,
  wanted: string,
) {
  return (value: unknown, name: string): readonly T[] => {
    const read = listedEntries(String(value)).flatMap((words) => {
      const one = (word: string) => readOne(word, words.length === 1);
      // A number beside values that are none is that of a list.
      const values = words.filter((word) => !/^\d{1,3}$/u.test(word) || one(word) !== undefined);
      return (values.length === 0 ? words : values).map((word) =>
        readWith(one, wanted)(word, name),
      );
    });
    const distinct = [...new Map(read.map((each) => [JSON.stringify(each), each])).values()];
    if (distinct.length === 0) throw unreadable(name, wanted, String(value));
    if (distinct.length > mostIds) throw tooMany(name, distinct.length);
    return distinct;
  };
}

/** A place in a list: from 1, or one of its ends. */
export type ListPlace = number | "top" | "bottom";

/** What people type for the ends of a list, in the languages of the bot. */
const ends = {
  top: "top first start oben anfang arriba inicio haut début 先頭 一番上".split(" "),
  bottom: "bottom last end unten ende abajo final bas fin 末尾 一番下".split(" "),
} as const;

export function parsePlace(text: string): ListPlace | undefined {
  const typed = text.normalize("NFKC").trim().toLowerCase();
  if (/^[1-9]\d{0,5}$/u.test(typed)) return Number(typed);
  return (["top", "bottom"] as const).find((end) => ends[end].includes(typed));
}

/** @throws InputError `option_unreadable` */
export function readPlace(text: string, name: string): ListPlace {
  return readWith(parsePlace, "position")(text, name);
}

/** The videos of a pasted list. */
export interface PastedVideos {
  readonly ids: readonly string[];
  /** Entries, as they were typed, that name no video. */
  readonly unread: readonly string[];
}

/**
 * Reads the videos of a list as people paste it: beside a link or id there may be a number or a title, whose words are ids
 * only if nothing else is there. Entries that name no video are handed back.
 * @throws InputError `option_unreadable` or `id_kind` if no entry names a video
 */
export function readPastedVideos(value: unknown, name: string): PastedVideos {
  const text = String(value);
  const entries = splitPieces(withoutLabels(text), betweenPasted).map((entry) => {
    const values = listedValues(entry);
    if (!mayName.test(entry)) return { ids: [], unread: values.length > 0 ? [entry] : [] };
    const hasOnlyIds =
      values.every((value) => readVideoRef(value) !== undefined) && videosIn(entry).length === 0;
    const words = splitPieces(entry, /\s+/u).filter((word) => mayName.test(word));
    const read = words.map((word) => ({
      word,
      ids: listedValues(word).flatMap((one) =>
        mayName.test(one) && (hasOnlyIds || readLinkKind(one) === "video")
          ? (readVideoRef(one) ?? [])
          : [],
      ),
    }));
    const ids = read.flatMap((one) => one.ids);
    if (ids.length === 0) return { ids, unread: values.length > 0 ? [entry] : [] };
    // Words that are meant to name something, not those of a title beside it.
    const others = read.filter(
      ({ word, ids }) =>
        ids.length === 0 && (word.includes("://") || readLinkKind(word) !== undefined),
    );
    return { ids, unread: others.map(({ word }) => word) };
  });
  const ids = [...new Set(entries.flatMap((entry) => entry.ids))];
  if (ids.length === 0) throw unreadable(name, "video", text);
  return { ids, unread: [...new Set(entries.flatMap(({ unread }) => unread))] };
}

/** Without the ideographic comma, which separates a link from the sentence around it. */
const betweenPasted = /[,;|\n，；]+/u;

/** What ids, handles and addresses have; most words of a title have none of it. */
const mayName = /[\w-]{11}|@|\w\.\w|:\/\//u;

/** The error names what was given instead, if that can be recognised. */
function unreadable(name: string, wanted: string, text: string): InputError {
  const kind = readLinkKind(text);
  const known = kind !== undefined && kind !== wanted;
  const typed = typedText(text);
  const count = videosIn(text).length;
  if (wanted === "video" && count > 1) return tooMany(name, count, 1);
  return new InputError(`option ${name} is not a ${wanted}${known ? ` but a ${kind}` : ""}`, {
    code: known ? "id_kind" : "option_unreadable",
    facts: { option: name, wanted, given: known ? kind : typed, typed },
  });
}

function tooMany(name: string, count: number, most = mostIds): InputError {
  return new InputError(`option ${name} has ${count} values`, {
    code: "too_many_values",
    facts: { option: name, most, count },
  });
}
