import { type APIInteraction, InteractionResponseType, MessageFlags, type REST } from "discord.js";
import { BotError } from "../../errors.ts";
import type { Answer } from "../declare/command.ts";
import type { Progress } from "../declare/ctx.ts";
import type { Choice } from "../declare/options.ts";
import type { Routes } from "../declare/routes.ts";
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
import { deleteOriginal, editOriginal, followUpPrivately } from "../wire/send.ts";
import { type Asker, type Services, wordsFor } from "./context.ts";
import { createDrawing } from "./drawing.ts";
import { againPress } from "./form-again.ts";
import type { Journey } from "./journey.ts";
import { failureOf } from "./observer.ts";
import { pathOf } from "./plan.ts";

export interface RespondParts {
  readonly routes: Routes;
  readonly services: Services;
  /** For first answers: of `createCallbackRest`. */
  readonly callbackRest: REST;
  /** For everything after. */
  readonly rest: REST;
}

/** Everything that goes back to Discord. Only this and `register` send. */
export interface Respond {
  /** The first answer, while the work goes on. */
  defer(journey: Journey, answer: Answer): Promise<Acknowledged>;
  /** A press that stopped other work changes nothing by itself. */
  deferUpdate(journey: Journey): Promise<Acknowledged>;
  suggest(journey: Journey, choices: readonly Choice[]): Promise<Acknowledged>;
  openForm(journey: Journey, asker: Asker, form: Form): Promise<Acknowledged>;
  /** A failure as the first answer, for the person alone. */
  refuse(journey: Journey, error: unknown): Promise<Acknowledged>;
  reply(journey: Journey, to: To, reply: Reply): Promise<void>;
  progress(journey: Journey, progress: Progress): Promise<void>;
  /** A failure after the first answer, in its place or beside it. */
  fail(journey: Journey, to: To, error: unknown): Promise<void>;
}

/** Who asked, and how it was acknowledged. */
interface To {
  readonly asker: Asker;
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

export function createRespond(parts: RespondParts): Respond {
  const { services, routes } = parts;
  const { random, now } = services;
  const tools = { rest: parts.rest, random };

  async function first(journey: Journey, answer: FirstAnswer): Promise<Acknowledged> {
    const { interaction, arrivedAt } = journey;
    const callback = { rest: parts.callbackRest, random, now };
    const outcome = await acknowledge(interaction, answer, arrivedAt, callback);
    if (outcome === "accepted") journey.acknowledgedAt = now();
    else journey.log().error("was not acknowledged in time");
    return outcome;
  }

  function address({ interaction }: Journey) {
    return { applicationId: interaction.application_id, token: interaction.token };
  }

  function inviteFor({ interaction }: Journey): string {
    return inviteLink(interaction.application_id, parts.rest.options.api);
  }

  const drawing = createDrawing({ routes, continuations: services.store.continuations });

  /** With the way back to the form, so that nothing typed is lost; without it where the store can't keep it. */
  async function drawFailure(journey: Journey, asker: Asker, error: unknown): Promise<Rendered> {
    const { form, isOnce } = journey;
    const mayBeDone = !(error instanceof BotError) || error.outcome !== "nothing";
    const notice = told(journey, error, asker.words, reaches(asker.rank, "owner"));
    const plain = render(notice, { words: asker.words, name: () => "none" });
    const isForGood = form === undefined || (isOnce === true && mayBeDone);
    const back = isForGood ? [] : [backTo(form, asker.words)];
    const invite = inviteOf(error, () => inviteFor(journey), asker.words);
    const buttons = [...back, ...remedyOf(error, asker, journey.as), ...invite];
    if (buttons.length === 0) return plain;
    return drawing
      .message({ ...notice, buttons }, { ...asker, isPrivate: true }, journey.as)
      .catch(() => plain);
  }

  return {
    defer: (journey, answer) => first(journey, deferrals[answer]),
    deferUpdate: (journey) => first(journey, deferrals.update),
    suggest: (journey, choices) =>
      first(journey, {
        type: InteractionResponseType.ApplicationCommandAutocompleteResult,
        data: { choices },
      }),
    async openForm(journey, asker, form) {
      const data = await drawing.form(form, asker, journey.as);
      return first(journey, { type: InteractionResponseType.Modal, data });
    },
    refuse(journey, error) {
      const words = wordsFor(journey.interaction, services.languages);
      const buttons = inviteOf(error, () => inviteFor(journey), words);
      const notice = { ...told(journey, error, words), buttons };
      const drawn = render(notice, { words, name: () => "none" });
      const { attachments: _, ...data } = drawn.payload;
      return first(journey, {
        type: InteractionResponseType.ChannelMessageWithSource,
        data: { ...data, flags: data.flags | MessageFlags.Ephemeral },
      });
    },
    async reply(journey, { asker, answer }, reply) {
      if (reply.kind === "form") throw new TypeError("a form has to be the first answer");
      const isShownToAll =
        answer === "public" || (answer === "update" && !isEphemeral(journey.interaction));
      const isPrivate = reply.isPrivate === true || !isShownToAll;
      const drawn = await drawing.message(reply, { ...asker, isPrivate }, journey.as);
      if (reply.isPrivate !== true || !isShownToAll) {
        await editOriginal(address(journey), drawn, tools);
        return;
      }
      // The first answer is for all to see and can't become private.
      if (answer === "public") await deleteOriginal(address(journey), tools);
      await followUpPrivately(address(journey), drawn, tools);
    },
    async progress(journey, { done, ...progress }) {
      journey.hasProgress = true;
      const words = wordsFor(journey.interaction, services.languages);
      const notice = { kind: "notice", tone: "info", ...progress } as const;
      const bar = done === undefined ? undefined : progressBar(done, words);
      const text = [bar, notice.text].filter((line) => line !== undefined);
      const drawn = render(
        { ...notice, ...(text.length > 0 && { text: join(text, "\n") }) },
        { words, name: () => "none" },
      );
      const components = [
        cancelRow(words.say("common.cancel"), encodeCancelId(journey.interaction.id)),
      ];
      const payload = { ...drawn.payload, components };
      await editOriginal(address(journey), { ...drawn, payload }, tools);
    },
    async fail(journey, { asker, answer }, error) {
      const drawn = await drawFailure(journey, asker, error);
      // Progress has taken the place of what was pressed; left there, it would look as if it went on.
      const isInPlace =
        answer === "update" && journey.hasProgress && isEphemeral(journey.interaction);
      if (answer === "private" || isInPlace) {
        await editOriginal(address(journey), drawn, tools);
        return;
      }
      // The first answer was for all to see and can't become private, so it goes and the failure is told beside it.
      if (answer === "public") await deleteOriginal(address(journey), tools);
      await followUpPrivately(address(journey), drawn, tools);
    },
  };
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
function inviteOf(error: unknown, link: () => string, words: Words): readonly Button[] {
  const isAbsent = error instanceof BotError && error.code === "bot_not_in_server";
  return isAbsent ? [{ label: words.say("common.add_bot"), url: link() }] : [];
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
