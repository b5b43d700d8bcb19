import type { LocalTime } from "./dates.ts";
import type { Suggest } from "./suggest.ts";

/** A file that a person attached, as Discord describes it. Nothing of it is to be believed before its bytes are read. */
export interface Attachment {
  readonly id: string;
  readonly filename: string;
  readonly size: number;
  readonly url: string;
  readonly content_type?: string;
}

/** What reading a value may lean on. */
export interface Reading extends LocalTime {
  readonly guildId: string;
}

/**
 * One option of a command: what Discord takes and what becomes of its value. Its name and description in each
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
  /** Of a text its longest; `longestOf` knows those that have none of their own. */
  readonly max?: number;
  readonly suggest?: Suggest;
  /** Which channels of the server can be chosen; those that messages are read in when absent. */
  readonly channels?: "posts";
  /** Parameter or body field of the row that it sets. */
  readonly covers?: string;
  /** Turns the value as Discord sends it into the parameter. @throws InputError */
  readonly parse: (value: unknown, name: string) => T;
  /** What can only be read when the guild's settings are known. @throws InputError */
  readonly read?: (value: string, name: string, reading: Reading) => Promise<T>;
}

export type OptionsOf<O extends Readonly<Record<string, Option>>> = {
  readonly [K in keyof O]: O[K] extends Option<infer T> ? T : never;
};
