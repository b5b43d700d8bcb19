import type { FeatureAction } from "../declarations/index.ts";
import { finishActions } from "./finish.ts";
import { openReview, reviewActions } from "./review.ts";

/** Going through waiting comments one by one, in a message that only the person sees. */
export const review = {
  open: openReview,
  actions: [...reviewActions, ...finishActions] satisfies readonly FeatureAction<never>[],
};
