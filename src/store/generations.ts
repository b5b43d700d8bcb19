import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";
import { ServiceError } from "../errors.ts";
import type { Guard } from "./swap.ts";

/**
 * A server's records belong to one generation of it, which erasing the server ends. Every write of such a record is made
 * only while its generation lasts, so that whatever was under way leaves nothing, in this process or in another.
 */
export interface Generations {
  /** What a write of that server's records depends on: the generation of the work that it is part of, else the present one. */
  guardFor(guildId: string): Promise<Guard>;
  /** Does a work whose writes for that server end with its present generation; it begins when that is read. */
  runFor<T>(guildId: string, work: () => Promise<T>): Promise<T>;
  /** The same for what a person waits for: it begins at once. */
  answerFor<T>(guildId: string, work: () => Promise<T>): Promise<T>;
  /** From here on no write of the present generation arrives; the next write begins another one. */
  end(guildId: string): Promise<void>;
}

interface Records {
  get(guildId: string): Promise<unknown>;
  delete(guildId: string): Promise<unknown>;
}

interface Work {
  readonly guildId: string;
  readonly guard: Promise<Guard>;
}

export function createGenerations(records: Records): Generations {
  const works = new AsyncLocalStorage<Work>();

  async function read(guildId: string): Promise<Guard> {
    const value = await records.get(guildId);
    return {
      key: `generation:${guildId}`,
      text: value === undefined ? undefined : JSON.stringify({ value }),
      fresh: JSON.stringify({ value: randomBytes(8).toString("hex") }),
    };
  }

  function begin(guildId: string): Work {
    const guard = read(guildId);
    // A work that writes nothing never asks for it.
    guard.catch(() => undefined);
    return { guildId, guard };
  }

  return {
    async guardFor(guildId) {
      const work = works.getStore();
      return work?.guildId === guildId ? work.guard : read(guildId);
    },
    async runFor(guildId, work) {
      const begun = begin(guildId);
      // A store that fails tells the work so itself.
      await begun.guard.catch(() => undefined);
      return works.run(begun, work);
    },
    answerFor: async (guildId, work) => works.run(begin(guildId), work),
    end: async (guildId) => void (await records.delete(guildId)),
  };
}

/** A write came after its server was erased. */
export function guildErased(): ServiceError {
  return new ServiceError("the guild was erased while this was under way", {
    code: "guild_erased",
    hint: "Everything stored about this server was erased while this was under way, so this was not saved. Start again.",
  });
}
