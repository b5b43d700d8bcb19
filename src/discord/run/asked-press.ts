import type { APIChatInputApplicationCommandInteractionData } from "discord.js";
import type { PressInput } from "../declare/command.ts";
import type { MessageReply } from "../draw/render.ts";
import type { Button, Press } from "../draw/reply.ts";

/** After this long people may not remember what they were asked, and prices and things may have changed. */
export const askAgainMs = 15 * 60_000;

/** What made a question, so that it can be made again: a command as it was typed, or a press. */
export type QuestionOrigin =
  | { readonly kind: "command"; readonly data: APIChatInputApplicationCommandInteractionData }
  | { readonly kind: "press"; readonly press: Press; readonly input: PressInput };

/** When a button that deletes or disconnects was shown, and what made its question. */
export interface AskedPress {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly label: string;
  /** Absent where the message is no question; making it again would do what the button does. */
  readonly origin?: QuestionOrigin | undefined;
}

interface DestructiveButton {
  readonly label: string;
  readonly press: Press;
  /** Whether the reply is the question about it. */
  readonly isAsked: boolean;
}

/** A reply's buttons that delete or disconnect at once. */
export function destructiveButtons(
  reply: MessageReply,
  isOnce: (action: string) => boolean,
): readonly DestructiveButton[] {
  const isAsked = reply.kind === "ask" || (reply.kind === "list" && reply.isQuestion === true);
  const buttons = reply.kind === "ask" ? [reply.confirm, ...(reply.others ?? [])] : reply.buttons;
  return (buttons ?? []).flatMap(({ style, label, press }: Button) => {
    if (style !== "danger" || press === undefined) return [];
    return isAsked || isOnce(press.action) ? [{ label, press, isAsked }] : [];
  });
}
