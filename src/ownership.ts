import { AsyncLocalStorage } from "node:async_hooks";
import { type Facts, ServiceError } from "./errors.ts";

/** Whether this process still has the work that is under way. */
type OwnershipQuestion = () => Promise<boolean>;

/**
 * Another process has taken the work over, or it was taken back. What it leaves behind is `unknown`, because whoever has the
 * work now may be doing the same: nothing is undone, repeated or marked as free, as if this process had been killed.
 */
export class LostError extends ServiceError<"taken_over"> {
  constructor(message = "this process has lost the work", facts: Facts = {}) {
    super(message, { code: "taken_over", outcome: "unknown", facts });
  }
}

const questions = new AsyncLocalStorage<readonly OwnershipQuestion[]>();

/** An answer that came later than this may be old: the process may have stood still while it waited for it. */
const freshMs = 1_000;
const mostAsked = 5;
/** A write that still waits for a connection after this asks again. */
const goodMs = 5_000;

/**
 * Runs work that others may take over, because a lease can end while its holder lives. Each write to a service asks first
 * (`requireOwned`), so no effect follows a lost lease. Within other such work, both have to be owned.
 */
export function whileOwned<T>(isOwned: OwnershipQuestion, work: () => Promise<T>): Promise<T> {
  return questions.run([...(questions.getStore() ?? []), isOwned], work);
}

/** Runs work that must not end with whoever began it: others of this process wait for it too, or it has an owner of its own. */
export function withoutOwner<T>(work: () => Promise<T>): Promise<T> {
  return questions.run([], work);
}

/**
 * Called right before each try of a write. Answers until when that try may begin, by `performance.now()`; always outside of
 * `whileOwned`.
 * @throws LostError; what the question throws, ServiceError `store_unavailable` above all.
 */
export async function requireOwned(): Promise<number> {
  const asked = questions.getStore() ?? [];
  if (asked.length === 0) return Number.POSITIVE_INFINITY;
  for (let times = 1; times <= mostAsked; times += 1) {
    const askedAt = performance.now();
    const answers = await Promise.all(asked.map((isOwned) => isOwned()));
    if (answers.includes(false)) throw new LostError();
    if (performance.now() - askedAt < freshMs) return askedAt + goodMs;
  }
  throw new ServiceError("who owns the work was answered too late", { code: "store_unavailable" });
}

/** A failure of `requireOwned` before a repeat, where an earlier try may have been carried out; others stay as they are. */
export function asMaybeDone(error: unknown): unknown {
  if (!(error instanceof ServiceError) || error.outcome !== "nothing") return error;
  const { message, code, facts, cause } = error;
  return new ServiceError<string>(message, { code, facts, outcome: "unknown", cause });
}
