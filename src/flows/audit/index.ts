/** Who decided what about comments, as `/comments log` shows it. */
export { auditActs, logActions, openLog } from "./log.ts";
