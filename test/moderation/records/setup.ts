import { afterAll, describe, onTestFinished } from "vitest";
import { type Database, openDatabase } from "../../../src/database/index.ts";
import type { NewJob } from "../../../src/jobs/index.ts";
import type { HeldComment, Watch } from "../../../src/moderation/index.ts";
import { toItemId } from "../../../src/moderation/index.ts";
import {
  createModerationRecords,
  type ModerationRecords,
} from "../../../src/moderation/records/index.ts";
import { kinds } from "../../support/databases/each-kind.ts";
import type { Kind } from "../../support/databases/kinds.ts";

export const guildId = "111111111111111111";
export const otherGuildId = "222222222222222222";
export const start = Date.UTC(2026, 10, 21, 12);

/** Records in a database of their own. */
export interface Stage {
  readonly database: Database;
  readonly records: ModerationRecords;
  /** Jobs that were put. */
  readonly wanted: NewJob[];
  /** Stores an open comment, and first its watch if that does not exist. */
  hold(n: number, change?: Partial<HeldComment>): Promise<HeldComment>;
}

/** States the facts on every kind of database; kinds that this machine lacks are skipped by name. */
export function onEachDatabase(facts: (open: () => Promise<Stage>) => void): void {
  for (const { name, make } of kinds) {
    describe.skipIf(make === undefined)(`on ${name}`, () => {
      let kind: Kind | undefined;
      afterAll(() => kind?.stop());
      facts(async () => {
        kind ??= make?.();
        if (kind === undefined) throw new Error(`there is no ${name} here`);
        return openStage((await kind.fresh()).url);
      });
    });
  }
}

async function openStage(url: string): Promise<Stage> {
  const database = await openDatabase({ url, now: () => start });
  onTestFinished(() => database.close());
  const wanted: NewJob[] = [];
  const records = createModerationRecords(database, { put: async (job) => void wanted.push(job) });
  return {
    database,
    records,
    wanted,
    async hold(n, change = {}) {
      const comment = { ...heldOf(n), ...change };
      await records.watches.change(
        guildId,
        comment.watchId,
        (stored) => stored ?? watchOf(comment),
      );
      await records.comments.addAll(guildId, [comment]);
      return comment;
    },
  };
}

export function heldOf(n: number): HeldComment {
  const id = `comment-${n}`;
  return {
    id: toItemId(id),
    watchId: "a".repeat(16),
    source: "UCown",
    comment: {
      id,
      text: `Held ${n}`,
      authorId: "UCposy",
      authorName: "Posy Larkin",
      likes: 0,
      publishedAt: start + n,
      updatedAt: start + n,
      state: "heldForReview",
    },
    seenAt: start,
    readAt: start,
    status: "open",
    revision: 1,
    card: { state: "posted", handle: "h".repeat(22), since: start },
  };
}

function watchOf({ watchId, source }: HeldComment): Watch {
  return {
    id: watchId,
    channelId: "400000000000000001",
    source,
    states: ["heldForReview"],
    paceMs: 60_000,
    digestFrom: 8,
    addedBy: "300000000000000001",
    addedAt: start,
  };
}
