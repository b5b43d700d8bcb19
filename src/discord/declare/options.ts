import { InputError } from "../../errors.ts";
import { isBlank } from "../draw/text.ts";
import { readDate } from "./dates.ts";
import { readDayTimes } from "./day-times.ts";
import { readDuration } from "./durations.ts";
import type { Attachment, Option } from "./option.ts";
import type { Suggest } from "./suggest.ts";
import { dates, dayTimes, durations, futureDates, pastDates } from "./suggested-times.ts";
import {
  type PostChannel,
  readPostChannel,
  readTextChannel,
  type TextChannel,
} from "./text-channel.ts";
import { longestTexts } from "./text-limits.ts";

/** What every option may be declared with. */
export interface OptionSpec {
  readonly required?: true;
  readonly suggest?: Suggest;
  /** What it sets, by the name that its API has for it. */
  readonly covers?: string;
}

/** Absent options are undefined unless they are required. */
export type OptionFor<S, T> = Option<S extends { required: true } ? T : T | undefined>;

// The cast is the one place where "required" moves from a value into a type.
function make<S extends OptionSpec, T>(spec: S, rest: Omit<Option<T>, "required">) {
  const { required, suggest, covers } = spec;
  const given = { ...(suggest && { suggest }), ...(covers !== undefined && { covers }) };
  return { required: required === true, ...given, ...rest } as unknown as OptionFor<S, T>;
}

const asIs = <T>(value: unknown): T => value as T;
const asText = (value: unknown) => String(value);

/** Makes options that need nothing but the common declaration. */
function one<T>(rest: Omit<Option<T>, "required">) {
  return <const S extends OptionSpec>(spec: S) => make<S, T>(spec, rest);
}

/** Makes options of a text of at most `max` characters that `parse` reads. */
export function textOption<T>(max: number, parse: Option<T>["parse"]) {
  return one<T>({ type: "string", max, parse });
}

const datesThatMust = { future: futureDates, past: pastDates };

export const basicOption = {
  text: <const S extends OptionSpec & Range>(spec: S) =>
    make<S, string>(spec, { type: "string", parse: nonBlank, ...range(spec) }),

  /** One of fixed values; labels are `choices.<group>.<value>`. */
  choice: <
    const S extends OptionSpec & { readonly group: string; readonly values: readonly string[] },
  >(
    spec: S,
  ) =>
    make<S, S["values"][number]>(spec, {
      type: "string",
      parse: asIs,
      choices: { group: spec.group, values: spec.values },
    }),

  integer: <const S extends OptionSpec & Range>(spec: S) =>
    make<S, number>(spec, { type: "integer", parse: asIs, ...range(spec) }),

  /** With fractions. */
  number: <const S extends OptionSpec & Range>(spec: S) =>
    make<S, number>(spec, { type: "number", parse: asIs, ...range(spec) }),

  flag: one<boolean>({ type: "boolean", parse: asIs }),
  attachment: one<Attachment>({ type: "attachment", parse: asIs }),

  /** A role's id. */
  role: one<string>({ type: "role", parse: asText }),

  /** A role's id, for pinging its members: never @everyone. @throws InputError `role_everyone` */
  pingRole: one<string>({
    type: "role",
    parse: asText,
    read: async (value, _, { guildId }) => {
      if (value === guildId) {
        throw new InputError("the role of everybody was chosen", { code: "role_everyone" });
      }
      return value;
    },
  }),

  /** A person's id. */
  person: one<string>({ type: "user", parse: asText }),

  /** A text channel of the server. */
  textChannel: one<TextChannel>({ type: "channel", parse: readTextChannel }),

  /** A text or announcement channel of the server, or a forum, that the bot is to post in; see `requireWritable`. */
  postChannel: one<PostChannel>({ type: "channel", channels: "posts", parse: readPostChannel }),

  /** Texts separated as by `listedTexts`. */
  words: <const S extends OptionSpec & { max?: number }>(spec: S) =>
    make<S, readonly string[]>(spec, {
      type: "string",
      parse: (value, name) => {
        const texts = listedTexts(nonBlank(value, name));
        // An empty list erases what was there.
        if (texts.length === 0) throw blank(name);
        return texts;
      },
      ...range(spec),
    }),

  /** A moment as people write it: `tomorrow 18:00`, `in 3 days`, `2026-12-24 20:00`; the server's time zone. */
  date: <const S extends OptionSpec & { readonly must?: "future" | "past" }>(spec: S) =>
    make<S, Date>(
      { suggest: spec.must === undefined ? dates : datesThatMust[spec.must], ...spec },
      {
        type: "string",
        max: longestTexts.phrase,
        parse: asIs,
        read: (value, name, reading) =>
          readDate(value, { option: name, must: spec.must, ...reading }),
      },
    ),

  /** Milliseconds, of a length as people write it: `90s`, `1:30`, `2 min`. */
  duration: <const S extends OptionSpec>(spec: S) =>
    make<S, number>(
      { suggest: durations, ...spec },
      { type: "string", max: longestTexts.phrase, parse: asIs, read: readDuration },
    ),

  /** Two times of day, as people write them: `22:00-07:00`, `10pm-7am`. */
  dayTimes: <const S extends OptionSpec>(spec: S) =>
    textOption(longestTexts.phrase, readDayTimes)({ suggest: dayTimes, ...spec }),
} as const;

type Range = Pick<Option, "min" | "max">;

function range({ min, max }: Range): Range {
  return { ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
}

/** A text that is not blank: services take blanks for an empty text, and erase what was there. */
function nonBlank(value: unknown, name: string): string {
  const text = String(value);
  if (isBlank(text)) throw blank(name);
  return text;
}

function blank(name: string): InputError {
  return new InputError(`option ${name} is blank`, {
    code: "option_blank",
    facts: { option: name },
  });
}

/**
 * The texts between commas, semicolons, tabs and line ends of any script, without blanks, duplicates, and quotes around a
 * text.
 */
export function listedTexts(text: string): readonly string[] {
  const pieces = splitPieces(text, /[,，﹐､、،;；﹔؛\t\n\r\u2028\u2029]/u);
  return [...new Set(pieces.map(bareText).filter((piece) => !isBlank(piece)))];
}

const quotes = ['""', "''", "“”", "„“", "„”", "‘’", "«»", "»«", "「」", "『』", "＂＂"];
/** Not the joiners, which emoji and some scripts end with. */
const unseen = "\u200b\u2060\ufeff";

function bareText(piece: string): string {
  let [start, end] = [0, piece.length];
  while (start < end && unseen.includes(piece[start] ?? "")) start += 1;
  while (end > start && unseen.includes(piece[end - 1] ?? "")) end -= 1;
  const text = piece.slice(start, end).trim();
  const isQuoted = text.length > 2 && quotes.includes(`${text.at(0)}${text.at(-1)}`);
  return isQuoted ? text.slice(1, -1).trim() : text;
}

export function splitPieces(text: string, between: RegExp): readonly string[] {
  return text
    .split(between)
    .map((piece) => piece.trim())
    .filter(Boolean);
}
