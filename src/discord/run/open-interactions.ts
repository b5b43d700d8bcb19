import type { APIInteraction } from "discord.js";
import { backOffMs, withTimeout } from "../../clock.ts";
import type { Log } from "../../log.ts";
import {
  type InteractionOwner,
  type OpenInteraction,
  type Store,
  storeUnavailable,
} from "../../store/index.ts";
import { type RankedRequester, requireOwn } from "../access/authorise.ts";
import type { RecordedAnswer } from "./deliver.ts";
import type { ReceivedInteraction } from "./received-interaction.ts";
import type { RunningHandlers } from "./running-handlers.ts";

/** Interactions that are on record from before the acknowledgement until they are answered, in the database. */
export interface OpenInteractions {
  /** Whether other processes may receive the same interactions, and go on with those of this one. */
  readonly isShared: boolean;
  /** Whether this process goes on, of all that have received it. @throws ServiceError `store_unavailable` */
  claim(received: ReceivedInteraction): Promise<boolean>;
  /**
   * Puts its answer on record; whether it may be sent: this process still has it, and no other answer is on record.
   * @throws ServiceError `store_unavailable`
   */
  record(received: ReceivedInteraction, answer: RecordedAnswer): Promise<boolean>;
  /** Takes an answer back that Discord did not accept. @throws ServiceError `store_unavailable` */
  retract(received: ReceivedInteraction): Promise<void>;
  /** Whether this process still has it. @throws ServiceError `store_unavailable` */
  isOwned(received: ReceivedInteraction): Promise<boolean>;
  /** The answer that another process has put on record. @throws ServiceError `store_unavailable` */
  readAnswer(received: ReceivedInteraction): Promise<RecordedAnswer | undefined>;
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
  /** Its answer, once that is on record; then what was asked is missing. */
  readonly answer?: RecordedAnswer;
}

interface OpenInteractionsDeps {
  readonly interactions: Store["interactions"];
  readonly isShared: boolean;
  /** Changes when this process was taken for dead. */
  readonly processId: () => string;
  readonly running: Pick<RunningHandlers, "ids" | "stop">;
  readonly log: Log;
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
  const { interactions, log } = deps;
  const timer = deps.isShared
    ? setInterval(() => void stopCancelled(deps), cancelEveryMs).unref()
    : undefined;

  async function close(received: ReceivedInteraction, failures = 0): Promise<void> {
    try {
      await received.beforeClose?.();
      await interactions.close(ownerOf(received));
    } catch (error) {
      const { id } = received.interaction;
      if (failures === 0) log.warn("an interaction was not closed", { interaction: id, error });
      if (failures >= closeTries) return;
      const waitMs = backOffMs(failures + 1, closeWaits);
      setTimeout(() => void close(received, failures + 1), waitMs).unref();
    }
  }

  return {
    isShared: deps.isShared,
    async claim(received) {
      received.processId = deps.processId();
      const { guild_id: guildId } = received.interaction;
      const owner = ownerOf(received);
      const claiming = interactions.claim({ ...owner, guildId, request: requestOf(received) });
      try {
        return await withTimeout(() => claiming, { timeoutMs: claimMs });
      } catch (error) {
        // Its person is told now, so nobody may go on with it if it was claimed after all.
        claiming.then((isOurs) => (isOurs ? close(received) : undefined)).catch(() => undefined);
        throw storeUnavailable(error);
      }
    },
    record: (received, answer) =>
      interactions.answer(ownerOf(received), answeredOf(received, answer)),
    retract: (received) => interactions.retract(ownerOf(received), requestOf(received)),
    isOwned: (received) => interactions.isOwned(ownerOf(received)),
    readAnswer: async ({ interaction }) => {
      const answered = await interactions.readAnswer(interaction.id);
      return answered && requestIn(answered)?.answer;
    },
    close: (received) => close(received),
    holdOnce: (received, name) => interactions.holdOnce(ownerOf(received), name),
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
    for (const id of await interactions.cancelled(processId())) running.stop(id);
  } catch (error) {
    log.debug("cancelled interactions could not be read", { error });
  }
}

function ownerOf({ interaction: { id }, processId = "" }: ReceivedInteraction): InteractionOwner {
  return { id, processId };
}

/** An `InteractionRequest` as JSON. */
function requestOf({ interaction, arrivedAt, interrupted }: ReceivedInteraction): string {
  const isCut = interrupted === "cut" || undefined;
  const request = JSON.stringify({ interaction, arrivedAt, isCut });
  if (request.length <= maxRequestLength) return request;
  return JSON.stringify({ interaction: withoutContent(interaction), arrivedAt, isCut: true });
}

/** The same with the answer in place of what was asked. */
function answeredOf({ interaction, arrivedAt }: ReceivedInteraction, answer: RecordedAnswer) {
  return JSON.stringify({ interaction: withoutContent(interaction), arrivedAt, answer });
}

/** Without what a menu was opened on or what was typed into a form; of the message that was pressed, only which it is. */
function withoutContent(interaction: APIInteraction): object {
  const { data, message, ...others } = interaction as {
    readonly data?: { readonly type?: number };
    readonly message?: { readonly id: string; readonly flags?: number };
  };
  const pressed = message && { id: message.id, flags: message.flags };
  return { ...others, data: { type: data?.type }, ...(pressed && { message: pressed }) };
}

/** What was asked, as `claim` stored it, or its answer; undefined if no key opens it. */
export function requestIn({ request }: OpenInteraction): InteractionRequest | undefined {
  return request === undefined ? undefined : JSON.parse(request);
}
