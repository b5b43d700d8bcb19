import type { Method } from "../../video/index.ts";
import { channelOf, playlistOf, videoOf } from "../draw/links.ts";
import { dates, futureDates, pastDates } from "../suggestions/dates.ts";
import { dayTimes } from "../suggestions/day-times.ts";
import { durations } from "../suggestions/durations.ts";
import { lastOf } from "../suggestions/last-of.ts";
import { readDate, readDuration } from "./dates.ts";
import { readDayTimes } from "./day-times.ts";
import type { Attachment, Option } from "./option.ts";
import {
  countryOf,
  everyoneCalled,
  idIn,
  languageOf,
  locationOf,
  piecesOf,
  radiusOf,
  reading,
  several,
  timeZoneOf,
  written,
} from "./option-values.ts";
import { type FieldType, type Place, specOf } from "./row-fields.ts";
import type { Suggest } from "./suggest.ts";
import {
  type PostChannel,
  readPostChannel,
  readTextChannel,
  type TextChannel,
} from "./text-channel.ts";
import { longestTexts } from "./text-limits.ts";

interface Spec {
  readonly required?: true;
  readonly suggest?: Suggest;
  /** Parameter or body field of the row that it sets, so that `extra` does not offer it. */
  readonly covers?: string;
}

/** Absent options are undefined unless they are required. */
type Given<S, T> = Option<S extends { required: true } ? T : T | undefined>;

// The cast is the one place where "required" moves from a value into a type.
function make<S extends Spec, T>(spec: S, rest: Omit<Option<T>, "required">) {
  const { required, suggest, covers } = spec;
  const given = { ...(suggest && { suggest }), ...(covers !== undefined && { covers }) };
  return { required: required === true, ...given, ...rest } as unknown as Given<S, T>;
}

const asIs = <T>(value: unknown): T => value as T;
const asText = (value: unknown) => String(value);

/** An option that is all but said. */
function one<T>(rest: Omit<Option<T>, "required">) {
  return <const S extends Spec>(spec: S) => make<S, T>(spec, rest);
}

/** An option of a text that is read as one thing. */
function readAs<T>(max: number, parse: Option<T>["parse"]) {
  return one<T>({ type: "string", max, parse });
}

/** The same of several between spaces, commas or lines. */
function severalAs<T>(read: (text: string) => T | undefined, wanted: string) {
  const parse = several(read, wanted);
  return <const S extends Spec>(spec: S) =>
    make<S, readonly T[]>(severally(spec, read), { type: "string", max: longestTexts.any, parse });
}

export const option = {
  text: <const S extends Spec & Range>(spec: S) =>
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

  integer: <const S extends Spec & Range>(spec: S) =>
    make<S, number>(spec, { type: "integer", parse: asIs, ...range(spec) }),

  /** With fractions. */
  number: <const S extends Spec & Range>(spec: S) =>
    make<S, number>(spec, { type: "number", parse: asIs, ...range(spec) }),

  flag: one<boolean>({ type: "boolean", parse: asIs }),
  attachment: one<Attachment>({ type: "attachment", parse: asIs }),

  /** A role's id. */
  role: one<string>({ type: "role", parse: asText }),

  /** A role's id, for calling the people who have it: never everybody. @throws InputError `role_everyone` */
  pingRole: one<string>({
    type: "role",
    parse: asText,
    read: async (value, _, { guildId }) => {
      if (value === guildId) throw everyoneCalled();
      return value;
    },
  }),

  /** A person's id. */
  person: one<string>({ type: "user", parse: asText }),

  /** A text channel of the server. */
  textChannel: one<TextChannel>({ type: "channel", parse: readTextChannel }),

  /** A text or announcement channel of the server, or a forum, for what the bot leaves there; see `requireWritable`. */
  postChannel: one<PostChannel>({ type: "channel", channels: "posts", parse: readPostChannel }),

  /** A video's id, from its link or id. */
  video: readAs(longestTexts.link, reading(videoOf, "video")),
  /** Up to 50 videos, from links or ids between spaces, commas or lines; each once. */
  videos: severalAs(videoOf, "video"),

  /** A playlist's id, from its link or id. */
  playlist: readAs(longestTexts.link, reading(playlistOf, "playlist")),
  playlists: severalAs(playlistOf, "playlist"),

  /** A channel, from its link, @handle or id; `findChannel` resolves it. */
  channel: readAs(longestTexts.link, reading(channelOf, "channel")),
  channels: severalAs(channelOf, "channel"),

  /**
   * An id that only the service gives out, such as a comment's or a section's: picked from suggestions, or pasted.
   * A link that carries it works too (`lc=` for comments).
   */
  id: <const S extends Spec & { readonly of: string }>(spec: S) =>
    readAs(longestTexts.id, reading(idIn(spec.of), spec.of))(spec),

  ids: <const S extends Spec & { readonly of: string }>(spec: S) =>
    make<S, readonly string[]>(severally(spec), {
      type: "string",
      max: longestTexts.any,
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
        ...{ type: "string", max: longestTexts.phrase, parse: asIs },
        read: (value, name, reading) =>
          readDate(value, { option: name, must: spec.must, ...reading }),
      },
    ),

  /** Milliseconds, of a length as people write it: `90s`, `1:30`, `2 min`. */
  duration: <const S extends Spec>(spec: S) =>
    make<S, number>(
      { suggest: durations, ...spec },
      { type: "string", max: longestTexts.phrase, parse: asIs, read: readDuration },
    ),

  /** Two times of day, as people write them: `22:00-07:00`, `10pm-7am`. */
  dayTimes: <const S extends Spec>(spec: S) =>
    readAs(longestTexts.phrase, readDayTimes)({ suggest: dayTimes, ...spec }),

  /** `latitude,longitude` in degrees. */
  location: readAs(longestTexts.phrase, reading(locationOf, "location")),

  /** A distance with its unit, like `50km`; at most 1,000 kilometres (facts, search.list locationRadius). */
  radius: readAs(longestTexts.phrase, reading(radiusOf, "radius")),

  /** A country's code of two letters, which is also what its suggestions give. */
  country: readAs(longestTexts.phrase, reading(countryOf, "country")),

  /** A time zone by its IANA name, or by its city alone. */
  timeZone: readAs(longestTexts.phrase, reading(timeZoneOf, "time_zone")),

  /** A language's code, which is also what its suggestions give. */
  language: readAs(longestTexts.phrase, reading(languageOf, "language")),

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
        ...(fact.maxChars === undefined ? {} : { max: Math.min(fact.maxChars, longestTexts.any) }),
      });
  }
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

type Range = Pick<Option, "min" | "max">;

function range({ min, max }: Range): Range {
  return { ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
}
