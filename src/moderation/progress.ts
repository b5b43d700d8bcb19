import type { WatchProgress } from "../store/index.ts";

/** Of a watch that was not looked at yet. */
export const blankProgress: WatchProgress = { idlePolls: 0, troubles: {} };
