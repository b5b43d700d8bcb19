import type { APIApplicationCommandInteraction, APIInteraction, APIMessage } from "discord.js";
import { ApplicationCommandType, InteractionType } from "discord-api-types/v10";
import { BotError, LimitError } from "../../errors.ts";
import type { FormAction, HandledAction, PressInput } from "../declare/command.ts";
import { openKeyForm, reconnect } from "../draw/presses.ts";
import type { Button, Form, FormField, Press } from "../draw/reply.ts";
import type { Words } from "../draw/words.ts";
import { reaches } from "../rank.ts";
import { inviteLink } from "../wire/invite.ts";
import type { Interaction, RunningInteraction } from "./interaction.ts";
import type { Services } from "./services.ts";

/** What a failure offers: to try again, to go back to the form so that nothing typed is lost, or to remove its cause. */
export function failureButtons(
  error: unknown,
  interaction: RunningInteraction,
  { isPressable, services }: { readonly isPressable: boolean; readonly services: Services },
): readonly Button[] {
  const { form, isOnce } = interaction;
  const { words } = interaction.requester;
  const again = isPressable ? tryAgainButton(error, interaction) : undefined;
  const mayBeDone = !(error instanceof BotError) || error.outcome !== "nothing";
  const buttons: Button[] = again === undefined ? [] : [again];
  if (form !== undefined && !(isOnce === true && mayBeDone)) {
    const style = again === undefined ? "primary" : "secondary";
    buttons.push({ label: words.say("common.back_to_form"), style, press: reopenPress(form) });
  }
  return [
    ...buttons,
    ...remedyButtons(error, interaction),
    ...inviteButtons(error, { interaction, words, services }),
  ];
}

/** Opens a form again, as it was when its submission failed. */
export const reopenForm: FormAction<unknown, Form> = {
  name: "form.again",
  answer: "form",
  by: "requester",
  form: (_, form) => form,
};

/** The press that opens a form again; stored together with its submission. */
export function reopenPress(form: Form): Press {
  return { action: reopenForm.name, state: form };
}

/** The form with what was typed and chosen; files have to be attached again. */
export function refillForm(form: Form, { fields, lists }: PressInput): Form {
  const refilled = form.fields.map((field): FormField => {
    if (field.kind === "files") return field;
    const value = fields[field.name];
    if (field.kind !== "select") return value === undefined ? field : { ...field, value };
    const chosen = lists[field.name];
    if (chosen === undefined) return field;
    const options = field.options.map((option) => ({
      ...option,
      isDefault: chosen.includes(option.value),
    }));
    return { ...field, options };
  });
  return { ...form, fields: refilled };
}

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
export const tryAgainPublicly: HandledAction<never, AskedWork> = {
  name: "again.public",
  answer: "public",
  by: "requester",
  run: async () => {
    throw new TypeError("what was asked is planned and run in its place");
  },
};
/** The same in place of the failure. */
export const tryAgainPrivately: typeof tryAgainPublicly = {
  ...tryAgainPublicly,
  name: "again.private",
  answer: "update",
};

/**
 * Repeats what failed; undefined where that does not help. Where nobody knows whether it was done, the failure says what to look
 * at, and the button that one has looked.
 */
function tryAgainButton(error: unknown, interaction: RunningInteraction): Button | undefined {
  if (!(error instanceof BotError) || !mayPass(error)) return undefined;
  const isSure = error.outcome === "nothing";
  // The press that such work came from works only once.
  if (!isSure && interaction.isOnce === true) return undefined;
  const state = askedWork(interaction);
  if (state === undefined || JSON.stringify(state).length > maxStateLength) return undefined;
  const { words } = interaction.requester;
  const { name } = interaction.answer === "public" ? tryAgainPublicly : tryAgainPrivately;
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

/** Failures of YouTube, remove.bg or Discord, of the store or of ours that another try may not meet. */
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

function askedWork({ raw, form, as }: Interaction): AskedWork | undefined {
  const acting = as === undefined ? {} : { as };
  switch (raw.type) {
    case InteractionType.ApplicationCommand:
      return { type: raw.type, data: withLinksAlone(raw.data) };
    case InteractionType.MessageComponent: {
      const { attachments, embeds } = raw.message;
      return { type: raw.type, data: raw.data, ...acting, message: { attachments, embeds } };
    }
    case InteractionType.ModalSubmit:
      // Forms for secrets are not kept, so there is nothing to repeat.
      return form && { type: raw.type, data: raw.data, ...acting };
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

/** Failures that a new consent for the channel solves, by code. */
const channelRemedies: Readonly<Record<string, "common.reconnect" | "common.link_channel">> = {
  invalid_grant: "common.reconnect",
  grant_seven_days: "common.reconnect",
  access_token_over: "common.reconnect",
  scope_missing: "common.reconnect",
  channel_missing: "common.link_channel",
  acting_channel_gone: "common.link_channel",
  held_comments_unlinked: "common.link_channel",
  watch_source_missing: "common.link_channel",
};

/** Failures that another key solves, by code. */
const keyRemedies: Readonly<Record<string, "video-key" | "background-key">> = {
  video_key_missing: "video-key",
  watch_source_unlinked: "video-key",
  key_invalid: "video-key",
  key_expired: "video-key",
  background_key_missing: "background-key",
  background_key_refused: "background-key",
};

/** Solve a failure of a key or of the acting channel, for people who may connect them. */
function remedyButtons(
  error: unknown,
  { requester: { rank, words }, as }: RunningInteraction,
): readonly Button[] {
  if (!(error instanceof BotError) || !reaches(rank, "owner")) return [];
  const key = keyRemedies[error.code];
  // The form only takes remove.bg's keys; for another service, the hint names the command.
  if (key !== undefined && error.facts.engineHost === undefined) {
    const label = words.say(`start.connect.${key}`);
    return [{ label, style: "primary", press: openKeyForm(key) }];
  }
  const label = channelRemedies[error.code];
  const { permission } = error.facts;
  // `none`: no link gives access to that method, so a new one would not help.
  if (label === undefined || permission === "none") return [];
  const press = reconnect({
    ...(as !== undefined && { channelId: as }),
    ...(typeof permission === "string" && { permission }),
  });
  return [{ label: words.say(label), style: "primary", press }];
}

interface InvitedBot {
  readonly interaction: Interaction;
  readonly words: Words;
  readonly services: Pick<Services, "siteUrl">;
}

/** A link that adds the bot to a server that has only its commands. Anybody gets it, because Discord checks who may. */
export function inviteButtons(
  error: unknown,
  { interaction, words, services }: InvitedBot,
): readonly Button[] {
  if (!(error instanceof BotError) || error.code !== "bot_not_in_server") return [];
  const url = inviteLink(interaction.raw.application_id, services.siteUrl);
  return [{ label: words.say("common.add_bot"), url }];
}
