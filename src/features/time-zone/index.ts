/** Times that people type: read in the server's time zone, which the answer names and offers to set. */
export { openZoneForm, timeZoneActions } from "./set-zone.ts";
export { momentText, readMoment, timeZoneNote, withTimeZone } from "./typed-times.ts";
