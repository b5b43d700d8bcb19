import type { ServerSettings } from "../../store/index.ts";
import { createAudit } from "../audit.ts";
import type { ModerationRoom } from "../room.ts";
import { nextSummaryAt } from "./next-summary.ts";
import { summariseWeek, type WeekSummary } from "./summarise-week.ts";

/** Each server has one job in this queue while it wants a weekly summary. */
const summaryQueue = "moderation.summary";

/** The weekly summary of one server, which its settings turn on (`GuildSettings.summary`). */
export function createSummaries(room: ModerationRoom, guildId: string) {
  const { database, jobs } = room;
  return {
    /** The last seven days, up to now. */
    lastWeek: (): Promise<WeekSummary> => summariseWeek(createAudit(room, guildId), database.now()),
    /**
     * Saves settings, and moves the job to the time that they say, whatever time it had, in one transaction. Returns that
     * time; undefined if the settings have no summary.
     */
    schedule: (save: () => Promise<ServerSettings>) =>
      database.transaction(async () => {
        const { summary, timeZone } = await save();
        if (summary === undefined) return undefined;
        const dueAt = nextSummaryAt(summary.weekday, database.now(), timeZone);
        await jobs.put({ queue: summaryQueue, key: guildId, guildId, dueAt, isPostponed: true });
        return dueAt;
      }),
  };
}

/** Posts the summary of the week that ends when the job is due, so that a repeated job posts the same facts. */
export function handleSummaryQueue(room: ModerationRoom): void {
  const options = { concurrency: 2, perServer: 1, timeoutMs: 60_000 } as const;
  room.jobs.handle(summaryQueue, options, async ({ guildId, dueAt }) => {
    if (guildId === undefined) return undefined;
    const { summary, timeZone } = await room.settings(guildId);
    if (summary === undefined) return undefined;
    const { weekday, ...place } = summary;
    const week = await summariseWeek(createAudit(room, guildId), dueAt);
    await room.notify({ name: "week-summary", facts: { guildId, ...place, week } });
    return nextSummaryAt(weekday, room.database.now(), timeZone);
  });
}
