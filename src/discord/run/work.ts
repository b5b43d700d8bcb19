import type { Answer } from "../declare/command.ts";
import type { Reply } from "../draw/reply.ts";
import type { Holding } from "./admission.ts";
import type { Asker } from "./context.ts";
import type { InteractionDeps } from "./interaction-deps.ts";
import type { Journey } from "./journey.ts";
import { defer, sendFailure, sendReply } from "./respond.ts";
import type { RunningHandler } from "./running-handlers.ts";

/** An interaction whose person is known. */
export interface StartedInteraction {
  readonly journey: Journey;
  readonly asker: Asker;
}

/** Whose work it is. */
export interface RunningInteraction extends StartedInteraction {
  readonly running: RunningHandler;
  /** Files that it holds until its answer was sent. */
  readonly held: Holding;
}

/** Acknowledges, works, answers; a failure is told where the answer would have been. */
export async function workFor(
  deps: InteractionDeps,
  to: StartedInteraction & { readonly answer: Answer },
  run: (who: RunningInteraction) => Promise<Reply>,
): Promise<void> {
  const { journey, asker, answer } = to;
  if ((await defer(deps, journey, answer)) === "expired") return;
  const running = deps.running.start(journey.interaction.id, asker);
  const held = deps.admission.hold({ tenant: asker.guildId, person: asker.userId });
  try {
    await sendReply(deps, to, await run({ journey, asker, running, held }));
    const ms = deps.services.now() - journey.arrivedAt;
    journey.log().info("answered", { name: journey.name, ms });
  } catch (error) {
    await sendFailure(deps, to, error).catch((lost: unknown) => {
      journey.isLost = true;
      journey.log().error("a failure was not told", { name: journey.name, error: lost });
    });
  } finally {
    running.end();
    held.close();
  }
}
