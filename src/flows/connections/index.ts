import type { FlowAction } from "../declarations/index.ts";
import { linkedChannelActions } from "./channels.ts";
import { disconnect } from "./disconnect.ts";
import { saveKey } from "./keys.ts";
import {
  confirmLink,
  declineLink,
  grantGoneEvent,
  linkPendingEvent,
  reconnectAction,
  tokenActions,
} from "./link.ts";
import { clearNotices, clearRegion } from "./settings.ts";

/** What `/connect` does: the server's keys and linked channels, and its settings. */
export { showLinkedChannels } from "./channels.ts";
export { credentialKinds, disconnectChosen } from "./disconnect.ts";
export { keyForm } from "./keys.ts";
export { beginLink, tokenForm } from "./link.ts";
export { chooseNotices, chooseRegion, mappedRanks, mapRole } from "./settings.ts";
export { showConnectionStatus } from "./status.ts";

export const connectionActions: readonly FlowAction<never>[] = [
  saveKey,
  clearRegion,
  reconnectAction,
  confirmLink,
  declineLink,
  disconnect,
  clearNotices,
  ...tokenActions,
  ...linkedChannelActions,
];

export const connectionEvents = [linkPendingEvent, grantGoneEvent] as const;
