/** Times that people type: read in the server's time zone, which the answer names and offers to set. */
export { momentText, readMoment } from "./moment.ts";
export { timeZoneNote, withTimeZone } from "./note.ts";
export { openZoneForm, timeZoneActions } from "./set-zone.ts";
