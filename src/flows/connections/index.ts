/** What `/connect` shows and changes of the guild's connections and settings. */
export { channelActions, linkedChannels } from "./channels.ts";
export { askToDisconnect, channelNamed, disconnect, kinds, selector } from "./disconnect.ts";
export { tokenActions, tokenForm } from "./entered.ts";
export { grantGone } from "./grant-gone.ts";
export { beginLink, confirmLink, declineLink, linkPending, reconnect } from "./link.ts";
export { chooseNotices, clearNotices } from "./notices.ts";
export { type MappedRank, mappedRanks, mappedRoles, withRole } from "./roles.ts";
export { connectionStatus, localTime } from "./status.ts";
