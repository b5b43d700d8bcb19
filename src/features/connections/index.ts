import type { FeatureAction } from "../declarations/index.ts";
import { timeZoneActions } from "../time-zone/index.ts";
import { linkedChannelActions } from "./channels.ts";
import { chooseToDisconnect, disconnect } from "./disconnect.ts";
import { enterKey, saveKey } from "./keys.ts";
import {
  confirmLink,
  declineLink,
  enterLinkCode,
  grantGoneEvent,
  linkPendingEvent,
  reconnectAction,
  submitLinkCode,
  tokenActions,
} from "./link.ts";
import { clearNotices, clearRegion, noticesHere, noticesThere } from "./settings.ts";

/** What `/connect` does: the server's keys and linked channels, and its settings. */
export { showLinkedChannels } from "./channels.ts";
export { credentialKinds, disconnectChosen, disconnectOptions } from "./disconnect.ts";
export { connectRembg, engineForm, engineOptions } from "./engine.ts";
export { keyForm } from "./keys.ts";
export { beginLink, reconnectAction, tokenForm } from "./link.ts";
export {
  chooseNoticeChannel,
  chooseRegion,
  mapRole,
  regionOptions,
  roleOptions,
} from "./settings.ts";
export { showConnectionStatus } from "./status.ts";

export const connectionActions: readonly FeatureAction<never>[] = [
  enterKey,
  saveKey,
  clearRegion,
  reconnectAction,
  confirmLink,
  enterLinkCode,
  submitLinkCode,
  declineLink,
  chooseToDisconnect,
  disconnect,
  clearNotices,
  noticesHere,
  noticesThere,
  ...timeZoneActions,
  ...tokenActions,
  ...linkedChannelActions,
];

export const connectionEvents = [linkPendingEvent, grantGoneEvent] as const;
