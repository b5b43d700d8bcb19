import { InputError } from "../../errors.ts";
import type { Method } from "../../video/index.ts";
import type { Suggest } from "../declare/suggest.ts";
import { type ChannelRef, channelOf, kindOf, playlistOf, videoOf } from "../draw/links.ts";
import { dates, futureDates, pastDates } from "../suggestions/dates.ts";
import { durations } from "../suggestions/durations.ts";
import { lastOf } from "../suggestions/last-of.ts";
import { type FieldType, type Place, specOf } from "./row-fields.ts";

/** A file that a person attached, as Discord describes it. Nothing of it is to be believed before its bytes are read. */
export interface Attachment {
  readonly id: string;
  readonly filename: string;
  readonly size: number;
  readonly url: string;
  readonly content_type?: string;
}

export interface Choice<T extends string | number = string | number> {
  readonly name: string;
  readonly value: T;
}

/** What reading a value may lean on. */
export interface Reading {
  readonly now: number;
  /** The person's language. */
  readonly tag: string;
  /** IANA name; UTC when the guild has set none. */
  readonly timeZone: string;
}

/**
 * One option of a command: what Discord takes and what becomes of its value. Its name and description in each
 * language are `<command>.command.<subcommand>.options.<option>` in the message files, or `options.<option>`.
 */
export interface Option<T = unknown> {
  readonly type: "string" | "integer" | "number" | "boolean" | "attachment" | "role";
  readonly required: boolean;
  /** Values to choose from; their labels are `choices.<group>.<value>`. */
  readonly choices?: { readonly group: string; readonly values: readonly string[] };
  readonly min?: number;
  readonly max?: number;
  readonly suggest?: Suggest;
  /** Parameter or body field of the row that it sets. */
  readonly covers?: string;
  /** Turns the value as Discord sends it into the parameter. @throws InputError */
  readonly parse: (value: unknown, name: string) => T;
  /** What can only be read when the guild's settings are known. @throws InputError */
  readonly read?: (value: string, name: string, reading: Reading) => Promise<T>;
}

interface Spec {
  readonly required?: true;
  readonly suggest?: Suggest;
  /** Parameter or body field of the row that it sets, so that `extra` does not offer it. */
  readonly covers?: string;
}

/** Absent options are undefined unless they are required. */
type Given<S, T> = Option<S extends { required: true } ? T : T | undefined>;

export type OptionsOf<O extends Readonly<Record<string, Option>>> = {
  readonly [K in keyof O]: O[K] extends Option<infer T> ? T : never;
};

// The cast is the one place where "required" moves from a value into a type.
function make<S extends Spec, T>(spec: S, rest: Omit<Option<T>, "required">) {
  const { required, suggest, covers } = spec;
  const given = { ...(suggest && { suggest }), ...(covers !== undefined && { covers }) };
  return { required: required === true, ...given, ...rest } as unknown as Given<S, T>;
}

const asIs = <T>(value: unknown): T => value as T;

/** What people take for nothing: spaces of any kind, and letters without a shape. */
const unseen = /^[\s\p{Cc}\p{Cf}\u115f\u1160\u2800\u3164\uffa0]*$/u;

/** A text that holds something. Of blanks a service makes nothing, and erases what stood there. */
function written(value: unknown, name: string): string {
  const text = String(value);
  if (!unseen.test(text)) return text;
  throw new InputError(`option ${name} is blank`, {
    code: "option_blank",
    hint: `The option “${name}” holds nothing but blanks. Write something, or leave it out.`,
    facts: { option: name },
  });
}

/** At most this many things at once (facts: ids of one call). */
const mostIds = 50;

export const option = {
  text: <const S extends Spec & { min?: number; max?: number }>(spec: S) =>
    make<S, string>(spec, { type: "string", parse: written, ...range(spec) }),

  /** One of fixed values; labels are `choices.<group>.<value>`. */
  choice: <const S extends Spec & { readonly group: string; readonly values: readonly string[] }>(
    spec: S,
  ) =>
    make<S, S["values"][number]>(spec, {
      type: "string",
      parse: asIs,
      choices: { group: spec.group, values: spec.values },
    }),

  integer: <const S extends Spec & { min?: number; max?: number }>(spec: S) =>
    make<S, number>(spec, { type: "integer", parse: asIs, ...range(spec) }),

  flag: <const S extends Spec>(spec: S) => make<S, boolean>(spec, { type: "boolean", parse: asIs }),

  attachment: <const S extends Spec>(spec: S) =>
    make<S, Attachment>(spec, { type: "attachment", parse: asIs }),

  /** A role's id. */
  role: <const S extends Spec>(spec: S) =>
    make<S, string>(spec, { type: "role", parse: (value) => String(value) }),

  /** A video's id, from its link or id. */
  video: <const S extends Spec>(spec: S) =>
    make<S, string>(spec, { type: "string", parse: reading(videoOf, "video") }),

  /** Up to 50 videos, from links or ids between spaces, commas or lines; each once. */
  videos: <const S extends Spec>(spec: S) =>
    make<S, readonly string[]>(severally(spec, videoOf), {
      type: "string",
      parse: several(videoOf, "video"),
    }),

  /** A playlist's id, from its link or id. */
  playlist: <const S extends Spec>(spec: S) =>
    make<S, string>(spec, { type: "string", parse: reading(playlistOf, "playlist") }),

  playlists: <const S extends Spec>(spec: S) =>
    make<S, readonly string[]>(severally(spec, playlistOf), {
      type: "string",
      parse: several(playlistOf, "playlist"),
    }),

  /** A channel, from its link, @handle or id; `findChannel` resolves it. */
  channel: <const S extends Spec>(spec: S) =>
    make<S, ChannelRef>(spec, { type: "string", parse: reading(channelOf, "channel") }),

  channels: <const S extends Spec>(spec: S) =>
    make<S, readonly ChannelRef[]>(severally(spec, channelOf), {
      type: "string",
      parse: several(channelOf, "channel"),
    }),

  /**
   * An id that only the service gives out, such as a comment's or a section's: picked from suggestions, or pasted.
   * A link that carries it works too (`lc=` for comments).
   */
  id: <const S extends Spec & { readonly of: string }>(spec: S) =>
    make<S, string>(spec, { type: "string", parse: reading(idIn(spec.of), spec.of) }),

  ids: <const S extends Spec & { readonly of: string }>(spec: S) =>
    make<S, readonly string[]>(severally(spec), {
      type: "string",
      parse: several(idIn(spec.of), spec.of),
    }),

  /** Texts between commas; each once. */
  words: <const S extends Spec & { max?: number }>(spec: S) =>
    make<S, readonly string[]>(spec, {
      type: "string",
      parse: (value, name) => [...new Set(piecesOf(written(value, name), /[,\n]/u))],
      ...range(spec),
    }),

  /** A moment as people write it: `tomorrow 18:00`, `in 3 days`, `2026-12-24 20:00`; the guild's time zone. */
  date: <const S extends Spec & { readonly must?: "future" | "past" }>(spec: S) =>
    make<S, Date>(
      { suggest: momentsFor(spec.must), ...spec },
      {
        type: "string",
        parse: asIs,
        read: async (value, name, reading) => {
          const { readDate } = await import("./dates.ts");
          return readDate(value, { option: name, must: spec.must, ...reading });
        },
      },
    ),

  /** Milliseconds, of a length as people write it: `90s`, `1:30`, `2 min`. */
  duration: <const S extends Spec>(spec: S) =>
    make<S, number>(
      { suggest: durations, ...spec },
      {
        type: "string",
        parse: asIs,
        read: async (value, name) => {
          const { readDuration } = await import("./dates.ts");
          return readDuration(value, name);
        },
      },
    ),

  /** A colour as `#rrggbb`, from a name or from hexadecimal digits. */
  color: <const S extends Spec>(spec: S) =>
    make<S, string>(spec, {
      type: "string",
      parse: reading(colorOf, "color", { names: Object.keys(colors).join(", ") }),
    }),

  /** `latitude,longitude` in degrees. */
  location: <const S extends Spec>(spec: S) =>
    make<S, string>(spec, { type: "string", parse: reading(locationOf, "location") }),

  /** A distance with its unit, like `50km`; at most 1,000 kilometres (facts, search.list locationRadius). */
  radius: <const S extends Spec>(spec: S) =>
    make<S, string>(spec, { type: "string", parse: reading(radiusOf, "radius") }),

  /** A country's code of two letters, which is also what its suggestions give. */
  country: <const S extends Spec>(spec: S) =>
    make<S, string>(spec, { type: "string", parse: reading(countryOf, "country") }),

  /** A time zone by its IANA name, or by its city alone. */
  timeZone: <const S extends Spec>(spec: S) =>
    make<S, string>(spec, { type: "string", parse: reading(timeZoneOf, "time_zone") }),

  /** A language's code, which is also what its suggestions give. */
  language: <const S extends Spec>(spec: S) =>
    make<S, string>(spec, { type: "string", parse: reading(languageOf, "language") }),

  /**
   * A parameter or body field of a row, with all that the row knows about it: choices, bounds, length. Choices are
   * labelled `choices.<group>`, the place's last name unless `group` says otherwise.
   */
  field: <M extends Method, const P extends Place<M>, const S extends Spec & { group?: string }>(
    method: M,
    place: P,
    spec: S = {} as S,
  ) => {
    const { suggest, required } = spec;
    const base = { covers: place, ...(suggest && { suggest }), ...(required && { required }) };
    type T = FieldType<M, P>;
    return fieldOption(method, place, base, spec.group) as unknown as Given<S, T>;
  },
} as const;

function fieldOption(method: Method, place: string, base: Spec, group?: string): Option {
  const fact = specOf(method, place);
  if (fact.enum !== undefined) {
    return option.choice({
      ...base,
      group: group ?? place.slice(place.lastIndexOf(".") + 1),
      values: fact.enum,
    });
  }
  switch (fact.type) {
    case "integer":
      return option.integer({ ...base, ...range(fact) });
    case "boolean":
      return option.flag(base);
    case "datetime":
      return option.date(base);
    case "strings":
      return option.words(base);
    default:
      return option.text({
        ...base,
        ...(fact.maxChars === undefined ? {} : { max: Math.min(fact.maxChars, longestText) }),
      });
  }
}

/** Discord's longest string option (facts/discord.md: Limits). */
const longestText = 6000;

/** Colours that are known by name. */
export const colors = {
  white: "#ffffff",
  black: "#000000",
  grey: "#808080",
  red: "#e53935",
  orange: "#fb8c00",
  yellow: "#fdd835",
  green: "#43a047",
  blue: "#1e88e5",
  purple: "#8e24aa",
  pink: "#ec407a",
} as const;

function colorOf(text: string): string | undefined {
  const word = text.trim().toLowerCase().replace("gray", "grey");
  const named = Object.entries(colors).find(([name]) => name === word);
  if (named !== undefined) return named[1];
  const [, digits] = /^#?((?:[0-9a-f]{3}){1,2})$/u.exec(word) ?? [];
  if (digits === undefined) return undefined;
  return digits.length === 6 ? `#${digits}` : `#${digits.replace(/./gu, "$&$&")}`;
}

function locationOf(text: string): string | undefined {
  const [, latitude, longitude] =
    /^(-?\d{1,2}(?:\.\d+)?)\s*[,;\s]\s*(-?\d{1,3}(?:\.\d+)?)$/u.exec(text.trim()) ?? [];
  if (Math.abs(Number(latitude)) > 90 || Math.abs(Number(longitude)) > 180) return undefined;
  return latitude === undefined ? undefined : `${latitude},${longitude}`;
}

const meters: Readonly<Record<string, number>> = { m: 1, km: 1000, ft: 0.3048, mi: 1609.344 };

function radiusOf(text: string): string | undefined {
  const [, length, unit = ""] = /^(\d+(?:\.\d+)?)\s*(m|km|ft|mi)$/u.exec(text.trim()) ?? [];
  const metersAway = Number(length) * (meters[unit] ?? 0);
  return metersAway > 0 && metersAway <= 1_000_000 ? `${length}${unit}` : undefined;
}

function countryOf(text: string): string | undefined {
  const code = text.trim().toUpperCase();
  if (!/^[A-Z]{2}$/u.test(code) || code === "ZZ") return undefined;
  const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
  return names.of(code) === undefined ? undefined : code;
}

function timeZoneOf(text: string): string | undefined {
  const wanted = text.trim().toLowerCase().replaceAll(" ", "_");
  const zones = [...Intl.supportedValuesOf("timeZone"), "UTC"];
  const exact = zones.find((zone) => zone.toLowerCase() === wanted);
  return exact ?? zones.find((zone) => zone.toLowerCase().endsWith(`/${wanted}`));
}

function languageOf(text: string): string | undefined {
  const trimmed = text.trim();
  return /^[a-z]{2,3}(?:-[a-z\d]{2,8}){0,2}$/iu.test(trimmed) ? trimmed : undefined;
}

/** Comments' ids have 26 characters; shorter words were never meant as one. */
const shortestCommentId = 12;

/** An id of the service's own making: no spaces, and as it stands in a link when it was pasted as one. */
function idIn(of: string): (text: string) => string | undefined {
  return (text) => {
    const trimmed = text.trim();
    const [, linked] = of === "comment" ? (/[?&]lc=([\w.-]+)/u.exec(trimmed) ?? []) : [];
    const id = linked ?? trimmed;
    const isLong = id.length >= (of === "comment" ? shortestCommentId : 2);
    const isId = isLong && /^[\w.=-]{2,200}$/u.test(id) && kindOf(id) === undefined;
    return isId ? id : undefined;
  };
}

/** Its suggestions are about the last of the values. */
function severally<S extends Spec>(spec: S, isOne: (text: string) => unknown = () => undefined): S {
  const { suggest } = spec;
  return suggest === undefined ? spec : { ...spec, suggest: lastOf(suggest, isOne) };
}

function momentsFor(must: "future" | "past" | undefined): Suggest {
  if (must === undefined) return dates;
  return must === "future" ? futureDates : pastDates;
}

function piecesOf(text: string, between: RegExp): readonly string[] {
  return text
    .split(between)
    .map((piece) => piece.trim())
    .filter(Boolean);
}

type Facts = Readonly<Record<string, string>>;

function reading<T>(read: (text: string) => T | undefined, wanted: string, facts: Facts = {}) {
  return (value: unknown, name: string): T => {
    const text = String(value);
    const result = read(text);
    if (result !== undefined) return result;
    throw unreadable(name, wanted, text, facts);
  };
}

function several<T>(read: (text: string) => T | undefined, wanted: string) {
  const one = reading(read, wanted);
  return (value: unknown, name: string): readonly T[] => {
    const pieces = [...new Set(piecesOf(String(value), /[\s,;|]+/u))];
    const read = pieces.map((piece) => one(piece, name));
    const distinct = [...new Map(read.map((each) => [JSON.stringify(each), each])).values()];
    if (distinct.length === 0) throw unreadable(name, wanted, "", {});
    if (distinct.length > mostIds) throw tooMany(name, distinct.length);
    return distinct;
  };
}

/** What was given instead is named when it is something else that can be recognised. */
function unreadable(name: string, wanted: string, text: string, facts: Facts): InputError {
  const given = kindOf(text);
  const known = given !== undefined && given !== wanted;
  return new InputError(`option ${name} is not a ${wanted}${known ? ` but a ${given}` : ""}`, {
    code: known ? "id_kind" : "option_unreadable",
    hint: `The option “${name}” takes a ${wanted}. Choose one of the suggestions, or paste its link or id.`,
    facts: { option: name, wanted, ...(known && { given }), ...facts },
  });
}

function tooMany(name: string, count: number): InputError {
  return new InputError(`option ${name} has ${count} values`, {
    code: "too_many_values",
    hint: `Give at most ${mostIds} at once.`,
    facts: { option: name, most: mostIds, count },
  });
}

function range(spec: { readonly min?: number; readonly max?: number }) {
  return {
    ...(spec.min === undefined ? {} : { min: spec.min }),
    ...(spec.max === undefined ? {} : { max: spec.max }),
  };
}
