import { type APIMessage, InteractionType } from "discord.js";
import { withTimeout } from "../../clock.ts";
import { LostError, whileOwned, withoutOwner } from "../../ownership.ts";
import type { HandlerDeclaration } from "../declare/command.ts";
import { helpMs } from "../draw/limits.ts";
import type { Reply } from "../draw/reply.ts";
import type { ActingAs, View } from "./feature-contexts.ts";
import { type HandlerCall, HandlerContext } from "./handler-context.ts";
import type { InteractionDeps } from "./interaction-deps.ts";
import { createProgressReporter } from "./progress.ts";
import type { ReceivedInteraction } from "./received-interaction.ts";
import { mayHaveMore } from "./requester.ts";
import { showProgress } from "./respond.ts";
import type { RunningInteraction } from "./run-and-reply.ts";
import type { RunningHandler } from "./running-handlers.ts";

/** What a handler is called with. */
interface HandlerRun extends RunningInteraction, Pick<HandlerCall, "options"> {
  readonly declaration: HandlerDeclaration;
  readonly view: View;
  readonly message: APIMessage | undefined;
}

/** Calls a handler with its feature's context, and shows its progress. */
export async function handle(
  deps: InteractionDeps,
  run: HandlerRun,
  handler: (ctx: never) => Promise<Reply>,
): Promise<Reply> {
  const { received, requester, running, declaration, options, view } = run;
  // The rank suffices for the call, but what is offered and how much may be spent depend on it too.
  if (mayHaveMore(requester)) {
    await withTimeout(requester.learnRoles, { timeoutMs: helpMs }).catch(() => undefined);
  }
  const progress = createProgressReporter(
    (notice) => withoutOwner(() => showProgress(deps, received, notice)),
    (error) => received.log().warn("progress was not shown", { error }),
  );
  const interaction = new HandlerContext({ call: { ...run, progress }, deps });
  const call = await deps.features.open(interaction, {
    declaration,
    view,
    command: received.name ?? "",
    isPress: received.interaction.type !== InteractionType.ApplicationCommand,
    as: chosenAs(options.as) ?? carriedAs(received),
  });
  if (call.as !== undefined) received.as = call.as;
  try {
    await call.requireBudget();
    // Asked right before each write to a service. Work that was stopped writes nothing more: its person was told, or another
    // process has it.
    const mayWrite = async () => {
      const isOwned = !deps.open.isShared || (await deps.open.isOwned(received));
      const mayGoOn = isOwned && !running.signal.aborted;
      if (mayGoOn) received.hasWritten = true;
      return mayGoOn;
    };
    const begun = whileOwned(mayWrite, () => handler(call.ctx as never));
    const reply = await Promise.race([begun, stopped(running)]);
    return reply.kind === "form" ? reply : await call.addFoot(reply);
  } catch (error) {
    const cost = await call.describeCost();
    if (cost !== undefined) received.spent = cost;
    throw error instanceof LostError && running.signal.aborted ? running.signal.reason : error;
  } finally {
    await progress.stop();
  }
}

/** What the option `as` says. */
export function chosenAs(as: unknown): ActingAs | undefined {
  return typeof as === "string" && as !== "" ? { name: as, isChosen: true } : undefined;
}

function carriedAs({ as }: ReceivedInteraction): ActingAs | undefined {
  return as === undefined ? undefined : { name: as, isChosen: false };
}

/** A handler that is stopped gets this long to report what it leaves behind. */
const lastWordMs = 1000;

function stopped(running: RunningHandler): Promise<never> {
  return new Promise((_, reject) => {
    running.onStop((reason) => setTimeout(reject, lastWordMs, reason).unref());
  });
}
