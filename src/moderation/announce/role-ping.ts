import type { WatchPing } from "../records/index.ts";
import type { ModerationRoom, ServerWatch } from "../room.ts";

export type RolePing = ReturnType<typeof createRolePing>;

/** Pings the watch's role with the first message of a run. */
export function createRolePing(
  { records, settings, database }: ModerationRoom,
  { guildId, watch }: ServerWatch,
) {
  const { ping: wanted, id } = watch;
  let role: Promise<string | undefined> | undefined;
  let isMade = false;

  /** Stored before the ping is sent, so that nobody is pinged twice. */
  async function read(): Promise<string | undefined> {
    if (wanted === undefined) return undefined;
    const { timeZone } = await settings(guildId);
    const now = database.now();
    let may = false;
    await records.watches.changeProgress(guildId, id, (stored) => {
      const { owesPing, ...rest } = stored;
      may = owesPing ?? mayPing(wanted, { now, pingedAt: stored.pingedAt, timeZone });
      return may ? { ...rest, pingedAt: owesPing ? (stored.pingedAt ?? now) : now } : stored;
    });
    return may ? wanted.roleId : undefined;
  }

  return {
    /** The role to ping with the next message; undefined if there is none, or it was pinged already. */
    async roleId(): Promise<string | undefined> {
      if (isMade) return undefined;
      role ??= read();
      return role;
    },
    /** Call this when a message with the ping was posted. */
    markPinged: () => {
      isMade = true;
    },
    /** If the message with the ping failed, stores that a ping is still owed. @throws ServiceError `store_unavailable`. */
    async end(): Promise<void> {
      if (isMade || (await role?.catch(() => undefined)) === undefined) return;
      await records.watches.changeProgress(guildId, id, (stored) => ({
        ...stored,
        owesPing: true,
      }));
    },
  };
}

interface PingTimes {
  readonly now: number;
  readonly pingedAt: number | undefined;
  readonly timeZone: string | undefined;
}

/** Whether the role may be pinged now. `pingedAt`: when it was last pinged. */
export function mayPing(
  { gapMs, quiet }: WatchPing,
  { now, pingedAt, timeZone }: PingTimes,
): boolean {
  if (pingedAt !== undefined && now - pingedAt < gapMs) return false;
  return quiet === undefined || !isQuiet(quiet, timeOfDay(now, timeZone ?? "UTC"));
}

/** Whether a time of day lies between two others; the range spans midnight if it ends earlier than it starts. */
export function isQuiet({ from, to }: NonNullable<WatchPing["quiet"]>, time: string): boolean {
  if (from === to) return false;
  return from < to ? from <= time && time < to : time >= from || time < to;
}

/** Cached, because creating a format costs as much as a thousand uses. */
const formats = new Map<string, Intl.DateTimeFormat>();
const timeStyle = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;

/** The time of day in a time zone, such as `22:05`, with daylight saving time. */
export function timeOfDay(now: number, timeZone: string): string {
  const format =
    formats.get(timeZone) ?? new Intl.DateTimeFormat("en-GB", { timeZone, ...timeStyle });
  formats.set(timeZone, format);
  return format.format(now);
}
