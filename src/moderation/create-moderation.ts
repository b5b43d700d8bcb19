import { createAnnounceJob } from "./announce/announce-job.ts";
import { createAudit } from "./audit.ts";
import { createDecider } from "./decide/index.ts";
import { createDemandReader, createPace } from "./pace/index.ts";
import type { ModerationOptions } from "./parts.ts";
import { createPoll, createPollJob } from "./poll/index.ts";
import { createQueue } from "./queue.ts";
import { createModerationRecords } from "./records/index.ts";
import { createJudge, createRules, matches } from "./rules/index.ts";
import { createSavedReplies } from "./saved-replies.ts";
import { createTroubles } from "./trouble/index.ts";
import { announceQueue, pollQueue, watchQueueOptions } from "./watch-jobs.ts";
import { createWatches } from "./watches.ts";

export type Moderation = ReturnType<typeof createModeration>;

/** The queue of one guild. All of it throws ServiceError `store_unavailable`. */
export type GuildModeration = ReturnType<Moderation["of"]>;

/** The queues of all guilds that this process serves. Its work is jobs: made here, done once they are started. */
export function createModeration(options: ModerationOptions) {
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
    of: (guildId: string) => ({
      watches: createWatches({ ...deps, onChange: demand.renew }, guildId),
      queue: createQueue({ records, decider }, guildId),
      rules: createRules(deps, guildId),
      audit: createAudit(deps, guildId),
      replies: createSavedReplies(deps, guildId),
    }),
    /** Of all servers: comments that wait for people, and decisions that are to be sent. */
    load: records.comments.load,
    /** Lets go of what is remembered of a guild whose records are to be erased. */
    forget: engine.forget,
  };
}
