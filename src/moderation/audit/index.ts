/** The audit log: who decided what, when and from where. */

export { createAudit } from "./create-audit.ts";
export { aboutComment, aboutDecision, recordEntry } from "./record-entry.ts";
