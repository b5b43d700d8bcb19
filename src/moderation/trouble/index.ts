/** Notices what keeps a watch from working, and notifies people once when it starts and once when it is over. */

export {
  channelTroubleCodes,
  classifyTrouble,
  isLinkFailure,
  type NoticedTrouble,
  pollTroubleCodes,
  retryDelayMs,
} from "./classify-trouble.ts";
export { createTroubles, type Troubles } from "./create-troubles.ts";
