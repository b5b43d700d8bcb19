import type { Continuations } from "../../store/index.ts";
import type { Action } from "../declare/command.ts";
import type { Routes } from "../declare/routes.ts";
import type { Name } from "../draw/components.ts";
import { drawForm } from "../draw/form.ts";
import { type Message, type Rendered, render } from "../draw/render.ts";
import type { Form, KeptPresses, Press } from "../draw/reply.ts";
import type { Words } from "../draw/words.ts";
import { encodeCustomId, type PressAnswer } from "../wire/custom-id.ts";
import { againPress } from "./form-again.ts";

export interface DrawingDeps {
  readonly routes: Pick<Routes, "actions">;
  readonly continuations: Pick<Continuations, "put" | "putAs">;
}

/** Whose message it is. */
export interface Holder {
  readonly guildId: string;
  /** Whose presses it has, where they are one person's. */
  readonly userId: string;
  readonly words: Words;
  /** Whether nobody else is shown it. */
  readonly isPrivate?: boolean;
}

/** A press as it is kept. */
export interface KeptPress extends Press {
  /** Whether it hangs on what one person alone was shown. */
  readonly isPrivate?: true;
  /** Whether it means the same for the message's whole life. */
  readonly isKept?: true;
}

/** Draws replies and forms whose presses are kept, so that they work after a restart. */
export interface Drawing {
  /**
   * Writes down what the presses of a message stand for that is drawn again and again; once more changes nothing.
   * @throws ServiceError `store_unavailable`
   */
  keep(kept: KeptPresses, holder: Holder): Promise<void>;
  /** What has `kept` makes no record: whoever leaves it first calls `keep`. @throws ServiceError `store_unavailable` */
  message(reply: Message, holder: Holder, as?: string): Promise<Rendered>;
  /** @throws ServiceError `store_unavailable` */
  form(form: Form, holder: Holder, as?: string): Promise<ReturnType<typeof drawForm>>;
}

/** Buttons and forms work this long after their reply. */
const continuationMs = 30 * 24 * 3_600_000;
/** What a custom id has room for (`custom-id.ts`). */
const mostKept = 100;

export function createDrawing({ routes, continuations }: DrawingDeps): Drawing {
  function keep(presses: readonly Press[], holder: Holder, as: string | undefined) {
    const { guildId, userId, isPrivate } = holder;
    const state = presses.map(
      (press): KeptPress => ({
        ...(as !== undefined && { as }),
        ...press,
        ...(isPrivate === true && { isPrivate }),
      }),
    );
    return continuations.put({ guildId, userId, state }, continuationMs);
  }

  /** Each press by its place among all that the message may ever have. */
  function nameOf({ handle, presses }: KeptPresses): Name {
    const places = new Map(presses.map((press, index) => [keyOf(press), index]));
    const drawn = new Set<number>();
    return (press) => {
      const index = places.get(keyOf(press));
      if (index === undefined) throw new TypeError(`${press.action} is not among the kept presses`);
      if (drawn.has(index)) throw new TypeError(`${press.action} hangs on two components`);
      drawn.add(index);
      return encodeCustomId({ answer: answerOf(press), handle, index });
    };
  }

  function answerOf(press: Press): PressAnswer {
    const action = routes.actions.get(press.action);
    if (action === undefined) throw new TypeError(`nothing is called ${press.action}`);
    return pressAnswerOf(action);
  }

  return {
    async keep({ handle, presses }, { guildId, userId }) {
      if (presses.length > mostKept) throw new TypeError(`${presses.length} presses are too many`);
      const state = presses.map((press): KeptPress => ({ ...press, isKept: true }));
      await continuations.putAs(handle, { guildId, userId, state });
    },
    async message(reply, holder, as) {
      const { words } = holder;
      if (reply.kept !== undefined) return render(reply, { words, name: nameOf(reply.kept) });
      const presses: Press[] = [];
      const collect = (press: Press) => `${presses.push(press)}`;
      const drawn = render(reply, { words, name: collect });
      if (presses.length === 0) return drawn;
      const handle = await keep(presses, holder, as);
      let index = 0;
      const name = (press: Press) =>
        encodeCustomId({ answer: answerOf(press), handle, index: index++ });
      return render(reply, { words, name });
    },
    async form(form, holder, as) {
      const again = form.isReturned === true ? [againPress(form)] : [];
      // Whoever opened it sees it, and nobody else.
      const handle = await keep([form.submit, ...again], { ...holder, isPrivate: true }, as);
      return drawForm(form, encodeCustomId({ answer: answerOf(form.submit), handle, index: 0 }));
    },
  };
}

function keyOf({ action, state }: Press): string {
  return `${action} ${JSON.stringify(state)}`;
}

/** What a press of that action says in its custom id. */
export function pressAnswerOf({ by, answer }: Pick<Action, "by" | "answer">): PressAnswer {
  return by === "each" && answer === "update" ? "each" : answer;
}
