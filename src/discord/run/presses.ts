import { AccessError, BotError } from "../../errors.ts";
import { storedIn } from "../../store/index.ts";
import { type StartedWork, tooOld } from "../access/authorise.ts";
import type { Action } from "../declare/command.ts";
import type { Form, Reply } from "../draw/reply.ts";
import type { AskedPress } from "./asked-press.ts";
import { reopenForm } from "./failure-buttons.ts";
import type { Interaction } from "./interaction.ts";
import type { InteractionDeps } from "./interaction-deps.ts";
import type { PlannedPress } from "./plan.ts";
import type { StoredPress } from "./reply-renderer.ts";

/** What a button, a select or a form does. */
interface FoundPress {
  readonly action: Action;
  readonly state: unknown;
  readonly begun: StartedWork;
  /** The form that was submitted, when it may be opened again. */
  readonly form: Form | undefined;
  /** The linked channel that it continues to act as, where its reply was about one. */
  readonly as: string | undefined;
  /** Whether its message keeps its presses for its whole life. */
  readonly isKept: boolean;
  /** Of a button that deletes or disconnects: when it was shown. */
  readonly asked: AskedPress | undefined;
}

/**
 * The action and its state; whether the person may use it has to be checked after this.
 * @throws AccessError `too_old`; ServiceError `store_unavailable`
 */
export async function findPress(
  { routes, services }: InteractionDeps,
  plan: PlannedPress,
): Promise<FoundPress> {
  const kept = storedIn(await services.store.continuations.read(plan.handle));
  if (kept === undefined) throw tooOld("handle");
  const presses = kept.state as readonly StoredPress[];
  const pressed = presses[plan.index];
  const action = pressed === undefined ? undefined : routes.actions.get(pressed.action);
  if (pressed === undefined || action === undefined) throw tooOld("press");
  const { guildId, userId } = kept;
  const begun = { guildId, userId, isPrivate: pressed.isPrivate };
  const [, again] = presses;
  // Only a form's submission is stored together with the form.
  const form = again?.action === reopenForm.name && plan.index === 0 ? again.state : undefined;
  const { state, as, asked, isKept = false } = pressed;
  return { action, state, begun, form: form as Form | undefined, as, isKept, asked };
}

interface OncePress extends Pick<PlannedPress, "handle" | "index"> {
  readonly isKept: boolean;
  readonly interaction: Interaction;
}

/**
 * Carries out what must not happen twice, in whichever processes it was pressed. A press that failed without any effect
 * may be tried again; so may a kept press, because its message's other presses live as long as it does.
 * @throws AccessError `under_way` or `too_old`; what `carryOut` throws
 */
export async function pressOnce(
  deps: InteractionDeps,
  { handle, index, isKept, interaction }: OncePress,
  carryOut: () => Promise<Reply>,
): Promise<Reply> {
  const name = isKept ? `${handle}:${index}` : handle;
  if (!(await deps.open.holdOnce(interaction, name))) {
    throw new AccessError("pressed while it is carried out", {
      code: "under_way",
      facts: { isThere: true },
    });
  }
  // It may have been carried out between the look-up and this hold.
  const { continuations } = deps.services.store;
  if (!isKept && storedIn(await continuations.read(handle)) === undefined) throw tooOld("handle");
  try {
    const reply = await carryOut();
    if (!isKept) await forget(deps, handle, interaction);
    return reply;
  } catch (error) {
    const mayBeDone = !(error instanceof BotError) || error.outcome !== "nothing";
    if (mayBeDone && !isKept) await forget(deps, handle, interaction);
    throw error;
  }
}

/** The work is done, so a store that fails now must not turn it into a failure. `close` tries again where this fails. */
async function forget(
  { services: { store, log } }: InteractionDeps,
  handle: string,
  interaction: Interaction,
): Promise<void> {
  interaction.beforeClose = async () => {
    await store.continuations.remove(handle);
    delete interaction.beforeClose;
  };
  await interaction.beforeClose().catch((error: unknown) => {
    log.warn("a press was not forgotten", { error });
  });
}
