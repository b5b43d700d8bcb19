import type {
  APIApplicationCommandOptionChoice,
  APIMessageInteractionMetadata,
  APIModalInteractionResponseCallbackData,
} from "discord-api-types/v10";
import type { PersonName } from "../types.ts";
import { messageFlags } from "./check/message.ts";
import type { World } from "./world.ts";

/** Numbers of the platform: 2 command, 3 component, 4 autocomplete, 5 form. */
export type InteractionKind = 2 | 3 | 4 | 5;

/** One interaction, from the press to the end of its token. */
export interface Interaction {
  readonly id: string;
  readonly token: string;
  readonly kind: InteractionKind;
  readonly person: PersonName;
  readonly channelId: string;
  readonly createdAt: number;
  /** `expired`: the first answer did not come in time. */
  state: "open" | "answered" | "form" | "suggested" | "expired";
  /** Message whose component was used, or whose component opened the form. */
  readonly sourceId: string | undefined;
  /** What `@original` means. */
  originalId: string | undefined;
  isEphemeral: boolean;
  readonly followUps: string[];
  /** Messages it made or changed, the latest last. */
  readonly touched: string[];
  lastChange: number;
  readonly metadata: APIMessageInteractionMetadata;
  /** Shown name of the command, for the message's `interaction` field. */
  readonly commandName: string | undefined;
  /** 20 for slash commands, 23 for menus, 19 for what answers a message, 0 for forms without one. */
  readonly replyType: number;
  readonly focusedType: number | undefined;
  form: APIModalInteractionResponseCallbackData | undefined;
  choices: readonly APIApplicationCommandOptionChoice[] | undefined;
  /** Settles with the first answer; rejects with `InteractionFailed`. */
  readonly answered: PromiseWithResolvers<void>;
}

/** The bot did not answer an interaction as it must; the person sees the message. */
export class InteractionFailed extends Error {
  override get name(): string {
    return "InteractionFailed";
  }
}

// https://docs.discord.com/developers/interactions/receiving-and-responding
export const firstAnswerMs = 3_000;
const tokenLifeMs = 15 * 60_000;

// Whoever asks for suggestions waits for them; the page needs no event.
const suggestions = 4;

export function touch(interaction: Interaction, messageId: string): void {
  const at = interaction.touched.indexOf(messageId);
  if (at >= 0) interaction.touched.splice(at, 1);
  interaction.touched.push(messageId);
  interaction.lastChange = performance.now();
}

/** Whether its reply still says "thinking". */
export function isLoading(world: World, interaction: Interaction): boolean {
  const original = world.messages.get(interaction.originalId ?? "");
  return ((original?.message.flags ?? 0) & messageFlags.loading) !== 0;
}

export function isTokenAlive(world: World, interaction: Interaction): boolean {
  return world.now() - interaction.createdAt < tokenLifeMs;
}

/** Marks the first answer. */
export function answer(world: World, interaction: Interaction, state: Interaction["state"]): void {
  interaction.state = state;
  interaction.lastChange = performance.now();
  interaction.answered.resolve();
  if (interaction.kind === suggestions) return;
  world.publish({ type: "settled", interactionId: interaction.id }, interaction.person);
}

/** Tells the person and whoever waits that nothing will come. */
export function expire(world: World, interaction: Interaction): void {
  if (interaction.state !== "open") return;
  interaction.state = "expired";
  const text = "The application did not respond";
  if (interaction.kind !== suggestions) {
    world.publish({ type: "failed", interactionId: interaction.id, text }, interaction.person);
  }
  interaction.answered.reject(
    new InteractionFailed(
      `${text} within ${firstAnswerMs / 1_000} s (interaction ${interaction.id}).`,
    ),
  );
}

/** What the client itself would not let a person do; the message is meant for them. */
export class ActError extends Error {
  override get name(): string {
    return "ActError";
  }
}
