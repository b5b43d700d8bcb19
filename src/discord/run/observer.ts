import { type APIInteraction, ApplicationCommandType, InteractionType } from "discord.js";
import { BotError } from "../../errors.ts";
import type { Routes } from "../declare/routes.ts";
import type { Failure, Journey } from "./journey.ts";
import { unfold } from "./plan.ts";

/** What became of one interaction; nothing in it tells whose it was. */
export interface Observed {
  readonly kind: "command" | "menu" | "action" | "suggestion" | "unknown";
  /** Path, title or name as it was declared; undefined for what nobody declared, and for presses that are too old. */
  readonly name: string | undefined;
  /** `expired`: not acknowledged in time. `lost`: Discord did not take the answer. */
  readonly outcome: "answered" | "failed" | "expired" | "lost";
  /** From the arrival to the first answer; undefined when there was none. */
  readonly acknowledgedMs: number | undefined;
  /** From the arrival to the end of all work. */
  readonly ms: number;
  readonly failure: Failure | undefined;
}

/** Told of each interaction once it is over; must not throw. */
export type Observer = (observed: Observed) => void;

/** What is counted of an error. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof BotError)) return { kind: "bug", code: "bug" };
  return { kind: error.kind, code: error.code };
}

/** A journey as it is counted at its end. */
export function observed(journey: Journey, routes: Routes, now: number): Observed {
  const { arrivedAt, acknowledgedAt, failure, isLost } = journey;
  return {
    kind: kindOf(journey.interaction),
    name: nameOf(journey, routes),
    outcome: isLost ? "lost" : outcomeOf(acknowledgedAt, failure),
    acknowledgedMs: acknowledgedAt === undefined ? undefined : acknowledgedAt - arrivedAt,
    ms: now - arrivedAt,
    failure,
  };
}

function outcomeOf(acknowledgedAt: number | undefined, failure: Failure | undefined) {
  if (acknowledgedAt === undefined) return "expired";
  return failure === undefined ? "answered" : "failed";
}

function kindOf(interaction: APIInteraction): Observed["kind"] {
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

/** A journey's name comes from the routes, but for a press that is not looked up yet. */
function nameOf({ interaction, name }: Journey, routes: Routes): string | undefined {
  if (interaction.type === InteractionType.ApplicationCommandAutocomplete) {
    const { path } = unfold(interaction.data);
    return routes.commands.has(path) ? path : undefined;
  }
  return name === "press" ? undefined : name;
}
