import type { Generated } from "kysely";
import type { firstColumns } from "./migrations/0001-tables.ts";
import type { processColumns } from "./migrations/0002-processes.ts";
import type { noteColumns } from "./migrations/0003-author-notes.ts";
import type { quotaChannelColumns } from "./migrations/0006-quota-channels.ts";
import type { ruleListColumns } from "./migrations/0009-rule-lists.ts";

export type Dialect = "sqlite" | "postgres";

type ColumnDefinitions = typeof firstColumns &
  typeof processColumns &
  typeof noteColumns &
  typeof quotaChannelColumns &
  typeof ruleListColumns;

type ColumnValue<Sql> = Sql extends `${"word" | "text"}${string}`
  ? string
  : Sql extends `bytes${string}`
    ? Uint8Array
    : number;

type ColumnOf<Sql> = Sql extends "serial" | `${string} default ${string}`
  ? Generated<ColumnValue<Sql>>
  : Sql extends `${string} ${"not null" | "primary key"}${string}`
    ? ColumnValue<Sql>
    : ColumnValue<Sql> | null;

/**
 * Every table and its columns, as the migrations make them; a later migration's changes have to be repeated here. What
 * is listed, filtered, sorted or counted has a column of its own; the rest of a record is JSON in `data`. Times are
 * milliseconds since the epoch, flags are 0 or 1.
 */
export type Tables = {
  readonly [Name in keyof ColumnDefinitions]: {
    readonly [Column in keyof ColumnDefinitions[Name]]: ColumnOf<ColumnDefinitions[Name][Column]>;
  };
} & {
  readonly removals: { readonly parent: "servers" | "watches" | "feeds" };
  readonly servers: { readonly changes: Generated<number> };
  readonly interactions: { readonly is_answered: Generated<number> };
  /** The author's YouTube channel. */
  readonly held_comments: { readonly author_id: string | null };
};
