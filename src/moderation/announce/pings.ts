import type { PartOptions, QueueAt } from "../parts.ts";
import type { WatchPing } from "../records/index.ts";

export type RoleCall = ReturnType<typeof createRoleCall>;

/** The role that is called with the first message of a run. */
export function createRoleCall(
  { records, settings, database }: PartOptions,
  { guildId, watch }: QueueAt,
) {
  const { ping: wanted, id } = watch;
  let role: Promise<string | undefined> | undefined;
  let isMade = false;

  /** Written down first, so that nobody is called twice. */
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
    /** Undefined where nobody is to be called now, or somebody was. */
    async roleId(): Promise<string | undefined> {
      if (isMade) return undefined;
      role ??= read();
      return role;
    },
    /** A message that calls it was left. */
    made: () => {
      isMade = true;
    },
    /** A call that a failed message took with it goes with the next one. @throws ServiceError `store_unavailable`. */
    async end(): Promise<void> {
      if (isMade || (await role?.catch(() => undefined)) === undefined) return;
      await records.watches.changeProgress(guildId, id, (stored) => ({
        ...stored,
        owesPing: true,
      }));
    },
  };
}

const zones = new Map<string, Intl.DateTimeFormat>();

/** Whether a role may be called now. `pingedAt`: when it was called last. */
export function mayPing(
  { gapMs, quiet }: WatchPing,
  {
    now,
    pingedAt,
    timeZone,
  }: {
    readonly now: number;
    readonly pingedAt: number | undefined;
    readonly timeZone: string | undefined;
  },
): boolean {
  if (pingedAt !== undefined && now - pingedAt < gapMs) return false;
  return quiet === undefined || !isQuiet(quiet, timeOfDay(now, timeZone ?? "UTC"));
}

/** From the first time of day on, up to the second; over midnight where the second is earlier. */
export function isQuiet({ from, to }: NonNullable<WatchPing["quiet"]>, time: string): boolean {
  if (from === to) return false;
  return from < to ? from <= time && time < to : time >= from || time < to;
}

/** What clocks show there, `22:05`; those of summer in summer. */
export function timeOfDay(now: number, timeZone: string): string {
  return formatOf(timeZone).format(now);
}

/** Making one takes longer than asking it a thousand times. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = zones.get(timeZone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  zones.set(timeZone, made);
  return made;
}
