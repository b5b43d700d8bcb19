import type { APIInteraction } from "discord.js";
import { backOffMs, withTimeout } from "../../clock.ts";
import {
  type InteractionOwner,
  type OpenInteraction,
  storeUnavailable,
} from "../../store/index.ts";
import { type RankedRequester, requireOwn } from "../access/authorise.ts";
import type { RenderedMessage } from "../draw/render.ts";
import type { ReplyFile } from "../draw/reply.ts";
import type { Interaction } from "./interaction.ts";
import type { RunningHandlers } from "./running-handlers.ts";
import type { Services } from "./services.ts";

/** Interactions that are on record from before the acknowledgement until they are answered, in the database. */
export type OpenInteractions = ReturnType<typeof createOpenInteractions>;

/** What is stored of an interaction. */
export interface InteractionRequest {
  readonly interaction: APIInteraction;
  readonly arrivedAt: number;
  /** It was too long: what it asked is missing, and only its person can be told. */
  readonly isCut?: true;
  /** Its answer, once that is on record; then what was asked is missing. */
  readonly answer?: RecordedAnswer;
}

/** An answer as it is on record. */
export interface RecordedAnswer {
  readonly payload: RenderedMessage["payload"];
  readonly files: readonly (Omit<ReplyFile, "data"> & { readonly base64: string })[];
  readonly isBeside: boolean;
  /** Whether the interaction's own message is deleted: a public one can't become private. */
  readonly isDeleted: boolean;
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

export function createOpenInteractions(
  services: Services,
  running: Pick<RunningHandlers, "ids" | "stop">,
) {
  const { log, store } = services;
  const { interactions } = store;
  const isShared = store.database.dialect === "postgres";
  const timer = isShared
    ? setInterval(() => void stopCancelled(), cancelEveryMs).unref()
    : undefined;

  /** Stops work of this process that was cancelled where another process answered. */
  async function stopCancelled(): Promise<void> {
    if (running.ids().length === 0) return;
    try {
      for (const id of await interactions.cancelled(services.processId)) running.stop(id);
    } catch (error) {
      log.debug("cancelled interactions could not be read", { error });
    }
  }

  /** Forgets what was asked. Never throws: where the database fails, it tries again later. */
  async function close(interaction: Interaction, failures = 0): Promise<void> {
    try {
      await interaction.beforeClose?.();
      await interactions.close(owner(interaction));
    } catch (error) {
      const { id } = interaction.raw;
      if (failures === 0) log.warn("an interaction was not closed", { interaction: id, error });
      if (failures >= closeTries) return;
      const waitMs = backOffMs(failures + 1, closeWaits);
      setTimeout(() => void close(interaction, failures + 1), waitMs).unref();
    }
  }

  return {
    /** Whether other processes may receive the same interactions, and go on with those of this one. */
    isShared,
    /** Whether this process goes on, of all that have received it. @throws ServiceError `store_unavailable` */
    async claim(interaction: Interaction): Promise<boolean> {
      interaction.processId = services.processId;
      const { guild_id: guildId } = interaction.raw;
      const claiming = interactions.claim({
        ...owner(interaction),
        guildId,
        request: requestJson(interaction),
      });
      try {
        return await withTimeout(() => claiming, { timeoutMs: claimMs });
      } catch (error) {
        // Its person is told now, so nobody may go on with it if it was claimed after all.
        claiming.then((isOurs) => (isOurs ? close(interaction) : undefined)).catch(() => undefined);
        throw storeUnavailable(error);
      }
    },
    /**
     * Puts its answer on record; whether it may be sent: this process still has it, and no other answer is on record.
     * @throws ServiceError `store_unavailable`
     */
    record(interaction: Interaction, answer: RecordedAnswer): Promise<boolean> {
      const { raw, arrivedAt } = interaction;
      // The answer is in place of what was asked.
      const request = JSON.stringify({ interaction: withoutContent(raw), arrivedAt, answer });
      return interactions.answer(owner(interaction), request);
    },
    /** Takes an answer back that Discord did not accept. @throws ServiceError `store_unavailable` */
    retract: (interaction: Interaction) =>
      interactions.retract(owner(interaction), requestJson(interaction)),
    /** Whether this process still has it. @throws ServiceError `store_unavailable` */
    isOwned: (interaction: Interaction) => interactions.isOwned(owner(interaction)),
    /** The answer that another process has put on record. @throws ServiceError `store_unavailable` */
    async readAnswer({ raw }: Interaction): Promise<RecordedAnswer | undefined> {
      const answered = await interactions.readAnswer(raw.id);
      return answered && readRequest(answered)?.answer;
    },
    close,
    /**
     * Whether no other open interaction carries out what has that name; none can until this one is closed.
     * @throws ServiceError `store_unavailable`
     */
    holdOnce: (interaction: Interaction, name: string) =>
      interactions.holdOnce(owner(interaction), name),
    /**
     * Asks whichever process answers it to stop; whether it is still open.
     * @throws AccessError `not_yours`; ServiceError `store_unavailable`
     */
    async cancel(
      id: string,
      requester: Pick<RankedRequester, "guildId" | "userId">,
    ): Promise<boolean> {
      const open = await interactions.read(id);
      const request = open && readRequest(open);
      if (request === undefined) return false;
      const { guild_id: guildId = "", member } = request.interaction;
      requireOwn({ guildId, userId: member?.user.id ?? "" }, requester);
      return interactions.cancel(id);
    },
    /** Stops looking for what other processes want cancelled. */
    stop: () => clearInterval(timer),
  };
}

function owner({ raw: { id }, processId = "" }: Interaction): InteractionOwner {
  return { id, processId };
}

/** An `InteractionRequest` as JSON. */
function requestJson({ raw, arrivedAt, interrupted }: Interaction): string {
  const isCut = interrupted === "cut" || undefined;
  const request = JSON.stringify({ interaction: raw, arrivedAt, isCut });
  if (request.length <= maxRequestLength) return request;
  return JSON.stringify({ interaction: withoutContent(raw), arrivedAt, isCut: true });
}

/** Without what a menu was opened on or what was typed into a form; of the message that was pressed, only which it is. */
function withoutContent(raw: APIInteraction): object {
  const { data, message, ...others } = raw as {
    readonly data?: { readonly type?: number };
    readonly message?: { readonly id: string; readonly flags?: number };
  };
  const pressed = message && { id: message.id, flags: message.flags };
  return { ...others, data: { type: data?.type }, ...(pressed && { message: pressed }) };
}

/** What was asked, as `claim` stored it, or its answer; undefined if no key opens it. */
export function readRequest({ request }: OpenInteraction): InteractionRequest | undefined {
  return request === undefined ? undefined : JSON.parse(request);
}
