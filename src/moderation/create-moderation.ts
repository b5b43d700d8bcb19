import { createAnnounceJob } from "./announce/announce-job.ts";
import { createAudit } from "./audit.ts";
import { createAuthorNotes } from "./author-notes.ts";
import { createCommentDecider } from "./decide/index.ts";
import type { ModerationDeps } from "./deps.ts";
import { createEndJob, endQueue } from "./end/index.ts";
import { createAuthorErasure } from "./erase-author.ts";
import { createDemandReader, createPace } from "./pace/index.ts";
import { createPoll, createPollJob } from "./poll/index.ts";
import { createQueue } from "./queue.ts";
import { createModerationRecords } from "./records/index.ts";
import { createJudge, createRules, matchTexts } from "./rules/index.ts";
import { createSavedReplies } from "./saved-replies.ts";
import {
  createSummaries,
  createSummaryJob,
  summaryQueue,
  summaryQueueOptions,
} from "./summary/index.ts";
import { createTroubles } from "./trouble/index.ts";
import { announceQueue, pollQueue, watchQueueOptions } from "./watch-jobs.ts";
import { createWatches } from "./watches.ts";

export type Moderation = ReturnType<typeof createModeration>;

/** Moderation of one guild. Every method throws ServiceError `store_unavailable`. */
export type GuildModeration = ReturnType<Moderation["of"]>;

/** Moderation for all guilds of this process. It registers its jobs; they run once the job queue is started. */
export function createModeration(options: ModerationDeps) {
  const { database, jobs, engine } = options;
  const records = createModerationRecords(database, jobs);
  const demand = createDemandReader(records.watches, database);
  const pace = createPace({ ...options, demand });
  const deps = { ...options, records, pace };
  const judge = createJudge(deps);
  const decider = createCommentDecider(deps);
  const troubles = createTroubles(deps);
  const poll = createPoll({
    ...deps,
    matches: (guildId, matching) => matchTexts(engine, guildId, matching),
  });
  jobs.handle(pollQueue, watchQueueOptions, createPollJob({ ...deps, poll, troubles }));
  jobs.handle(
    announceQueue,
    watchQueueOptions,
    createAnnounceJob({ ...deps, judge, decider, troubles }),
  );
  jobs.handle(endQueue, watchQueueOptions, createEndJob(deps));
  jobs.handle(summaryQueue, summaryQueueOptions, createSummaryJob(deps));

  return {
    of: (guildId: string) => ({
      watches: createWatches({ ...deps, onChange: demand.renew }, guildId),
      queue: createQueue({ records, decider }, guildId),
      rules: createRules(deps, guildId),
      audit: createAudit(deps, guildId),
      notes: createAuthorNotes(deps, guildId),
      authors: createAuthorErasure(deps, guildId),
      replies: createSavedReplies(deps, guildId),
      summaries: createSummaries(deps, guildId),
    }),
    /** For all servers: how many comments wait for people, and how many decisions wait to be sent. */
    load: records.comments.load,
    /** Drops what is in memory about a guild whose records are being erased. */
    forget: engine.forget,
  };
}
