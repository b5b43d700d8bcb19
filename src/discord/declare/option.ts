import type { Suggest } from "./suggest.ts";
import type { LocalTime } from "./wall-clock.ts";

/** A file that a person attached, as Discord describes it. None of it is certain before its bytes are read. */
export interface Attachment {
  readonly id: string;
  readonly filename: string;
  readonly size: number;
  readonly url: string;
  readonly content_type?: string;
}

/** What a value is read with. */
export interface OptionReading extends LocalTime {
  readonly guildId: string;
}

/**
 * One option of a command: what Discord accepts and how its value is read. Its name and description in each
 * language are `<command>.command.<subcommand>.options.<option>` in the message files, or `options.<option>`.
 */
export interface Option<T = unknown> {
  readonly type:
    | "string"
    | "integer"
    | "number"
    | "boolean"
    | "attachment"
    | "role"
    | "user"
    | "channel";
  readonly required: boolean;
  /** Values to choose from; their labels are `choices.<group>.<value>`. */
  readonly choices?: { readonly group: string; readonly values: readonly string[] };
  readonly min?: number;
  /** For a text its greatest length; `longestOf` has the default. */
  readonly max?: number;
  readonly suggest?: Suggest;
  /** Which channels of the server can be chosen; text and announcement channels when absent. */
  readonly channels?: "posts";
  /** Parameter or body field of the API method that it sets. */
  readonly covers?: string;
  /** Turns the value as Discord sends it into the parameter. @throws InputError */
  readonly parse: (value: unknown, name: string) => T;
  /** Reads what needs the server's settings. @throws InputError */
  readonly read?: (value: string, name: string, reading: OptionReading) => Promise<T>;
}

export type OptionsOf<O extends Readonly<Record<string, Option>>> = {
  readonly [K in keyof O]: O[K] extends Option<infer T> ? T : never;
};
