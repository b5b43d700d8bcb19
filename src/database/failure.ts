import { BotError, type Outcome, ServiceError } from "../errors.ts";

/** What an operator has to mend; SQLite's result codes (https://www.sqlite.org/rescode.html). */
const reasons: Readonly<Record<number, string>> = {
  8: "the store's file may not be written",
  10: "the disk of the store's file failed",
  11: "the store's file is damaged: restore it from a backup",
  13: "the disk of the store's file is full",
  26: "the store's file is damaged: restore it from a backup",
};

function reasonOf(error: unknown): string {
  const { errcode = 0 } = (error ?? {}) as { readonly errcode?: number };
  return reasons[errcode % 256] ?? "the store's database failed";
}

/** Our own errors keep their kind; whatever the database or its driver throws becomes `store_unavailable`. */
export function describeDatabaseFailure(error: unknown, outcome: Outcome = "nothing"): BotError {
  if (error instanceof BotError) return error;
  return new ServiceError(reasonOf(error), {
    code: "store_unavailable",
    outcome,
    cause: error,
  });
}

/** A write came after its server, or the watch or feed it belongs to, was erased. */
export function guildErased(cause?: unknown): ServiceError {
  return new ServiceError("the guild was erased while this was under way", {
    code: "guild_erased",
    cause,
  });
}

/** A query that nobody waited for came after the transaction that it was begun in. */
export function transactionOver(): Error {
  return new Error("the transaction that this query is part of is over");
}
