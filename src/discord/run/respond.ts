import { type APIInteraction, InteractionResponseType, MessageFlags } from "discord.js";
import { BotError } from "../../errors.ts";
import type { Answer } from "../declare/command.ts";
import type { Progress } from "../declare/ctx.ts";
import type { Choice } from "../declare/suggest.ts";
import { cancelRow, progressBar } from "../draw/components.ts";
import { explain } from "../draw/explain.ts";
import { presses } from "../draw/presses.ts";
import { type Rendered, render } from "../draw/render.ts";
import type { Button, Form, Notice, Reply } from "../draw/reply.ts";
import { join } from "../draw/text.ts";
import type { Words } from "../draw/words.ts";
import { reaches } from "../rank.ts";
import { type Acknowledged, acknowledge, type FirstAnswer } from "../wire/acknowledge.ts";
import { encodeCancelId } from "../wire/custom-id.ts";
import { inviteLink } from "../wire/invite.ts";
import {
  type Address,
  deleteOriginal,
  editOriginal,
  followUpPrivately,
  type SendTools,
} from "../wire/send.ts";
import { type Asker, wordsFor } from "./context.ts";
import { againPress } from "./form-again.ts";
import type { InteractionDeps } from "./interaction-deps.ts";
import type { Journey } from "./journey.ts";
import { failureOf } from "./observer.ts";
import { pathOf } from "./plan.ts";

/** Everything that goes back to Discord for an interaction. */
type RespondDeps = Pick<InteractionDeps, "services" | "callbackRest" | "rest" | "drawing">;

/** Who asked. */
interface To {
  readonly journey: Journey;
  readonly asker: Asker;
}

/** Who asked, and how it was acknowledged. */
interface AcknowledgedTo extends To {
  readonly answer: Answer;
}

const deferrals = {
  public: { type: InteractionResponseType.DeferredChannelMessageWithSource },
  private: {
    type: InteractionResponseType.DeferredChannelMessageWithSource,
    data: { flags: MessageFlags.Ephemeral },
  },
  update: { type: InteractionResponseType.DeferredMessageUpdate },
} as const satisfies Record<Answer, FirstAnswer>;

async function first(
  { services, callbackRest: rest }: RespondDeps,
  journey: Journey,
  answer: FirstAnswer,
): Promise<Acknowledged> {
  const { random, now } = services;
  const { interaction, arrivedAt } = journey;
  const outcome = await acknowledge(interaction, answer, arrivedAt, { rest, random, now });
  if (outcome === "accepted") journey.acknowledgedAt = now();
  else journey.log().error("was not acknowledged in time");
  return outcome;
}

/** The first answer, while the work goes on. */
export function defer(deps: RespondDeps, journey: Journey, answer: Answer) {
  return first(deps, journey, deferrals[answer]);
}

/** A press that stopped other work changes nothing by itself. */
export function deferUpdate(deps: RespondDeps, journey: Journey) {
  return first(deps, journey, deferrals.update);
}

export function offerSuggestions(
  deps: RespondDeps,
  journey: Journey,
  choices: readonly Choice[],
): Promise<Acknowledged> {
  const type = InteractionResponseType.ApplicationCommandAutocompleteResult;
  return first(deps, journey, { type, data: { choices } });
}

export async function openForm(
  deps: RespondDeps,
  { journey, asker }: To,
  form: Form,
): Promise<Acknowledged> {
  const data = await deps.drawing.form(form, asker, journey.as);
  return first(deps, journey, { type: InteractionResponseType.Modal, data });
}

/** A failure as the first answer, for the person alone. */
export function refuse(deps: RespondDeps, journey: Journey, error: unknown): Promise<Acknowledged> {
  const words = wordsFor(journey.interaction, deps.services.languages);
  const buttons = inviteOf(error, words, { journey, deps });
  const drawn = renderPlain({ ...told(journey, error, words), buttons }, words);
  const { attachments: _, ...data } = drawn.payload;
  return first(deps, journey, {
    type: InteractionResponseType.ChannelMessageWithSource,
    data: { ...data, flags: data.flags | MessageFlags.Ephemeral },
  });
}

export async function sendReply(
  deps: RespondDeps,
  to: AcknowledgedTo,
  reply: Reply,
): Promise<void> {
  if (reply.kind === "form") throw new TypeError("a form has to be the first answer");
  const { journey, asker, answer } = to;
  const isShownToAll =
    answer === "public" || (answer === "update" && !isEphemeral(journey.interaction));
  const isPrivate = reply.isPrivate === true || !isShownToAll;
  const drawn = await deps.drawing.message(reply, { ...asker, isPrivate }, journey.as);
  if (reply.isPrivate === true && isShownToAll) return sendBeside(deps, to, drawn);
  await editOriginal(addressOf(journey), drawn, toolsOf(deps));
}

export async function showProgress(
  deps: RespondDeps,
  journey: Journey,
  { done, ...progress }: Progress,
): Promise<void> {
  journey.hasProgress = true;
  const { interaction } = journey;
  const words = wordsFor(interaction, deps.services.languages);
  const bar = done === undefined ? undefined : progressBar(done, words);
  const text = [bar, progress.text].filter((line) => line !== undefined);
  const notice = { kind: "notice", tone: "info", ...progress } as const;
  const drawn = renderPlain(
    { ...notice, ...(text.length > 0 && { text: join(text, "\n") }) },
    words,
  );
  const components = [cancelRow(words.say("common.cancel"), encodeCancelId(interaction.id))];
  const payload = { ...drawn.payload, components };
  await editOriginal(addressOf(journey), { ...drawn, payload }, toolsOf(deps));
}

/** A failure after the first answer, in its place or beside it. */
export async function sendFailure(
  deps: RespondDeps,
  to: AcknowledgedTo,
  error: unknown,
): Promise<void> {
  const { journey, answer } = to;
  const drawn = await drawFailure(deps, to, error);
  // Progress has taken the place of what was pressed; left there, it would look as if it went on.
  const isInPlace = answer === "update" && journey.hasProgress && isEphemeral(journey.interaction);
  if (answer !== "private" && !isInPlace) return sendBeside(deps, to, drawn);
  await editOriginal(addressOf(journey), drawn, toolsOf(deps));
}

/** For the person alone: an answer that was for all to see can't become private, so it goes. */
async function sendBeside(
  deps: RespondDeps,
  { journey, answer }: AcknowledgedTo,
  drawn: Rendered,
): Promise<void> {
  const tools = toolsOf(deps);
  if (answer === "public") await deleteOriginal(addressOf(journey), tools);
  await followUpPrivately(addressOf(journey), drawn, tools);
}

/** With the way back to the form, so that nothing typed is lost; without it where the store can't keep it. */
async function drawFailure(
  deps: RespondDeps,
  { journey, asker }: To,
  error: unknown,
): Promise<Rendered> {
  const { form, isOnce } = journey;
  const mayBeDone = !(error instanceof BotError) || error.outcome !== "nothing";
  const notice = told(journey, error, asker.words, reaches(asker.rank, "owner"));
  const plain = renderPlain(notice, asker.words);
  const isForGood = form === undefined || (isOnce === true && mayBeDone);
  const back = isForGood ? [] : [backTo(form, asker.words)];
  const invite = inviteOf(error, asker.words, { journey, deps });
  const buttons = [...back, ...remedyOf(error, asker, journey.as), ...invite];
  if (buttons.length === 0) return plain;
  return deps.drawing
    .message({ ...notice, buttons }, { ...asker, isPrivate: true }, journey.as)
    .catch(() => plain);
}

function toolsOf({ rest, services }: RespondDeps): SendTools {
  return { rest, random: services.random };
}

function addressOf({ interaction }: Journey): Address {
  return { applicationId: interaction.application_id, token: interaction.token };
}

/** Of what has no presses. */
function renderPlain(notice: Notice, words: Words): Rendered {
  return render(notice, { words, name: () => "none" });
}

function isEphemeral(interaction: APIInteraction): boolean {
  const flags = "message" in interaction ? (interaction.message?.flags ?? 0) : 0;
  return (flags & MessageFlags.Ephemeral) !== 0;
}

function backTo(form: Form, words: Words): Button {
  return { label: words.say("common.back_to_form"), style: "primary", press: againPress(form) };
}

/** Known failures are logged whole by their code; a stack helps only with what nobody foresaw. */
function told(journey: Journey, error: unknown, words: Words, isOwner?: boolean): Notice {
  const { name, reference } = journey;
  journey.failure = failureOf(error);
  if (error instanceof BotError) {
    const { code, message: reason, cause } = error;
    journey.log().warn("failed", { name, code, reason, ...(cause ? { cause } : {}) });
  } else journey.log().error("failed", { name, code: "bug", error });
  const around = { path: pathOf(journey.interaction), spent: journey.spent, isOwner };
  return explain(error, reference, words, around);
}

/** Failures that a consent of the channel mends. */
const mended: Readonly<Record<string, "common.reconnect" | "common.link_channel">> = {
  invalid_grant: "common.reconnect",
  grant_seven_days: "common.reconnect",
  access_token_over: "common.reconnect",
  scope_missing: "common.reconnect",
  channel_missing: "common.link_channel",
};

/** Where the bot is added to a server in which only its commands are: for anybody, because Discord asks who may. */
function inviteOf(
  error: unknown,
  words: Words,
  { journey, deps }: { readonly journey: Journey; readonly deps: RespondDeps },
): readonly Button[] {
  if (!(error instanceof BotError) || error.code !== "bot_not_in_server") return [];
  const url = inviteLink(journey.interaction.application_id, deps.rest.options.api);
  return [{ label: words.say("common.add_bot"), url }];
}

/** What the person can press to mend a failure: for who may connect, and about the channel that acted. */
function remedyOf(
  error: unknown,
  { rank, words }: Pick<Asker, "rank" | "words">,
  as: string | undefined,
): readonly Button[] {
  const label = error instanceof BotError ? mended[error.code] : undefined;
  if (label === undefined || !reaches(rank, "owner")) return [];
  const { permission } = (error as BotError).facts;
  // No link that is made here would help.
  if (permission === "none") return [];
  const state = {
    ...(as !== undefined && { channelId: as }),
    ...(typeof permission === "string" && { permission }),
  };
  const press = presses.connection.reconnect(state);
  return [{ label: words.say(label), style: "primary", press }];
}
