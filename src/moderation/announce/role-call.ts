import type { PartOptions } from "../parts.ts";
import type { QueueAt } from "./outgoing-card.ts";
import { mayPing } from "./pings.ts";

/** The role that is called with the first message of a run. */
export interface RoleCall {
  /** Undefined where nobody is to be called now, or somebody was. */
  roleId(): Promise<string | undefined>;
  /** A message that calls it was left. */
  made(): void;
  /** A call that a failed message took with it goes with the next one. @throws ServiceError `store_unavailable`. */
  end(): Promise<void>;
}

export function createRoleCall(
  { records, settings, database }: Pick<PartOptions, "records" | "settings" | "database">,
  { guildId, watch }: QueueAt,
): RoleCall {
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
    async roleId() {
      if (isMade) return undefined;
      role ??= read();
      return role;
    },
    made: () => {
      isMade = true;
    },
    async end() {
      if (isMade || (await role?.catch(() => undefined)) === undefined) return;
      await records.watches.changeProgress(guildId, id, (stored) => ({
        ...stored,
        owesPing: true,
      }));
    },
  };
}
