import { actions, begin, buttons } from "./hand-over.ts";

/** Hands a picture that was cut out badly over to the service, for its training. */
export const improvement = {
  begin,
  /** Those below a result, as far as the person may. */
  buttons,
  actions,
} as const;
