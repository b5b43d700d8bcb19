import { type APIInteraction, ApplicationCommandType, InteractionType } from "discord.js";
import { BotError, type Facts, type Kind, ServiceError } from "../../errors.ts";
import type { Log } from "../../log.ts";
import type { InteractionContext } from "../declare/interaction-context.ts";
import type { Routes } from "../declare/routes.ts";
import type { Form } from "../draw/reply.ts";
import type { FirstAnswer } from "../wire/acknowledge.ts";
import type { QuestionOrigin } from "./asked-press.ts";
import { readCommandPath } from "./plan.ts";

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

/** The state of one interaction on its way: every step reads it and adds to it. */
export interface ReceivedInteraction extends InteractionArrival {
  /** Where work is tried again, what was asked at first, with the ids of the press. */
  interaction: APIInteraction;
  /** Six characters that are both in the message about a failure and in the log. */
  readonly reference: string;
  /** Adds the interaction's ids to every line; made when the first line is written. */
  readonly log: () => Log;
  /** Whether its work may run again, in this process or another. */
  isRepeatable?: boolean;
  /** Another process goes on with it: this one ends before it is answered, or was taken for dead. */
  isHandedOver?: true;
  /** Why it can't be answered, where that is known before anything is begun. */
  refusal?: unknown;
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
  /** Whether what it does could have changed or cost something; unset until it begins. */
  mayChange?: boolean;
  /** Whether it has sent a write to a service. */
  hasWritten?: true;
  /** For people: what was spent before it failed, and what is left. */
  spent?: string;
  /** When Discord accepted the first answer. Milliseconds since the epoch. */
  acknowledgedAt?: number;
  /** Has to succeed before its row is closed: until then, nobody else can carry out the same press. */
  beforeClose?: () => Promise<void>;
  /** What the person was shown instead of an answer. */
  failure?: InteractionFailure;
  /** Whether Discord did not accept what was to be shown. */
  isLost?: boolean;
}

/** What failed: a kind and a code of `errors.ts`. Everything else is our own bug, and is called `bug`. */
interface InteractionFailure {
  readonly kind: Kind | "bug";
  readonly code: string;
}

interface ReceiveDeps {
  readonly random: () => number;
  readonly log: Log;
}

export function createReceivedInteraction(
  interaction: APIInteraction,
  arrival: InteractionArrival,
  { random, log: parent }: ReceiveDeps,
): ReceivedInteraction {
  const reference = shortId(random);
  let log: Log | undefined;
  return {
    ...arrival,
    ...(arrival.interrupted === "cut" && { refusal: interruptedError() }),
    interaction,
    reference,
    log: () => {
      log ??= parent.child({
        reference,
        interaction: interaction.id,
        guild: interaction.guild_id,
        user: interaction.member?.user.id,
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

// Crockford's alphabet: no two of its characters are easily mistaken for each other.
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

function shortId(random: () => number): string {
  return Array.from({ length: 6 }, () => alphabet[Math.floor(random() * 32)]).join("");
}

/** How one interaction ended; nothing in it says whose it was. */
export interface ObservedOutcome {
  readonly kind: "command" | "menu" | "action" | "suggestion" | "unknown";
  /** The declared path, title or name; undefined where nobody declared it, and for presses that are too old. */
  readonly name: string | undefined;
  /** `expired`: not acknowledged in time. `lost`: Discord did not accept the answer. */
  readonly outcome: "answered" | "failed" | "expired" | "lost";
  /** From the arrival to the first answer; undefined where there was none. */
  readonly acknowledgedMs: number | undefined;
  /** From the arrival to the end of all work. */
  readonly ms: number;
  readonly failure: InteractionFailure | undefined;
}

/** Called with each interaction once it is over; must not throw. */
export type Observer = (observed: ObservedOutcome) => void;

/** An error as it is counted. */
export function interactionFailureOf(error: unknown): InteractionFailure {
  if (!(error instanceof BotError)) return { kind: "bug", code: "bug" };
  return { kind: error.kind, code: error.code };
}

/** An interaction as it is counted when it is over. */
export function outcomeOfInteraction(
  received: ReceivedInteraction,
  routes: Routes,
  now: number,
): ObservedOutcome {
  const { arrivedAt, acknowledgedAt, failure, isLost } = received;
  return {
    kind: kindOf(received.interaction),
    name: nameOf(received, routes),
    outcome: isLost ? "lost" : outcomeOf(acknowledgedAt, failure),
    acknowledgedMs: acknowledgedAt === undefined ? undefined : acknowledgedAt - arrivedAt,
    ms: now - arrivedAt,
    failure,
  };
}

function outcomeOf(acknowledgedAt: number | undefined, failure: InteractionFailure | undefined) {
  if (acknowledgedAt === undefined) return "expired";
  return failure === undefined ? "answered" : "failed";
}

function kindOf(interaction: APIInteraction): ObservedOutcome["kind"] {
  switch (interaction.type) {
    case InteractionType.ApplicationCommand:
      return interaction.data.type === ApplicationCommandType.ChatInput ? "command" : "menu";
    case InteractionType.MessageComponent:
    case InteractionType.ModalSubmit:
      return "action";
    case InteractionType.ApplicationCommandAutocomplete:
      return "suggestion";
    default:
      return "unknown";
  }
}

/** The name comes from the routes; a press that has not been looked up yet has none. */
function nameOf({ interaction, name }: ReceivedInteraction, routes: Routes): string | undefined {
  if (interaction.type === InteractionType.ApplicationCommandAutocomplete) {
    const { path } = readCommandPath(interaction.data);
    return routes.commands.has(path) ? path : undefined;
  }
  return name === "press" ? undefined : name;
}
