import type { Job, JobHandler } from "../../jobs/index.ts";
import type { GuildSettings } from "../../store/index.ts";
import { createAudit } from "../audit.ts";
import type { ModerationPartDeps } from "../deps.ts";
import { nextSummaryAt } from "./next-summary.ts";
import { summariseWeek, type WeekSummary } from "./summarise-week.ts";

/** Each server has one job in this queue while it wants a weekly summary. */
export const summaryQueue = "moderation.summary";

export const summaryQueueOptions = { concurrency: 2, perServer: 1, timeoutMs: 60_000 } as const;

export type Summaries = ReturnType<typeof createSummaries>;

/** The weekly summary of one server, which its settings turn on (`GuildSettings.summary`). */
export function createSummaries(deps: ModerationPartDeps, guildId: string) {
  return {
    /** The last seven days, up to now. */
    lastWeek: (): Promise<WeekSummary> =>
      summariseWeek(createAudit(deps, guildId), deps.database.now()),
    /**
     * Saves settings, and moves the job to the time that they say, whatever time it had, in one transaction. Returns that
     * time; undefined if the settings have no summary.
     */
    schedule: (save: () => Promise<GuildSettings>) =>
      deps.database.transaction(async () => {
        const { summary, timeZone } = await save();
        if (summary === undefined) return undefined;
        const dueAt = nextSummaryAt(summary.weekday, deps.database.now(), timeZone);
        await deps.jobs.put({
          queue: summaryQueue,
          key: guildId,
          guildId,
          dueAt,
          isPostponed: true,
        });
        return dueAt;
      }),
  };
}

/** Posts the summary of the week that ends when the job is due, so that a repeated job posts the same facts. */
export function createSummaryJob(deps: ModerationPartDeps): JobHandler {
  return async ({ guildId, dueAt }: Job) => {
    if (guildId === undefined) return undefined;
    const { summary, timeZone } = await deps.settings(guildId);
    if (summary === undefined) return undefined;
    const { weekday, ...place } = summary;
    const week = await summariseWeek(createAudit(deps, guildId), dueAt);
    await deps.notify({ name: "week-summary", facts: { guildId, ...place, week } });
    return nextSummaryAt(weekday, deps.database.now(), timeZone);
  };
}
