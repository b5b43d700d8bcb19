import { InputError } from "../errors.ts";
import { type ChannelRef, channelOf, playlistOf, videoOf } from "./links.ts";

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

/** Answers suggestions for what was typed so far; at most 25 are shown. */
export type Suggest = (
  typed: string,
  ctx: import("./command.ts").SuggestCtx,
) => Promise<readonly Choice[]>;

/** One option of a command: how Discord shows it and what becomes of its value. */
export interface Option<T = unknown> {
  readonly type: "string" | "integer" | "number" | "boolean" | "attachment";
  readonly description: string;
  readonly required: boolean;
  readonly choices?: readonly Choice[];
  readonly min?: number;
  readonly max?: number;
  readonly suggest?: Suggest;
  /** Turns the value as Discord sends it into the parameter. @throws InputError `option_unreadable`. */
  readonly parse: (value: unknown, name: string) => T;
}

interface Spec {
  readonly description: string;
  readonly required?: true;
}

/** Absent options are undefined unless they are required. */
type Given<S extends Spec, T> = Option<S extends { required: true } ? T : T | undefined>;

export type OptionsOf<O extends Readonly<Record<string, Option>>> = {
  readonly [K in keyof O]: O[K] extends Option<infer T> ? T : never;
};

// The cast is the one place where "required" moves from a value into a type.
function make<S extends Spec, T>(spec: S, rest: Omit<Option<T>, "description" | "required">) {
  const { description, required = false } = spec;
  return { description, required, ...rest } as unknown as Given<S, T>;
}

const asIs = <T>(value: unknown): T => value as T;

export const option = {
  text: <const S extends Spec & { min?: number; max?: number; suggest?: Suggest }>(spec: S) =>
    make<S, string>(spec, { type: "string", parse: asIs, ...range(spec), ...suggestion(spec) }),

  choice: <const S extends Spec & { readonly choices: readonly Choice<string>[] }>(spec: S) =>
    make<S, S["choices"][number]["value"]>(spec, {
      type: "string",
      parse: asIs,
      choices: spec.choices,
    }),

  integer: <const S extends Spec & { min?: number; max?: number }>(spec: S) =>
    make<S, number>(spec, { type: "integer", parse: asIs, ...range(spec) }),

  flag: <const S extends Spec>(spec: S) => make<S, boolean>(spec, { type: "boolean", parse: asIs }),

  attachment: <const S extends Spec>(spec: S) =>
    make<S, Attachment>(spec, { type: "attachment", parse: asIs }),

  /** A video's id, from its link or id. */
  video: <const S extends Spec & { suggest?: Suggest }>(spec: S) =>
    make<S, string>(spec, {
      type: "string",
      parse: reading(videoOf, "a video", "Paste the video's link, or its id of 11 characters."),
      ...suggestion(spec),
    }),

  /** A playlist's id, from its link or id. */
  playlist: <const S extends Spec & { suggest?: Suggest }>(spec: S) =>
    make<S, string>(spec, {
      type: "string",
      parse: reading(playlistOf, "a playlist", "Paste the playlist's link, or its id (PL…)."),
      ...suggestion(spec),
    }),

  /** A channel, from its link, @handle or id. */
  channel: <const S extends Spec & { suggest?: Suggest }>(spec: S) =>
    make<S, ChannelRef>(spec, {
      type: "string",
      parse: reading(channelOf, "a channel", "Give its @handle, its link, or its id (UC…)."),
      ...suggestion(spec),
    }),

  /** A colour as `#rrggbb`, from a name or from hexadecimal digits. */
  color: <const S extends Spec>(spec: S) =>
    make<S, string>(spec, {
      type: "string",
      parse: reading(
        colorOf,
        "a colour",
        `Give #rrggbb, #rgb, or one of: ${Object.keys(colors).join(", ")}.`,
      ),
    }),

  /** A country's code of two letters, which is also what its suggestions give. */
  country: <const S extends Spec & { suggest?: Suggest }>(spec: S) =>
    make<S, string>(spec, {
      type: "string",
      parse: reading(
        countryOf,
        "a country",
        "Choose one of the suggestions, or give its code of two letters, like DE.",
      ),
      ...suggestion(spec),
    }),
} as const;

const colors = {
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

function countryOf(text: string): string | undefined {
  return /^[a-z]{2}$/iu.test(text.trim()) ? text.trim().toUpperCase() : undefined;
}

function reading<T>(read: (text: string) => T | undefined, noun: string, hint: string) {
  return (value: unknown, name: string): T => {
    const result = read(String(value));
    if (result !== undefined) return result;
    throw new InputError(`option ${name} is not ${noun}`, {
      code: "option_unreadable",
      hint,
      facts: { option: name, wanted: noun },
    });
  };
}

function range(spec: { min?: number; max?: number }) {
  return {
    ...(spec.min === undefined ? {} : { min: spec.min }),
    ...(spec.max === undefined ? {} : { max: spec.max }),
  };
}

function suggestion(spec: { suggest?: Suggest }) {
  return spec.suggest === undefined ? {} : { suggest: spec.suggest };
}
