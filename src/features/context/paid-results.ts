import type { InteractionContext } from "../../discord/index.ts";
import { deriveHandle, type StoredFiles } from "../../store/index.ts";

/** What remove.bg made and charged for, with what it said about it. */
export interface PaidResult {
  readonly bytes: Buffer;
  /** JSON-shaped. */
  readonly facts: unknown;
  /** Handle for `ctx.kept`. */
  readonly kept: string;
}

/**
 * What one interaction has paid for, by a name that says what was asked. If its process dies, the one that carries the
 * interaction out again finds it, and no second credit is spent. Where one process alone answers, nothing is stored or found.
 */
export type PaidResults = ReturnType<typeof createPaidResults>;

export function createPaidResults({
  guildId,
  interactionId,
  files,
  log,
}: {
  readonly guildId: string;
  readonly interactionId: string;
  readonly files: StoredFiles | undefined;
  readonly log: Pick<InteractionContext["log"], "warn">;
}) {
  const handleOf = (part: "sent" | "facts" | "bytes", name: string) =>
    deriveHandle("paid", guildId, interactionId, part, name);
  const read = async (part: "sent" | "facts" | "bytes", name: string) =>
    files?.get(guildId, handleOf(part, name));
  return {
    /**
     * `sent`: it was sent, and its result is not there; it may have been charged. Undefined if it was not sent.
     * @throws ServiceError `store_unavailable`.
     */
    async find(name: string): Promise<PaidResult | "sent" | undefined> {
      if ((await read("sent", name)) === undefined) return undefined;
      const facts = await read("facts", name);
      const bytes = facts && (await read("bytes", name));
      if (facts === undefined || bytes === undefined) return "sent";
      return { bytes, kept: handleOf("bytes", name), facts: JSON.parse(facts.toString()) };
    },
    /** Notes that it is sent now. @throws ServiceError `store_unavailable`. */
    begin: async (name: string) => files?.put(guildId, handleOf("sent", name), new Uint8Array()),
    /** Notes that nothing was charged for it. Never rejects. */
    async drop(name: string): Promise<void> {
      await files?.remove(guildId, handleOf("sent", name)).catch((error: unknown) => {
        log.warn("an attempt that was not charged stays on record", { error });
      });
    },
    /** Stores a result that has just arrived; resolves with its handle, or undefined where it is not stored. Never rejects. */
    async keep(
      name: string,
      { bytes, facts }: Omit<PaidResult, "kept">,
    ): Promise<string | undefined> {
      if (files === undefined) return undefined;
      const kept = handleOf("bytes", name);
      try {
        await files.put(guildId, kept, bytes);
        // Last, because it says that the whole result is there.
        await files.put(guildId, handleOf("facts", name), Buffer.from(JSON.stringify(facts)));
        return kept;
      } catch (error) {
        log.warn("a paid result is in this process alone", { error });
        return undefined;
      }
    },
  };
}
