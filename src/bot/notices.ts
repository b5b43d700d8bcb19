import { createHash } from "node:crypto";
import type { Discord } from "../discord/index.ts";
import type { JobData, Jobs } from "../jobs/index.ts";

/** What was not asked for at that moment, by the name of its event. */
export interface Notification {
  readonly name: string;
  /** JSON; `guildId` in it says whose it is. */
  readonly facts: unknown;
}

interface NoticesDeps {
  readonly jobs: Pick<Jobs, "handle" | "put">;
  /** Made later: it needs what tells. */
  readonly discord: Promise<Pick<Discord, "tell">>;
}

const queue = "notices";
const queueOptions = { concurrency: 4, perServer: 2, timeoutMs: 60_000, mostTries: 10 } as const;

/** Tells people what they have to know, also when the process ends between the cause and its message. */
export function createNotices({ jobs, discord }: NoticesDeps) {
  jobs.handle(queue, queueOptions, async ({ data }) => {
    const { name, facts } = data as unknown as Notification;
    await (await discord).tell({ name, facts });
    return undefined;
  });

  return {
    /** Part of the transaction that is under way, so that it belongs to its cause. @throws ServiceError `store_unavailable`; `guild_erased`. */
    async tell({ name, facts }: Notification): Promise<void> {
      const { guildId } = facts as { readonly guildId: string };
      const hash = createHash("sha256").update(JSON.stringify(facts)).digest("hex").slice(0, 32);
      const data = { name, facts } as unknown as JobData;
      await jobs.put({ queue, key: `${name}:${guildId}:${hash}`, guildId, data });
    },
  };
}
