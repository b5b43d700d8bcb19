import type { Action } from "../declare/command.ts";
import type { Routes } from "../declare/routes.ts";
import type { NamePress } from "../draw/components.ts";
import { drawForm } from "../draw/form.ts";
import { type MessageReply, type RenderedMessage, render } from "../draw/render.ts";
import type { Form, KeptPresses, Press } from "../draw/reply.ts";
import type { Words } from "../draw/words.ts";
import { encodeCustomId, type PressAnswer } from "../wire/custom-id.ts";
import { type AskedPress, destructiveButtons, type QuestionOrigin } from "./asked-press.ts";
import { reopenPress } from "./failure-buttons.ts";
import type { Services } from "./services.ts";

/** The person for whom a message is drawn. */
export interface MessageOwner {
  readonly guildId: string;
  /** Who may use its presses, where they are for one person. */
  readonly userId: string;
  readonly words: Words;
  /** Whether nobody else sees it. */
  readonly isPrivate?: boolean;
}

/** A press as it is stored. */
export interface StoredPress extends Press {
  /** Whether it is on a message that only one person sees. */
  readonly isPrivate?: true;
  /** Whether it means the same for as long as the message exists. */
  readonly isKept?: true;
  readonly asked?: AskedPress;
}

interface DrawOptions {
  /** The linked channel that the reply is about. */
  readonly as?: string | undefined;
  /** What made the reply. */
  readonly origin?: QuestionOrigin | undefined;
}

/** Draws replies and forms, and stores their presses so that they work after a restart. */
export type ReplyRenderer = ReturnType<typeof createReplyRenderer>;

/** How long buttons and forms work after their reply. */
const continuationMs = 30 * 24 * 3_600_000;
/** As many as a custom id has room for (`custom-id.ts`). */
const mostKept = 100;

export function createReplyRenderer(
  routes: Pick<Routes, "actions">,
  { store: { continuations }, now }: Pick<Services, "store" | "now">,
) {
  /** The buttons that delete or disconnect, by press, with the time at which they are shown. */
  function askedIn(
    reply: MessageReply,
    origin: QuestionOrigin | undefined,
  ): ReadonlyMap<string, AskedPress> {
    const at = now();
    const buttons = destructiveButtons(
      reply,
      (action) => routes.actions.get(action)?.isOnce === true,
    );
    return new Map(
      buttons.map(({ press, label, isAsked }) => {
        const asked = { at, label, ...(isAsked && origin && { origin }) };
        return [pressKey(press), asked];
      }),
    );
  }

  function keep(
    presses: readonly Press[],
    holder: MessageOwner,
    as: string | undefined,
    asked?: ReadonlyMap<string, AskedPress>,
  ) {
    const { guildId, userId, isPrivate } = holder;
    const state = presses.map((press): StoredPress => {
      const late = asked?.get(pressKey(press));
      return {
        ...(as !== undefined && { as }),
        ...press,
        ...(isPrivate === true && { isPrivate }),
        ...(late && { asked: late }),
      };
    });
    return continuations.put({ guildId, userId, state }, continuationMs);
  }

  /** Names each press by its index among all presses that the message may ever have. */
  function nameKept({ handle, presses }: KeptPresses): NamePress {
    const places = new Map(presses.map((press, index) => [pressKey(press), index]));
    const drawn = new Set<number>();
    return (press) => {
      const index = places.get(pressKey(press));
      if (index === undefined) throw new TypeError(`${press.action} is not among the kept presses`);
      if (drawn.has(index)) throw new TypeError(`${press.action} hangs on two components`);
      drawn.add(index);
      return encodeCustomId({ answer: answerFor(press), handle, index });
    };
  }

  function answerFor(press: Press): PressAnswer {
    const action = routes.actions.get(press.action);
    if (action === undefined) throw new TypeError(`nothing is called ${press.action}`);
    return pressAnswerFor(action);
  }

  return {
    /**
     * Stores the presses of a message that is edited again and again. Storing them twice changes nothing.
     * @throws ServiceError `store_unavailable`
     */
    async keep({ handle, presses }: KeptPresses, { guildId, userId }: MessageOwner): Promise<void> {
      if (presses.length > mostKept) throw new TypeError(`${presses.length} presses are too many`);
      const state = presses.map((press): StoredPress => ({ ...press, isKept: true }));
      await continuations.putAs(handle, { guildId, userId, state });
    },
    /** For a reply with `kept` nothing is stored here: the caller uses `keep` first. @throws ServiceError `store_unavailable` */
    async message(
      reply: MessageReply,
      holder: MessageOwner,
      { as, origin }: DrawOptions = {},
    ): Promise<RenderedMessage> {
      const { words } = holder;
      if (reply.kept !== undefined) return render(reply, { words, name: nameKept(reply.kept) });
      const presses: Press[] = [];
      const drawn = render(reply, { words, name: (press) => `${presses.push(press)}` });
      if (presses.length === 0) return drawn;
      const handle = await keep(presses, holder, as, askedIn(reply, origin));
      let index = 0;
      return render(reply, {
        words,
        name: (press) => encodeCustomId({ answer: answerFor(press), handle, index: index++ }),
      });
    },
    /** @throws ServiceError `store_unavailable` */
    async form(form: Form, holder: MessageOwner, as?: string) {
      const again = form.isReturned === true ? [reopenPress(form)] : [];
      // Only the person who opened it sees it.
      const handle = await keep([form.submit, ...again], { ...holder, isPrivate: true }, as);
      return drawForm(form, encodeCustomId({ answer: answerFor(form.submit), handle, index: 0 }));
    },
  };
}

function pressKey({ action, state }: Press): string {
  return `${action} ${JSON.stringify(state)}`;
}

/** How a press of that action is answered, as its custom id says it. */
export function pressAnswerFor({ by, answer }: Pick<Action, "by" | "answer">): PressAnswer {
  return by === "each" && answer === "update" ? "each" : answer;
}
