import type { Generated } from "kysely";
import type { firstColumns } from "./migrations/0001-tables.ts";

export type Dialect = "sqlite" | "postgres";

type Made = typeof firstColumns;

type ValueOf<Sql> = Sql extends `${"word" | "text"}${string}` ? string : number;

type ColumnOf<Sql> = Sql extends "serial" | `${string} default ${string}`
  ? Generated<ValueOf<Sql>>
  : Sql extends `${string} ${"not null" | "primary key"}${string}`
    ? ValueOf<Sql>
    : ValueOf<Sql> | null;

/**
 * Every table and its columns, as the migrations make them: what a later one changes is said here too. What is listed,
 * filtered, sorted or counted has a column of its own; the rest of a record is JSON in `data`. Times are milliseconds since
 * the epoch, flags are 0 or 1.
 */
export type Tables = {
  readonly [Name in keyof Made]: {
    readonly [Column in keyof Made[Name]]: ColumnOf<Made[Name][Column]>;
  };
} & { readonly removals: { readonly parent: "servers" | "watches" | "feeds" } };
