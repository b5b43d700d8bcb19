import { actions, begin, buttons } from "./hand-over.ts";

/** Handing a picture that was cut badly over to the service. */
export const improvement = {
  begin,
  /** What the reply with a cut-out offers, as far as the person may. */
  buttons,
  actions,
} as const;
