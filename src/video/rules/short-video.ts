import { durationSeconds } from "../../clock.ts";
import type { Video } from "../resources/index.ts";

/** No field names a Short, only its length and shape: docs/services/youtube.md#shorts */
const maxShortSeconds = 180;

/** YouTube states the shape of the player only if a largest size is given. It must be square, to fit tall and wide. */
export const playerBounds = { maxWidth: 720, maxHeight: 720 } as const;

/** Parts that show whether a video is a Short; request them with `playerBounds`. */
export const shortVideoParts = ["contentDetails", "player"] as const;

/** Whether a video is a Short, by `shortVideoParts`; false for a video that is still being processed. */
export function isShortVideo({ player, contentDetails }: Video): boolean {
  const { embedHeight, embedWidth } = player ?? {};
  const isTall = embedHeight !== undefined && Number(embedHeight) >= Number(embedWidth);
  const seconds = durationSeconds(contentDetails?.duration);
  return isTall && seconds !== undefined && seconds <= maxShortSeconds;
}
