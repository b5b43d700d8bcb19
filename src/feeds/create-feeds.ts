import { createBudget } from "./budget.ts";
import { createGuildFeeds } from "./guild-feeds.ts";
import { createMemories } from "./memory.ts";
import { createOutbox } from "./outbox.ts";
import type { FeedsOptions } from "./parts.ts";
import { createHub } from "./push/receive.ts";
import { createSubscribe } from "./push/subscription.ts";
import { createRound } from "./round.ts";
import { createRows } from "./rows.ts";
import { createRunner } from "./runner.ts";
import { createSwitch } from "./switch-off.ts";
import type { Feeds } from "./types.ts";

/** Announcements in all guilds that this process serves; `start` begins the work. */
export function createFeeds(options: FeedsOptions): Feeds {
  const rows = createRows(options.store);
  const parts = { ...options, rows };
  const memories = createMemories(rows);
  const budget = createBudget(parts);
  const look = createRound({
    ...{ ...parts, memories, intervalOf: budget.intervalOf },
    outbox: createOutbox(parts),
    switch: createSwitch(parts),
    subscribe: createSubscribe(parts),
  });
  const round: typeof look = (ref, asked) =>
    options.store.guilds.runFor(ref.guildId, () => look(ref, asked));
  const runner = createRunner({ ...parts, budget, round });
  return {
    of: (guildId) => createGuildFeeds({ ...parts, runner, budget }, guildId),
    hub: createHub({ ...parts, runner }),
    start: runner.start,
    forget: runner.dropGuild,
    close: runner.close,
  };
}
