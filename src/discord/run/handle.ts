import type { APIMessage } from "discord.js";
import { InteractionType } from "discord-api-types/v10";
import { withTimeout } from "../../clock.ts";
import { ServiceError } from "../../errors.ts";
import { asMaybeDone, LostError, whileOwned, withoutOwner } from "../../ownership.ts";
import type { Answer, HandlerDeclaration } from "../declare/command.ts";
import { helpMs, openMs } from "../draw/limits.ts";
import type { Form, Reply } from "../draw/reply.ts";
import type { ActingAs, DispatchDeps, View } from "./feature-contexts.ts";
import type { HandlerCall } from "./handler-context.ts";
import {
  type AcknowledgedInteraction,
  type AskedInteraction,
  type Interaction,
  interruptedError,
  type RunningInteraction,
} from "./interaction.ts";
import type { PlannedWork } from "./plan.ts";
import { createProgressReporter } from "./progress.ts";
import { mayHaveMore } from "./requester.ts";
import {
  awaitedAnswer,
  deferrals,
  openForm,
  replaceReply,
  sendFailure,
  sendFirst,
  sendReply,
  showProgress,
} from "./respond.ts";

interface AnswerOptions {
  readonly answer: Answer;
  /** Whether a form that the reply opens may be the first answer, for work that only reads. */
  readonly opensForm?: boolean;
}

/** Acknowledges, runs the work, answers; a failure is shown where the answer would have been. */
export async function runAndReply(
  deps: DispatchDeps,
  asked: AskedInteraction,
  options: AnswerOptions,
  run: (interaction: RunningInteraction) => Promise<Reply>,
): Promise<void> {
  const { requester, raw } = asked;
  const running = deps.running.start(raw.id, requester);
  const held = deps.admission.hold({ tenant: requester.guildId, person: requester.userId });
  const interaction = Object.assign(asked, { answer: options.answer, running, held });
  const opensForm = options.opensForm === true && asked.interrupted === undefined;
  try {
    if (!opensForm && !(await isWaiting(deps, interaction))) return;
    // What ran was stopped when the process got another id; nothing begins after that.
    if (interaction.processId !== deps.services.processId) throw new LostError();
    const work = run(interaction);
    if (opensForm) {
      const form = await formInTime(deps, interaction, work);
      if (form !== undefined) await openForm(deps, interaction, form);
      if (form !== undefined || !(await isWaiting(deps, interaction))) return;
    }
    const shown = await sendReply(deps, interaction, await work);
    if (interaction.afterwards && shown) void drawAgain(deps, interaction, shown);
    const ms = deps.services.now() - interaction.arrivedAt;
    interaction.log().info("answered", { name: interaction.name, ms });
  } catch (error) {
    if (await canHandOver(deps, interaction, error)) {
      interaction.isHandedOver = true;
      return;
    }
    // If the store fails after a write was sent, something may be done.
    const isStoreAway = error instanceof ServiceError && error.code === "store_unavailable";
    const isAfterWrite = interaction.hasWritten === true && isStoreAway;
    const failure = isAfterWrite ? asMaybeDone(error) : error;
    await sendFailure(deps, interaction, failure).catch((lost: unknown) => {
      if (lost instanceof LostError) throw lost;
      interaction.isLost = true;
      interaction.log().error("a failure was not shown", { name: interaction.name, error: lost });
    });
  } finally {
    running.end();
    held.close();
  }
}

/**
 * Acknowledges; false where nobody waits for the answer any more.
 * @throws ServiceError `discord_down` where nobody can know, so that nothing is done
 */
async function isWaiting(
  deps: DispatchDeps,
  interaction: AcknowledgedInteraction,
): Promise<boolean> {
  if (interaction.interrupted !== undefined) {
    return (await awaitedAnswer(deps, interaction)) !== undefined;
  }
  const result = await sendFirst(deps, interaction, deferrals[interaction.answer]);
  if (result !== "unread") return result === "accepted";
  throw new ServiceError("Discord can't be asked what it has", { code: "discord_down" });
}

/** The form that the work's reply opens, where it is there in time. Never rejects; the work's own failure is shown later. */
async function formInTime(
  { services }: DispatchDeps,
  { arrivedAt }: Interaction,
  work: Promise<Reply>,
): Promise<Form | undefined> {
  try {
    const reply = await withTimeout(() => work, { timeoutMs: arrivedAt + openMs - services.now() });
    return reply.kind === "form" ? undefined : reply.formBehindButton;
  } catch {
    // Nobody else may come to wait for it.
    work.catch(() => undefined);
    return undefined;
  }
}

/** Draws the answer once more when what it told of is over. Never rejects. */
async function drawAgain(
  deps: DispatchDeps,
  interaction: RunningInteraction,
  shown: APIMessage,
): Promise<void> {
  const running = deps.running.start(`${interaction.raw.id} again`, interaction.requester);
  try {
    const reply = await interaction.afterwards?.(running.signal);
    if (reply !== undefined) await replaceReply(deps, interaction, { shown, reply });
  } catch (error) {
    interaction.log().debug("an answer was not drawn again", { error });
  } finally {
    running.end();
  }
}

/** Whether another process goes on with it: it has taken it over, or can repeat what a restart has stopped. */
async function canHandOver(
  { open, services, features }: DispatchDeps,
  interaction: RunningInteraction,
  error: unknown,
): Promise<boolean> {
  const { declaration } = interaction;
  if (error instanceof LostError || interaction.running.signal.reason instanceof LostError) {
    if (interaction.processId !== services.processId) return true;
    // If the interaction is still this process's, only a turn was lost. The answer is for its owner alone anyway.
    return !(await open.isOwned(interaction).catch(() => true));
  }
  const isRestart = error instanceof ServiceError && error.code === "restarting";
  if (!open.isShared || !isRestart || declaration === undefined) return false;
  return features.mayRepeat(declaration);
}

/**
 * Nobody knows how far a process that ended had come. What only reads is done again; for the rest, its person has to look.
 * @throws ServiceError `interrupted`
 */
export function refuseInterrupted(
  { features }: DispatchDeps,
  interaction: Interaction,
  declaration: HandlerDeclaration,
): void {
  interaction.declaration = declaration;
  const { interrupted } = interaction;
  if (interrupted === undefined) return;
  if (interrupted !== "again" && features.mayRepeat(declaration)) return;
  throw interruptedError(features.whereToLook(declaration));
}

/** Reads the options of a command or a menu and calls its handler. */
export async function runWork(
  deps: DispatchDeps,
  interaction: RunningInteraction,
  { plan, view }: { readonly plan: PlannedWork; readonly view: View },
): Promise<Reply> {
  const { guildId, settings, words } = interaction.requester;
  const { declaration } = plan;
  refuseInterrupted(deps, interaction, declaration);
  const timeZone = settings.timeZone ?? "UTC";
  const now = deps.services.now();
  const options = (await plan.options?.({ guildId, now, tag: words.tag, timeZone })) ?? {};
  const message = plan.message as APIMessage | undefined;
  return handle(deps, interaction, { declaration, view, options, message, run: plan.run });
}

/** A handler, and what it is called with. */
interface Handling extends HandlerCall {
  readonly declaration: HandlerDeclaration;
  readonly view: View;
  /** With the context that it was declared with. */
  readonly run: (ctx: never) => Promise<Reply>;
}

/** A handler that is stopped gets this long to report what it leaves behind. */
const lastWordMs = 1000;

/** Calls a handler with its feature's context, and shows its progress. */
export async function handle(
  deps: DispatchDeps,
  interaction: RunningInteraction,
  { declaration, view, run, ...call }: Handling,
): Promise<Reply> {
  const { requester, running, as } = interaction;
  // The rank suffices for the call, but what is offered and how much may be spent depend on it too.
  if (mayHaveMore(requester)) {
    await withTimeout(requester.learnRoles, { timeoutMs: helpMs }).catch(() => undefined);
  }
  const progress = createProgressReporter(
    (notice) => withoutOwner(() => showProgress(deps, interaction, notice)),
    (error) => interaction.log().warn("progress was not shown", { error }),
  );
  const feature = await deps.features.open(
    { interaction, call, progress, deps },
    {
      declaration,
      view,
      command: interaction.name ?? "",
      isPress: interaction.raw.type !== InteractionType.ApplicationCommand,
      as: chosenAs(call.options.as) ?? (as === undefined ? as : { name: as, isChosen: false }),
    },
  );
  if (feature.as !== undefined) interaction.as = feature.as;
  try {
    await feature.requireBudget();
    // Asked right before each write to YouTube, remove.bg or Discord. Work that was stopped writes nothing more: its person was
    // told, or another process has it.
    const mayWrite = async () => {
      const isOwned = !deps.open.isShared || (await deps.open.isOwned(interaction));
      const mayGoOn = isOwned && !running.signal.aborted;
      if (mayGoOn) interaction.hasWritten = true;
      return mayGoOn;
    };
    const begun = whileOwned(mayWrite, () => run(feature.ctx as never));
    const stopped = Promise.withResolvers<never>();
    running.onStop((reason) => setTimeout(stopped.reject, lastWordMs, reason).unref());
    const reply = await Promise.race([begun, stopped.promise]);
    return reply.kind === "form" ? reply : await feature.addFoot(reply);
  } catch (error) {
    const cost = await feature.describeCost();
    if (cost !== undefined) interaction.spent = cost;
    throw error instanceof LostError && running.signal.aborted ? running.signal.reason : error;
  } finally {
    await progress.stop();
  }
}

/** What the option `as` says. */
export function chosenAs(as: unknown): ActingAs | undefined {
  return typeof as === "string" && as !== "" ? { name: as, isChosen: true } : undefined;
}
