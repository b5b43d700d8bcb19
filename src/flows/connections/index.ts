/** What `/connect` shows of the guild's connections and settings. */
export { type MappedRank, mappedRanks, mappedRoles, withRole } from "./roles.ts";
export { connectionStatus, localTime } from "./status.ts";
