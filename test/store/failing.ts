import type { KyselyPlugin } from "kysely";
import { type Database, toDatabaseError } from "../../src/database/index.ts";

export interface Failing {
  readonly database: Database;
  /** How many calls failed. */
  readonly failed: () => number;
}

/** As the drivers throw it. */
const failure = (message: string) => toDatabaseError(new Error(message));

/**
 * A database in which a share of the calls fails: statements always after they were carried out; transactions and
 * look-ups of servers half of the time before.
 */
export function failing(database: Database, rate: () => number, random: () => number): Failing {
  let failed = 0;

  const isFailing = () => {
    const fails = random() < rate();
    if (fails) failed += 1;
    return fails;
  };

  async function perhaps<T>(work: () => Promise<T>): Promise<T> {
    const fails = isFailing();
    if (fails && random() < 0.5) throw failure("the database did not answer");
    const done = await work();
    if (fails) throw failure("the database's answer was lost");
    return done;
  }

  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (isFailing()) throw failure("the database's answer was lost");
      return result;
    },
  };

  const { servers } = database;
  return {
    failed: () => failed,
    database: {
      ...database,
      db: database.db.withPlugin(plugin),
      transaction: (work) => perhaps(() => database.transaction(work)),
      ping: () => perhaps(database.ping),
      servers: {
        ...servers,
        find: (guildId) => perhaps(() => servers.find(guildId)),
        need: (guildId) => perhaps(() => servers.need(guildId)),
      },
    },
  };
}
