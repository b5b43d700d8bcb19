/** The weekly summary for moderators. */

export {
  createSummaries,
  createSummaryJob,
  type Summaries,
  summaryQueue,
  summaryQueueOptions,
} from "./create-summaries.ts";
export { nextSummaryAt, type Weekday } from "./next-summary.ts";
export type { RuleSuggestion } from "./suggest-rules.ts";
export type { DecidedAct, WeekSummary } from "./summarise-week.ts";
