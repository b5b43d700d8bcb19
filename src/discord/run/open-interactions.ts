import type { APIInteraction } from "discord.js";
import { backOffMs, withTimeout } from "../../clock.ts";
import type { Log } from "../../log.ts";
import { type OpenInteraction, type Store, storeUnavailable } from "../../store/index.ts";
import { type RankedRequester, requireOwn } from "../access/authorise.ts";
import type { ReceivedInteraction } from "./received-interaction.ts";
import type { RunningHandlers } from "./running-handlers.ts";

/** Interactions that are on record from before the acknowledgement until they are answered, in the database. */
export interface OpenInteractions {
  /** Whether other processes may receive the same interactions, and go on with those of this one. */
  readonly isShared: boolean;
  /** Whether this process goes on, of all that have received it. @throws ServiceError `store_unavailable` */
  claim(received: ReceivedInteraction): Promise<boolean>;
  /** Forgets what was asked. Never throws: where the database fails, it tries again later. */
  close(received: ReceivedInteraction): Promise<void>;
  /**
   * Whether no other open interaction carries out what has that name; none can until this one is closed.
   * @throws ServiceError `store_unavailable`
   */
  holdOnce(received: ReceivedInteraction, name: string): Promise<boolean>;
  /**
   * Asks whichever process answers it to stop; whether it is still open.
   * @throws AccessError `not_yours`; ServiceError `store_unavailable`
   */
  cancel(id: string, requester: Pick<RankedRequester, "guildId" | "userId">): Promise<boolean>;
  /** Stops looking for what other processes want cancelled. */
  stop(): void;
}

/** What is stored of an interaction. */
export interface InteractionRequest {
  readonly interaction: APIInteraction;
  readonly arrivedAt: number;
  /** It was too long: what it asked is missing, and only its person can be told. */
  readonly isCut?: true;
}

interface OpenInteractionsDeps {
  readonly interactions: Store["interactions"];
  readonly isShared: boolean;
  readonly processId: string;
  readonly running: Pick<RunningHandlers, "ids" | "stop">;
  readonly log: Log;
  readonly now: () => number;
}

/** The first answer is due 2.3 s after the arrival, and the requester has to be read after this. */
const claimMs = 1_200;
/** How often other processes' wishes to cancel are looked for. */
const cancelEveryMs = 1_000;
/** An open interaction is no longer of use to anybody after 15 minutes. */
const closeTries = 10;
const closeWaits = { firstMs: 1_000, longestMs: 60_000, jitter: 0.5 };
/** A menu brings a whole message along; most interactions have some 2,000 characters. */
const maxRequestLength = 65_536;

export function createOpenInteractions(deps: OpenInteractionsDeps): OpenInteractions {
  const { interactions, processId, log } = deps;
  const timer = deps.isShared
    ? setInterval(() => void stopCancelled(deps), cancelEveryMs).unref()
    : undefined;

  async function close(id: string, failures = 0): Promise<void> {
    try {
      await interactions.close(id);
    } catch (error) {
      if (failures === 0) log.warn("an interaction was not closed", { interaction: id, error });
      if (failures >= closeTries) return;
      const waitMs = backOffMs(failures + 1, closeWaits);
      setTimeout(() => void close(id, failures + 1), waitMs).unref();
    }
  }

  return {
    isShared: deps.isShared,
    async claim(received) {
      const { id, guild_id: guildId } = received.interaction;
      const claiming = interactions.claim({ id, guildId, processId, request: requestOf(received) });
      try {
        return await withTimeout(() => claiming, { timeoutMs: claimMs });
      } catch (error) {
        // Its person is told now, so nobody may go on with it if it was claimed after all.
        claiming.then((isOurs) => (isOurs ? close(id) : undefined)).catch(() => undefined);
        throw storeUnavailable(error);
      }
    },
    close: ({ interaction }) => close(interaction.id),
    holdOnce: ({ interaction }, name) => interactions.holdOnce(interaction.id, name),
    async cancel(id, requester) {
      const open = await interactions.read(id);
      const request = open && requestIn(open);
      if (request === undefined) return false;
      const { guild_id: guildId = "", member } = request.interaction;
      requireOwn({ guildId, userId: member?.user.id ?? "" }, requester);
      return interactions.cancel(id);
    },
    stop: () => clearInterval(timer),
  };
}

/** Stops work of this process that was cancelled where another process answered. */
async function stopCancelled({ interactions, processId, running, log }: OpenInteractionsDeps) {
  if (running.ids().length === 0) return;
  try {
    for (const id of await interactions.cancelled(processId)) running.stop(id);
  } catch (error) {
    log.debug("cancelled interactions could not be read", { error });
  }
}

/** An `InteractionRequest` as JSON. */
function requestOf({ interaction, arrivedAt }: ReceivedInteraction): string {
  const request = JSON.stringify({ interaction, arrivedAt });
  if (request.length <= maxRequestLength) return request;
  // A message that a menu was opened on, or what was typed into a form.
  const { data: _, message: _2, ...others } = interaction as { data?: unknown; message?: unknown };
  return JSON.stringify({ interaction: others, arrivedAt, isCut: true });
}

/** What was asked, as `claim` stored it; undefined if no key opens it. */
export function requestIn({ request }: OpenInteraction): InteractionRequest | undefined {
  return request === undefined ? undefined : JSON.parse(request);
}
