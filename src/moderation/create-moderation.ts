import { BotError } from "../errors.ts";
import { createAnnounce, createRedraws } from "./announce/index.ts";
import { createAuditLog, createAuthorBook } from "./audit/index.ts";
import { createDecider } from "./decide/index.ts";
import { createItems } from "./items.ts";
import { createPace, createTakers } from "./pace/index.ts";
import type { ModerationOptions } from "./parts.ts";
import { createPoll } from "./poll/index.ts";
import { createQueue } from "./queue.ts";
import { createSavedReplies } from "./replies/index.ts";
import { createRounds, type Rounds } from "./rounds/index.ts";
import { createJudge, createRules, matches } from "./rules/index.ts";
import { createTroubles, troubleOf } from "./trouble/index.ts";
import type { GuildModeration, Moderation } from "./types.ts";
import { createWatches } from "./watches.ts";

/** Whoever supervises the process gives it ten seconds, and others close after it. */
const closeMs = 3_000;

/** The queues of all guilds that this process serves; `start` begins the work. */
export function createModeration(options: ModerationOptions): Moderation {
  const { store, clock } = options;
  const rows = store.moderation;
  const items = createItems(rows);
  const authors = createAuthorBook(rows, clock.now);
  const audit = createAuditLog(rows);
  const replies = createSavedReplies(rows);
  const takers = createTakers(options);
  const pace = createPace({ ...options, takers: takers.all });
  // Redrawing wakes rounds, which draw.
  const later: { rounds?: Rounds } = {};
  const redraws = createRedraws({
    ...options,
    items,
    history: authors.read,
    wake: (guildId, watchId) => later.rounds?.wake(guildId, watchId),
    onItem: (guildId, item) => later.rounds?.noteItem(guildId, item),
  });
  const shared = { ...options, items, pace, announcer: redraws };
  const decider = createDecider({
    ...shared,
    troubled: (guildId, source, error) => {
      if (isOfAll(error)) later.rounds?.look(guildId, source);
    },
  });
  const judge = createJudge(options);
  const rounds = createRounds({
    ...{ ...shared, decider },
    poll: createPoll({
      ...{ ...shared, authors },
      matches: (guildId, match) => matches(options.engine, guildId, match),
    }),
    announce: createAnnounce({ ...shared, judge, decider, history: authors.read }),
    troubles: createTroubles(options),
  });
  later.rounds = rounds;

  let closing: Promise<void> | undefined;
  const guilds = new Map<string, GuildModeration>();
  const made = (guildId: string): GuildModeration => ({
    watches: createWatches({ ...shared, rounds, decider, onChange: takers.renew }, guildId),
    queue: createQueue({ rows, items, authors, decider }, guildId),
    rules: createRules(options, guildId),
    audit: audit.of(guildId),
    replies: replies.of(guildId),
  });

  return {
    of(guildId) {
      const known = guilds.get(guildId) ?? made(guildId);
      guilds.set(guildId, known);
      return known;
    },
    start: rounds.start,
    load: rounds.load,
    async forget(guildId) {
      guilds.delete(guildId);
      judge.forget(guildId);
      redraws.drop(guildId);
      await rounds.remove(guildId);
      await decider.drop(guildId);
    },
    close() {
      closing ??= patiently(closeMs, [rounds.close(), redraws.close(), decider.close()]);
      return closing;
    },
  };
}

/** Whether polls meet it, too: a look tells, and says it. */
function isOfAll(error: Error): boolean {
  const code = troubleOf(error)?.code;
  return code === "link_broken" || code === "link_missing" || isCode(error, "quota_exceeded");
}

function isCode(error: Error, code: string): boolean {
  return error instanceof BotError && error.code === code;
}

/** The works' end, or the end of our patience with them. */
async function patiently(ms: number, works: readonly Promise<unknown>[]): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([Promise.allSettled(works), enough]);
  clearTimeout(timer);
}
