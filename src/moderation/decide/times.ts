/** How long a decision can be taken back for certain. */
export const undoMs = 8_000;

/** What is due waits so long for others of its kind, because a call for one costs as much as a call for fifty. */
export const gatherMs = 4_000;

/** While more of its kind are still to become due, it waits up to so long for them. */
export const longestGatherMs = 16_000;

/** Facts: ids of one call. */
export const idsOfCall = 50;

/** Longest that one batch may be on its way, searches for bad ids included. */
export const callMs = 60_000;

/** How long the link and the standing of units may take to be read. */
export const askMs = 30_000;

/** How comments stand is told a little late (facts, section 7). */
export const firstLookMs = 1_500;
