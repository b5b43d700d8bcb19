import { BotError, type Outcome, ServiceError } from "../errors.ts";

const untouched =
  "Storage is unavailable right now and nothing was changed. Try again in a minute.";
const unknown =
  "Storage stopped answering, so this may or may not be saved. Look in a minute, and do it again if it is not.";
const partly = "Storage stopped halfway. Run the same command again in a minute to finish it.";

const hints = { nothing: untouched, unknown, part: partly } as const satisfies Record<
  Outcome,
  string
>;

/** Our own errors keep their kind; whatever the database or its driver throws becomes `store_unavailable`. */
export function describeDatabaseFailure(error: unknown, outcome: Outcome = "nothing"): BotError {
  if (error instanceof BotError) return error;
  return new ServiceError("the store's database failed", {
    code: "store_unavailable",
    hint: hints[outcome],
    outcome,
    cause: error,
  });
}

/** A write came after its server, or the watch or feed it belongs to, was erased. */
export function guildErased(cause?: unknown): ServiceError {
  return new ServiceError("the guild was erased while this was under way", {
    code: "guild_erased",
    hint: "Everything stored about this server was erased while this was under way, so this was not saved. Start again.",
    cause,
  });
}
