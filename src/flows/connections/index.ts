/** What `/connect` shows and changes of the guild's connections and settings. */
export { channelActions, linkedChannels } from "./channels.ts";
export { askToDisconnect, channelNamed, disconnect, kinds, selector } from "./disconnect.ts";
export {
  beginLink,
  confirmLink,
  declineLink,
  grantGone,
  linkPending,
  reconnect,
  tokenActions,
  tokenForm,
} from "./link.ts";
export { chooseNotices, clearNotices } from "./notices.ts";
export { type MappedRank, mappedRanks, mappedRoles, withRole } from "./roles.ts";
export { connectionStatus, localTime } from "./status.ts";
