import {
  type APIApplicationCommandInteraction,
  type APIInteraction,
  type APIMessage,
  ApplicationCommandType,
  InteractionType,
} from "discord.js";
import { BotError, LimitError } from "../../errors.ts";
import type { Answer, HandledAction } from "../declare/command.ts";
import type { Button } from "../draw/reply.ts";
import type { Words } from "../draw/words.ts";
import type { ReceivedInteraction } from "./received-interaction.ts";

/** What was asked: an interaction's own part, from which its work can begin again. */
export type AskedWork = Pick<APIInteraction, "type" | "data"> & {
  /** The linked channel that acts, where its reply was about one. */
  readonly as?: string;
  /** Files of the message that was pressed, which the failure has replaced. */
  readonly message?: Pick<APIMessage, "attachments" | "embeds">;
};

/** Only a menu on a message with many embeds takes more, and opening it again is two clicks. */
const maxStateLength = 32_768;

/** Carries out again what was asked; as a new message where the first answer would have been one. */
export const tryAgainPublicly = tryAgainAction("again.public", "public");
/** The same in place of the failure. */
export const tryAgainPrivately = tryAgainAction("again.private", "update");

function tryAgainAction(name: string, answer: Answer): HandledAction<never, AskedWork> {
  return {
    name,
    answer,
    by: "requester",
    run: async () => {
      throw new TypeError("what was asked is planned and run in its place");
    },
  };
}

export function isTryAgain({ name }: { readonly name: string }): boolean {
  return name === tryAgainPublicly.name || name === tryAgainPrivately.name;
}

/**
 * A button that repeats what failed; undefined where that does not help. Where nobody knows whether it was done, the failure
 * says what to look at, and the button that one has looked.
 */
export function tryAgainButton(
  received: ReceivedInteraction,
  {
    answer,
    error,
    words,
  }: { readonly answer: Answer; readonly error: unknown; readonly words: Words },
): Button | undefined {
  if (!(error instanceof BotError) || !mayPass(error)) return undefined;
  const isSure = error.outcome === "nothing";
  // The press that such work came from works only once.
  if (!isSure && received.isOnce === true) return undefined;
  const state = askedWork(received);
  if (state === undefined || JSON.stringify(state).length > maxStateLength) return undefined;
  const { name } = answer === "public" ? tryAgainPublicly : tryAgainPrivately;
  const press = { action: name, state };
  return isSure
    ? { label: words.say("common.try_again"), style: "primary", press }
    : { label: words.say("common.checked_again"), press };
}

/** Limits that end by themselves without saying when. */
const passingLimits: ReadonlySet<string> = new Set([
  "busy",
  "credits_gone",
  "files_busy",
  "quota_short",
  "rate_limited",
  "too_busy",
  "too_many_reports",
  "units_reserved",
  "units_shared",
  "upload_limit_exceeded",
  "upload_rate_limit_exceeded",
]);

/** Failures of a service, of the store or of ours that another try may not meet. */
const passingFailures: ReadonlySet<string> = new Set([
  "attachment_unavailable",
  "discord_down",
  "interrupted",
  "picture_worker",
  "restarting",
  "server_roles_unread",
  "service_unavailable",
  "store_unavailable",
  "took_too_long",
  "unexpected_answer",
  "unreadable_answer",
  "upload_expired",
  "upload_lost",
  "web_page_answer",
]);

/** Whether the same may succeed later. */
function mayPass(error: BotError): boolean {
  const { kind, code, facts, outcome } = error;
  if (facts.charged !== undefined || outcome === "part") return false;
  if (error instanceof LimitError) return error.retryAt !== undefined || passingLimits.has(code);
  if (kind === "network") return code !== "answer_too_large";
  return kind === "service" && passingFailures.has(code);
}

function askedWork({ interaction, form, as }: ReceivedInteraction): AskedWork | undefined {
  switch (interaction.type) {
    case InteractionType.ApplicationCommand:
      return { type: interaction.type, data: withLinksAlone(interaction.data) };
    case InteractionType.MessageComponent: {
      const { attachments, embeds } = interaction.message;
      const { type, data } = interaction;
      return { type, data, ...(as !== undefined && { as }), message: { attachments, embeds } };
    }
    case InteractionType.ModalSubmit:
      // Forms for secrets are not kept, so there is nothing to repeat.
      return (
        form && { type: interaction.type, data: interaction.data, ...(as !== undefined && { as }) }
      );
    default:
      return undefined;
  }
}

type CommandData = APIApplicationCommandInteraction["data"];

/** Of a message that a menu was opened on, only links and pictures are stored. */
function withLinksAlone(data: CommandData): CommandData {
  if (data.type !== ApplicationCommandType.Message) return data;
  const messages = Object.entries(data.resolved.messages).map(([id, message]) => {
    const content = (message.content.match(/https?:\/\/[^\s<>]+/gu) ?? []).join(" ");
    const embeds = message.embeds.map(({ url, image, thumbnail }) => ({
      ...(url !== undefined && { url }),
      ...(image !== undefined && { image }),
      ...(thumbnail !== undefined && { thumbnail }),
    }));
    return [id, { id, content, attachments: message.attachments, embeds, components: [] }];
  });
  return { ...data, resolved: { messages: Object.fromEntries(messages) } } as CommandData;
}
