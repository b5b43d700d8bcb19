import type { APIInteraction } from "discord.js";
import type { Log } from "../../log.ts";
import { interactionFault } from "../wire/interaction-shape.ts";
import type { Dispatch } from "./dispatch.ts";

export interface ReceiveDeps {
  /** Resolves when the commands are loaded; interactions that come before wait for it. */
  readonly dispatch: Promise<Dispatch>;
  /** Whether new work is begun at all. */
  readonly mayBegin: () => boolean;
  readonly log: Log;
  readonly now: () => number;
}

/** Where interactions come in: the first that looks at them, and the last that hears of a fault. */
export interface Receive {
  readonly take: (interaction: unknown) => void;
  /** Resolves when the interaction of this id has been dealt with; at once for ids that are not under way. */
  settled(interactionId: string): Promise<void>;
  underWay(): readonly Promise<void>[];
}

export function createReceive({ dispatch, mayBegin, log, now }: ReceiveDeps): Receive {
  const underWay = new Map<string, Promise<void>>();

  return {
    take(raw) {
      if (!mayBegin()) return;
      const at = interactionFault(raw);
      if (at !== undefined) {
        // Only where: what stands there may hold a token.
        log.warn("a malformed interaction is dropped", { at });
        return;
      }
      // A field that is read anywhere has to be in that shape.
      const interaction = raw as APIInteraction;
      const { id } = interaction;
      const arrivedAt = now();
      const work = dispatch
        .then((deal) => deal(interaction, arrivedAt))
        .catch((error: unknown) => log.error("an interaction was lost", { interaction: id, error }))
        .finally(() => underWay.delete(id));
      underWay.set(id, work);
    },
    settled: (interactionId) => underWay.get(interactionId) ?? Promise.resolve(),
    underWay: () => [...underWay.values()],
  };
}
