import type { APIInteraction } from "discord.js";
import { InteractionType } from "discord-api-types/v10";
import { BotError, type Facts, ServiceError } from "../../errors.ts";
import type { Log } from "../../log.ts";
import type { Answer, HandlerDeclaration } from "../declare/command.ts";
import type { InteractionContext } from "../declare/interaction-context.ts";
import type { Routes } from "../declare/routes.ts";
import type { Form } from "../draw/reply.ts";
import type { FirstAnswer } from "../wire/acknowledge.ts";
import type { AdmissionHold } from "./admission.ts";
import type { QuestionOrigin } from "./asked-press.ts";
import { isTyped, readCommandPath } from "./plan.ts";
import type { Requester } from "./requester.ts";
import type { RunningHandler } from "./running-handlers.ts";
import type { ObservedOutcome, Services } from "./services.ts";

/** How an interaction reached this process. */
export interface InteractionArrival {
  /** When Discord sent it, by our clock. Milliseconds since the epoch. */
  readonly arrivedAt: number;
  /** Over HTTP: sends the first answer as the response, and resolves with whether all of it left. */
  readonly respond?: ((answer: FirstAnswer) => Promise<boolean>) | undefined;
  /**
   * Another process had begun to answer it, and ended before it was done. `again`: that happened more than once, and its person
   * has waited long enough; `cut`: the request was too long to be stored, and what was asked is missing.
   */
  readonly interrupted?: "once" | "again" | "cut" | undefined;
  /** Under which id this process claimed it or took it over. */
  processId?: string | undefined;
}

/**
 * An interaction on its way through this process. Every later stage is the same object with more in it, so whoever holds it
 * sees what other steps note.
 */
export interface Interaction extends InteractionArrival {
  /** As Discord sent it. Where work is tried again, what was asked at first, with the ids of the press. */
  raw: APIInteraction;
  /** Six characters that are both in the message about a failure and in the log. */
  readonly reference: string;
  /** Adds the interaction's ids to every line; made when the first line is written. */
  readonly log: () => Log;
  /** How its handler was declared, once the handler is about to run. */
  declaration?: HandlerDeclaration;
  /** Another process goes on with it: this one ends before it is answered, or was taken for dead. */
  isHandedOver?: true;
  /** Why it can't be answered, where that is known before anything is begun. */
  earlyError?: unknown;
  /** Command, menu or action, once it is known. */
  name?: string;
  /** The linked channel that acts, by its id or, until it is looked up, by its name. */
  as?: string;
  /** What makes its answer, where that can be made again. */
  origin?: QuestionOrigin;
  /** Whether work that failed is tried again. */
  isAgain?: true;
  /** Whether progress has replaced what its message showed. */
  hasProgress?: true;
  /** Draws the answer once more. */
  afterwards?: Parameters<InteractionContext["afterwards"]>[0];
  /** The form that was submitted, with what was typed, where it may be opened again. */
  form?: Form;
  /** Whether what was pressed must not happen twice. */
  isOnce?: boolean;
  /** Whether it has sent a write to a service. */
  hasWritten?: true;
  /** For people: what was spent before it failed, and what is left. */
  spent?: string;
  /** When Discord accepted the first answer. Milliseconds since the epoch. */
  acknowledgedAt?: number;
  /** Has to succeed before its row is closed: until then, nobody else can carry out the same press. */
  beforeClose?: () => Promise<void>;
  /** What the person was shown instead of an answer. */
  failure?: ObservedOutcome["failure"];
  /** Whether Discord did not accept what was to be shown. */
  isLost?: boolean;
}

/** Its person is known, and is in a server. */
export interface AskedInteraction extends Interaction {
  readonly requester: Requester;
}

/** It is known how it is acknowledged. */
export interface AcknowledgedInteraction extends Interaction {
  readonly answer: Answer;
}

/** Its work runs. */
export interface RunningInteraction extends AskedInteraction, AcknowledgedInteraction {
  readonly running: RunningHandler;
  /** The files that it holds until its answer is sent. */
  readonly held: AdmissionHold;
}

// Crockford's alphabet: no two of its characters are easily mistaken for each other.
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

export function createInteraction(
  raw: APIInteraction,
  arrival: InteractionArrival,
  { random, log: parent }: Pick<Services, "random" | "log">,
): Interaction {
  let reference = "";
  while (reference.length < 6) reference += alphabet[Math.floor(random() * 32)];
  let log: Log | undefined;
  return {
    ...arrival,
    ...(arrival.interrupted === "cut" && { earlyError: interruptedError() }),
    raw,
    reference,
    log: () => {
      log ??= parent.child({
        reference,
        interaction: raw.id,
        guild: raw.guild_id,
        user: raw.member?.user.id,
      });
      return log;
    },
  };
}

/** For an interaction whose process ended before the answer; `facts` say where to look whether it was done. */
export function interruptedError(facts: Facts = {}, cause?: unknown): ServiceError {
  return new ServiceError("its process ended before the answer", {
    code: "interrupted",
    outcome: "unknown",
    facts,
    cause,
  });
}

/** An error as it is counted. */
export function countedFailure(error: unknown): NonNullable<ObservedOutcome["failure"]> {
  if (!(error instanceof BotError)) return { kind: "bug", code: "bug" };
  return { kind: error.kind, code: error.code };
}

/** What an interaction is counted as, unless somebody typed a command. */
const kinds: Readonly<Record<number, ObservedOutcome["kind"]>> = {
  [InteractionType.ApplicationCommand]: "menu",
  [InteractionType.MessageComponent]: "action",
  [InteractionType.ModalSubmit]: "action",
  [InteractionType.ApplicationCommandAutocomplete]: "suggestion",
};

/** An interaction as it is counted when it is over. */
export function observe(interaction: Interaction, routes: Routes, now: number): ObservedOutcome {
  const { raw, arrivedAt, acknowledgedAt, failure, isLost } = interaction;
  const isSuggestion = raw.type === InteractionType.ApplicationCommandAutocomplete;
  const name = isSuggestion ? readCommandPath(raw.data).path : interaction.name;
  // A press that has not been looked up yet has no name.
  const isKnown = isSuggestion ? routes.commands.has(`${name}`) : name !== "press";
  const outcome = failure === undefined ? "answered" : "failed";
  const reached = acknowledgedAt === undefined ? "expired" : outcome;
  return {
    kind: isTyped(raw) ? "command" : (kinds[raw.type] ?? "unknown"),
    name: isKnown ? name : undefined,
    outcome: isLost ? "lost" : reached,
    acknowledgedMs: acknowledgedAt === undefined ? undefined : acknowledgedAt - arrivedAt,
    ms: now - arrivedAt,
    failure,
  };
}
