import { BotError, type Outcome, ServiceError } from "../errors.ts";
import type { Read } from "./types.ts";

const untouched =
  "Storage is unavailable right now and nothing was changed. Try again in a minute.";
const doubtful =
  "Storage stopped answering, so this may or may not be saved. Look in a minute, and do it again if it is not.";
const halfway = "Storage stopped halfway. Run the same command again in a minute to finish it.";

/** The store's own failures keep their kind; whatever the database or its driver throws becomes `store_unavailable`. */
export function explainFailure(error: unknown, outcome: Outcome = "nothing"): BotError {
  if (error instanceof BotError) return error;
  return new ServiceError("the store's database failed", {
    code: "store_unavailable",
    hint: outcome === "nothing" ? untouched : halfway,
    outcome,
    cause: error,
  });
}

/** Of a write whose answer never came: it may have been done. */
export function lostAnswer(cause: unknown): ServiceError {
  return new ServiceError("the store's database did not answer a write", {
    code: "store_unavailable",
    hint: doubtful,
    outcome: "unknown",
    cause,
  });
}

/** Runs a read so that it always has one of the three answers. */
export async function answer<T>(read: () => Promise<T | undefined>): Promise<Read<T>> {
  try {
    const value = await read();
    return value === undefined ? { state: "absent" } : { state: "found", value };
  } catch (error) {
    return { state: "failed", error: explainFailure(error) };
  }
}

/** Runs a write; what it throws is a `BotError` that says whether anything was changed. */
export async function change<T>(write: () => Promise<T>, outcome: Outcome = "nothing"): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw explainFailure(error, outcome);
  }
}
