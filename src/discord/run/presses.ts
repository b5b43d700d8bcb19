import { AccessError, BotError } from "../../errors.ts";
import type { Log } from "../../log.ts";
import type { Continuations } from "../../store/index.ts";
import { type Begun, tooOld } from "../access/authorise.ts";
import { storedIn } from "../access/store-unavailable.ts";
import type { Action } from "../declare/command.ts";
import type { Routes } from "../declare/routes.ts";
import type { Form, Reply } from "../draw/reply.ts";
import type { KeptPress } from "./drawing.ts";
import { formAgain } from "./form-again.ts";
import type { Pressed } from "./plan.ts";

export interface PressesDeps {
  readonly routes: Pick<Routes, "actions">;
  readonly continuations: Continuations;
  readonly log: Log;
}

export interface FoundPress {
  readonly action: Action;
  readonly state: unknown;
  readonly begun: Begun;
  /** The form that was submitted, when it may be opened again. */
  readonly form: Form | undefined;
  /** The linked channel that it goes on acting as, where its reply was about one. */
  readonly as: string | undefined;
  /** Whether its message keeps its presses for its whole life. */
  readonly isKept: boolean;
}

/** What buttons, selects and forms stand for. */
export interface Presses {
  /**
   * The action and its state; who may use it is still to be judged.
   * @throws AccessError `too_old`; ServiceError `store_unavailable`
   */
  lookUp(plan: Pressed): Promise<FoundPress>;
  /**
   * Carries out what must not happen twice. What failed without a trace may be tried again; a kept press as well, because
   * its message's other presses live as long as it does.
   * @throws AccessError `under_way`; what `carryOut` throws
   */
  once(pressed: OncePress, carryOut: () => Promise<Reply>): Promise<Reply>;
}

export interface OncePress extends Pick<Pressed, "handle" | "index"> {
  readonly isKept: boolean;
}

export function createPresses({ routes, continuations, log }: PressesDeps): Presses {
  /** What is carried out once, while it is. */
  const underWay = new Set<string>();

  async function once(pressed: OncePress, carryOut: () => Promise<Reply>): Promise<Reply> {
    const { handle, index, isKept } = pressed;
    const name = isKept ? `${handle}:${index}` : handle;
    if (underWay.has(name)) throw alreadyUnderWay();
    underWay.add(name);
    try {
      const reply = await carryOut();
      if (!isKept) await forget(handle);
      return reply;
    } catch (error) {
      const mayBeDone = !(error instanceof BotError) || error.outcome !== "nothing";
      if (mayBeDone && !isKept) await forget(handle);
      throw error;
    } finally {
      underWay.delete(name);
    }
  }

  /** It is done, so a store that fails now must not tell otherwise. */
  async function forget(handle: string): Promise<void> {
    await continuations.remove(handle).catch((error: unknown) => {
      log.warn("a press was not forgotten", { error });
    });
  }

  async function lookUp(plan: Pressed): Promise<FoundPress> {
    const kept = storedIn(await continuations.read(plan.handle));
    if (kept === undefined) throw tooOld("handle");
    const presses = kept.state as readonly KeptPress[];
    const pressed = presses[plan.index];
    const action = pressed === undefined ? undefined : routes.actions.get(pressed.action);
    if (pressed === undefined || action === undefined) throw tooOld("press");
    const { guildId, userId } = kept;
    const begun = { guildId, userId, isPrivate: pressed.isPrivate };
    const [, again] = presses;
    // Only submissions of forms are kept with the form beside them.
    const form = again?.action === formAgain.name && plan.index === 0 ? again.state : undefined;
    const { state, as, isKept = false } = pressed;
    return { action, state, begun, form: form as Form | undefined, as, isKept };
  }

  return { lookUp, once };
}

function alreadyUnderWay(): AccessError {
  return new AccessError("pressed while it is carried out", {
    code: "under_way",
    facts: { isThere: true },
  });
}
