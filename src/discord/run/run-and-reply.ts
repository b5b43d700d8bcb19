import type { APIMessage } from "discord.js";
import { withTimeout } from "../../clock.ts";
import { ServiceError } from "../../errors.ts";
import { asMaybeDone, LostError } from "../../ownership.ts";
import type { Answer, HandlerDeclaration } from "../declare/command.ts";
import { openMs } from "../draw/limits.ts";
import type { Form, Reply } from "../draw/reply.ts";
import type { AdmissionHold } from "./admission.ts";
import type { InteractionDeps } from "./interaction-deps.ts";
import { interruptedError, type ReceivedInteraction } from "./received-interaction.ts";
import type { Requester } from "./requester.ts";
import { awaitedAnswer, defer, openForm, replaceReply, sendFailure, sendReply } from "./respond.ts";
import { isRestart, type RunningHandler } from "./running-handlers.ts";

/** An interaction whose person is known. */
export interface StartedInteraction {
  readonly received: ReceivedInteraction;
  readonly requester: Requester;
}

/** An interaction whose work is running. */
export interface RunningInteraction extends StartedInteraction {
  readonly running: RunningHandler;
  /** The files that it holds until its answer is sent. */
  readonly held: AdmissionHold;
}

/** Who gets an answer, and how. */
interface AnsweredInteraction extends StartedInteraction {
  readonly answer: Answer;
  /** Whether a form that the reply opens may be the first answer, for work that only reads. */
  readonly opensForm?: boolean;
}

/** Acknowledges, runs the work, answers; a failure is shown where the answer would have been. */
export async function runAndReply(
  deps: InteractionDeps,
  to: AnsweredInteraction,
  run: (who: RunningInteraction) => Promise<Reply>,
): Promise<void> {
  const { received, requester } = to;
  const opensForm = to.opensForm === true && received.interrupted === undefined;
  const running = deps.running.start(received.interaction.id, requester);
  const held = deps.admission.hold({ tenant: requester.guildId, person: requester.userId });
  try {
    if (!opensForm && !(await isWaiting(deps, to))) return;
    // What ran was stopped when the process got another id; nothing begins after that.
    if (received.processId !== deps.services.processId) throw new LostError();
    const work = run({ received, requester, running, held });
    if (opensForm) {
      const form = await formInTime(deps, to, work);
      if (form !== undefined) await openForm(deps, to, form);
      if (form !== undefined || !(await isWaiting(deps, to))) return;
    }
    const shown = await sendReply(deps, to, await work);
    if (shown !== undefined) void drawAgain(deps, to, shown);
    const ms = deps.services.now() - received.arrivedAt;
    received.log().info("answered", { name: received.name, ms });
  } catch (error) {
    if (await canHandOver(deps, received, { error, running })) {
      received.isHandedOver = true;
      return;
    }
    // If the store fails after a write was sent, something may be done.
    const isAfterWrite = received.hasWritten === true && isStoreAway(error);
    const failure = isAfterWrite ? asMaybeDone(error) : error;
    await sendFailure(deps, to, failure).catch((lost: unknown) => {
      if (lost instanceof LostError) throw lost;
      received.isLost = true;
      received.log().error("a failure was not shown", { name: received.name, error: lost });
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
async function isWaiting(deps: InteractionDeps, to: AnsweredInteraction): Promise<boolean> {
  const { received, answer } = to;
  if (received.interrupted !== undefined) {
    return (await awaitedAnswer(deps, received)) !== undefined;
  }
  const result = await defer(deps, received, answer);
  if (result !== "unread") return result === "accepted";
  throw new ServiceError("Discord can't be asked what it has", { code: "discord_down" });
}

/** The form that the work's reply opens, where it is there in time. Never rejects; the work's own failure is shown later. */
async function formInTime(
  { services }: InteractionDeps,
  { received }: AnsweredInteraction,
  work: Promise<Reply>,
): Promise<Form | undefined> {
  const timeoutMs = received.arrivedAt + openMs - services.now();
  try {
    const reply = await withTimeout(() => work, { timeoutMs });
    return reply.kind === "form" ? undefined : reply.opens;
  } catch {
    // Nobody else may come to wait for it.
    work.catch(() => undefined);
    return undefined;
  }
}

/** Draws the answer once more when what it told of is over, where its handler wants that. Never rejects. */
async function drawAgain(
  deps: InteractionDeps,
  to: StartedInteraction & { readonly answer: Answer },
  shown: APIMessage,
): Promise<void> {
  const { received, requester } = to;
  if (received.afterwards === undefined) return;
  const running = deps.running.start(`${received.interaction.id} again`, requester);
  try {
    const reply = await received.afterwards(running.signal);
    if (reply !== undefined) await replaceReply(deps, to, { shown, reply });
  } catch (error) {
    received.log().debug("an answer was not drawn again", { error });
  } finally {
    running.end();
  }
}

/**
 * Nobody knows how far a process that ended had come. What only reads is done again; for the rest, its person has to look.
 * @throws ServiceError `interrupted`
 */
export function refuseInterrupted(
  { features }: Pick<InteractionDeps, "features">,
  received: ReceivedInteraction,
  declaration: HandlerDeclaration,
): void {
  received.isRepeatable = features.mayRepeat(declaration);
  received.mayChange = features.mayChange(declaration);
  const { interrupted, isRepeatable } = received;
  if (interrupted === undefined || (isRepeatable && interrupted !== "again")) return;
  throw interruptedError(features.whereToLook(declaration));
}

function isStoreAway(error: unknown): boolean {
  return error instanceof ServiceError && error.code === "store_unavailable";
}

/** Whether another process goes on with it: it has taken it over, or can repeat what a restart has stopped. */
async function canHandOver(
  { open, services }: Pick<InteractionDeps, "open" | "services">,
  received: ReceivedInteraction,
  { error, running }: { readonly error: unknown; readonly running: RunningHandler },
): Promise<boolean> {
  if (error instanceof LostError || running.signal.reason instanceof LostError) {
    if (received.processId !== services.processId) return true;
    // If the interaction is still this process's, only a turn was lost. The answer is for its owner alone anyway.
    return !(await open.isOwned(received).catch(() => true));
  }
  return open.isShared && received.isRepeatable === true && isRestart(error);
}
