/** The record of what was decided about comments. */
export { auditActs, logActions, openLog } from "./log.ts";
