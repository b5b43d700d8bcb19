import type { Answer, HandlerDeclaration } from "../declare/command.ts";
import type { Reply } from "../draw/reply.ts";
import type { AdmissionHold } from "./admission.ts";
import type { InteractionDeps } from "./interaction-deps.ts";
import { interruptedError, type ReceivedInteraction } from "./received-interaction.ts";
import type { Requester } from "./requester.ts";
import { defer, isAwaited, sendFailure, sendReply } from "./respond.ts";
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

/** Acknowledges, runs the work, answers; a failure is shown where the answer would have been. */
export async function runAndReply(
  deps: InteractionDeps,
  to: StartedInteraction & { readonly answer: Answer },
  run: (who: RunningInteraction) => Promise<Reply>,
): Promise<void> {
  const { received, requester, answer } = to;
  const isWaiting =
    received.interrupted === undefined
      ? (await defer(deps, received, answer)) === "accepted"
      : await isAwaited(deps, to);
  if (!isWaiting) return;
  const running = deps.running.start(received.interaction.id, requester);
  const held = deps.admission.hold({ tenant: requester.guildId, person: requester.userId });
  try {
    await sendReply(deps, to, await run({ received, requester, running, held }));
    const ms = deps.services.now() - received.arrivedAt;
    received.log().info("answered", { name: received.name, ms });
  } catch (error) {
    if (canHandOver(deps, received, error)) {
      received.isHandedOver = true;
      return;
    }
    await sendFailure(deps, to, error).catch((lost: unknown) => {
      received.isLost = true;
      received.log().error("a failure was not shown", { name: received.name, error: lost });
    });
  } finally {
    running.end();
    held.close();
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
  const { interrupted, isRepeatable } = received;
  if (interrupted === undefined || (isRepeatable && interrupted !== "again")) return;
  throw interruptedError(features.whereToLook(declaration));
}

/** Whether another process can go on with work that a restart has stopped. */
function canHandOver(
  { open }: Pick<InteractionDeps, "open">,
  { isRepeatable }: ReceivedInteraction,
  error: unknown,
): boolean {
  return open.isShared && isRepeatable === true && isRestart(error);
}
