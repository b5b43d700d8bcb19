import type { ServerSettings } from "../../store/index.ts";
import { createAudit } from "../audit.ts";
import type { ModerationRoom } from "../room.ts";
import { summariseWeek, type WeekSummary } from "./summarise-week.ts";

const quarterMs = 15 * 60_000;
/** Eight days of quarters of an hour: a day is longer when the clocks change. */
const mostSteps = 8 * 24 * 4;
const hour = 9;

/** Days as ISO 8601 numbers them: 1 is Monday. */
export type Weekday = 1 | 2 | 3 | 4 | 5 | 6 | 7;

const names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;

/** The next 9:00 of that weekday in the server's time zone, after `now`. Milliseconds since the epoch. */
export function nextSummaryAt(weekday: Weekday, now: number, timeZone = "UTC"): number {
  const clock = new Intl.DateTimeFormat("en-US", {
    timeZone,
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  const wanted = `${names[weekday - 1]} ${String(hour).padStart(2, "0")}:00`;
  const first = Math.floor(now / quarterMs) + 1;
  for (let step = 0; step < mostSteps; step += 1) {
    const at = (first + step) * quarterMs;
    const parts = new Map(clock.formatToParts(at).map(({ type, value }) => [type, value]));
    if (`${parts.get("weekday")} ${parts.get("hour")}:${parts.get("minute")}` === wanted) return at;
  }
  throw new RangeError(`no 9:00 within eight days in ${timeZone}`);
}

/** Each server has one job in this queue while it wants a weekly summary. */
const summaryQueue = "moderation.summary";

/** The weekly summary of one server, which its settings turn on (`ServerSettings.summary`). */
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
