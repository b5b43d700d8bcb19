import type { REST } from "discord.js";
import { persist } from "../../wire/send.ts";
import { type Doing, failureOf, mayHaveArrived } from "./failure.ts";

export interface DeskTools {
  /** Of `createDeskRest`. */
  readonly rest: REST;
  readonly random: () => number;
  readonly now: () => number;
  /** The bot's own user. */
  readonly botId: string;
  /** What was just left shows up in lists a moment later; 1 s when absent. */
  readonly settleMs?: number;
}

/**
 * Asks until there is an answer, for what may be asked twice.
 * @throws what `failureOf` makes of it
 */
export async function asking<T>(
  doing: Doing,
  send: () => Promise<T>,
  { random }: Pick<DeskTools, "random">,
): Promise<T> {
  let isLeft = false;
  const watched = () =>
    send().catch((error: unknown) => {
      isLeft ||= doing.what !== "look" && mayHaveArrived(error);
      throw error;
    });
  try {
    // What `send` answers, whatever `persist` knows of it.
    return (await persist({ random }, watched)) as T;
  } catch (error) {
    throw failureOf(error, { ...doing, isLeft });
  }
}
