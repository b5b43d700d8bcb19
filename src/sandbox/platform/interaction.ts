import { messageFlags } from "./check/message.ts";
import type { PlatformState, StoredInteraction } from "./state.ts";

/** The bot did not answer an interaction as it must; the person sees the message. */
export class InteractionFailed extends Error {
  override get name(): string {
    return "InteractionFailed";
  }
}

// https://docs.discord.com/developers/interactions/receiving-and-responding
export const firstAnswerMs = 3_000;
const tokenLifeMs = 15 * 60_000;

// A request for suggestions gets them as its answer; the page needs no event.
const suggestions = 4;

export function noteTouchedMessage(interaction: StoredInteraction, messageId: string): void {
  const at = interaction.touched.indexOf(messageId);
  if (at >= 0) interaction.touched.splice(at, 1);
  interaction.touched.push(messageId);
  interaction.lastChange = performance.now();
}

/** Whether its reply still says "thinking". */
export function isLoading(state: PlatformState, interaction: StoredInteraction): boolean {
  const original = state.messages.get(interaction.originalId ?? "");
  return ((original?.message.flags ?? 0) & messageFlags.loading) !== 0;
}

export function isTokenAlive(state: PlatformState, interaction: StoredInteraction): boolean {
  return state.now() - interaction.createdAt < tokenLifeMs;
}

/** Marks the first answer. */
export function markAnswered(
  state: PlatformState,
  interaction: StoredInteraction,
  outcome: StoredInteraction["state"],
): void {
  interaction.state = outcome;
  interaction.lastChange = performance.now();
  interaction.answered.resolve();
  if (interaction.kind === suggestions) return;
  state.publish({ type: "settled", interactionId: interaction.id }, interaction.person);
}

/** Reports to the person, and to whoever awaits the answer, that none will come; `why` is for who reads tests. */
export function failInteraction(
  state: PlatformState,
  interaction: StoredInteraction,
  why: string,
): void {
  if (interaction.state !== "open") return;
  interaction.state = "expired";
  const text = "The application did not respond";
  if (interaction.kind !== suggestions) {
    state.publish({ type: "failed", interactionId: interaction.id, text }, interaction.person);
  }
  interaction.answered.reject(
    new InteractionFailed(`${text} ${why} (interaction ${interaction.id}).`),
  );
}

/** What Discord's client would not let a person do; the message is for that person. */
export class ActionError extends Error {
  override get name(): string {
    return "ActionError";
  }
}
