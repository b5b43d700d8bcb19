import type { Action } from "../../discord/index.ts";
import { channelActions } from "./channels.ts";
import { disconnect } from "./disconnect.ts";
import { saveKey } from "./keys.ts";
import {
  confirmLink,
  declineLink,
  grantGone,
  linkPending,
  reconnect,
  tokenActions,
} from "./link.ts";
import { clearNotices } from "./notices.ts";
import { clearRegion } from "./region.ts";

/** What `/connect` shows and changes of the guild's connections and settings. */
export { linkedChannels } from "./channels.ts";
export { disconnectChosen, kinds } from "./disconnect.ts";
export { keyForm } from "./keys.ts";
export { beginLink, tokenForm } from "./link.ts";
export { chooseNotices } from "./notices.ts";
export { chooseRegion } from "./region.ts";
export { mappedRanks, mapRole } from "./roles.ts";
export { connectionStatus } from "./status.ts";

export const actions: readonly Action<never>[] = [
  saveKey,
  clearRegion,
  reconnect,
  confirmLink,
  declineLink,
  disconnect,
  clearNotices,
  ...tokenActions,
  ...channelActions,
];

export const events = [linkPending, grantGone] as const;
