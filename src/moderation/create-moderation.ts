import { createAnnounceJob } from "./announce/index.ts";
import { createAudit } from "./audit/index.ts";
import { createDecider } from "./decide/index.ts";
import { createDemandReader, createPace } from "./pace/index.ts";
import type { ModerationOptions } from "./parts.ts";
import { createPoll, createPollJob } from "./poll/index.ts";
import { createQueue } from "./queue.ts";
import { createModerationRecords } from "./records/index.ts";
import { createSavedReplies } from "./replies/index.ts";
import { createJudge, createRules, matches } from "./rules/index.ts";
import { createTroubles } from "./trouble/index.ts";
import type { GuildModeration, Moderation } from "./types.ts";
import { announceQueue, pollQueue, watchQueueOptions } from "./watch-jobs.ts";
import { createWatches } from "./watches.ts";

/** The queues of all guilds. Its work is jobs: made here, done once they are started. */
export function createModeration(options: ModerationOptions): Moderation {
  const { database, jobs, engine } = options;
  const records = createModerationRecords(database, jobs);
  const demand = createDemandReader(records.watches, database);
  const pace = createPace({ ...options, demand });
  const deps = { ...options, records, pace };
  const judge = createJudge(deps);
  const decider = createDecider(deps);
  const troubles = createTroubles(deps);
  const poll = createPoll({
    ...deps,
    matches: (guildId, matching) => matches(engine, guildId, matching),
  });
  jobs.handle(pollQueue, watchQueueOptions, createPollJob({ ...deps, poll, troubles }));
  jobs.handle(
    announceQueue,
    watchQueueOptions,
    createAnnounceJob({ ...deps, judge, decider, troubles }),
  );

  return {
    of: (guildId): GuildModeration => ({
      watches: createWatches({ ...deps, onChange: demand.renew }, guildId),
      queue: createQueue({ records, decider }, guildId),
      rules: createRules(deps, guildId),
      audit: createAudit(deps, guildId),
      replies: createSavedReplies(deps, guildId),
    }),
    load: records.comments.load,
    forget: judge.forget,
  };
}
