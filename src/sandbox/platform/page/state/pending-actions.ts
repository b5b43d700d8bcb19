import type { ActionOutcome, PageState, PendingAction } from "./page-state.ts";

/** Enough for every event that can overtake the answer to its act. */
const maxOutcomes = 50;

/** Adds something under way; an earlier failure on the same message makes room for it. */
export function addPending(state: PageState, waiting: PendingAction): PageState {
  const kept = state.waiting.filter(
    (other) => other.failed === undefined || other.messageId !== waiting.messageId,
  );
  return { ...state, waiting: [...kept, waiting] };
}

/** Binds the answered id; the interaction may be over already. */
export function bindPending(state: PageState, key: string, interactionId: string): PageState {
  const waiting = state.waiting.map((one) => (one.key === key ? { ...one, interactionId } : one));
  const outcome = state.outcomes.find((one) => one.interactionId === interactionId);
  const next = { ...state, waiting };
  return outcome ? endPending(next, outcome) : next;
}

/** The act itself was refused or did not arrive. */
export function failPending(state: PageState, key: string, failed: string): PageState {
  const waiting = state.waiting.map((one) => (one.key === key ? { ...one, failed } : one));
  return { ...state, waiting };
}

export function endPending(state: PageState, outcome: ActionOutcome): PageState {
  const known = state.waiting.some((one) => one.interactionId === outcome.interactionId);
  const outcomes = [...state.outcomes, outcome].slice(-maxOutcomes);
  if (!known) return { ...state, outcomes };
  const waiting = state.waiting.flatMap((one) => {
    if (one.interactionId !== outcome.interactionId) return [one];
    return outcome.failed === undefined ? [] : [{ ...one, failed: outcome.failed }];
  });
  return { ...state, outcomes, waiting };
}
