import { createHash } from "node:crypto";
import type { Notification } from "../channel-messages.ts";
import type { Discord } from "../discord/index.ts";
import type { JobData, Jobs } from "../jobs/index.ts";

const queue = "notices";
const queueOptions = { concurrency: 4, perServer: 2, timeoutMs: 60_000 } as const;

declare module "../channel-messages.ts" {
  interface NotificationFacts {
    /** Somebody has added the bot to a server. */
    "bot-added": { readonly guildId: string };
  }
}

/**
 * Takes part in the current transaction, so that it is sent only if its cause is stored.
 * @throws ServiceError `store_unavailable`; `guild_erased`.
 */
export type Notifier = (notification: Notification) => Promise<void>;

/** Sends notifications as jobs, so that they are sent even if the process ends right after their cause. */
export function createNotifier(
  jobs: Pick<Jobs, "handle" | "put">,
  discord: Promise<Pick<Discord, "notify">>,
): Notifier {
  jobs.handle(queue, queueOptions, async ({ data }) => {
    const { name, facts } = data as unknown as Notification;
    await (await discord).notify({ name, facts } as Notification);
    return undefined;
  });
  return async ({ name, facts }) => {
    const { guildId } = facts;
    const hash = createHash("sha256").update(JSON.stringify(facts)).digest("hex").slice(0, 32);
    const data = { name, facts } as unknown as JobData;
    await jobs.put({ queue, key: `${name}:${guildId}:${hash}`, guildId, data });
  };
}
