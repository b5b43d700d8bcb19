import type { APIInteraction } from "discord.js";
import type { Kind } from "../../errors.ts";
import type { Log } from "../../log.ts";
import type { Form } from "../draw/reply.ts";

/** The state of one interaction, which every step reads and adds to. */
export interface Journey {
  readonly interaction: APIInteraction;
  /** Milliseconds since the epoch. */
  readonly arrivedAt: number;
  /** Six characters that a failure shows and the log has. */
  readonly reference: string;
  /** Names the interaction in every line; made when the first line is written. */
  readonly log: () => Log;
  /** Command, menu or action, once it is known. */
  name?: string;
  /** The linked channel that acts, by its id or, until it is looked up, by its name. */
  as?: string;
  /** Whether its message shows how far it is, in place of what stood there. */
  hasProgress?: true;
  /** The form that was submitted, with what was typed, when it may be opened again. */
  form?: Form;
  /** Whether what was pressed must not happen twice. */
  isOnce?: boolean;
  /** What was spent before it failed, and what is left, for people. */
  spent?: string;
  /** When Discord had the first answer. Milliseconds since the epoch. */
  acknowledgedAt?: number;
  /** What its person was told of instead of an answer. */
  failure?: Failure;
  /** Whether Discord did not take what was to be shown. */
  isLost?: boolean;
}

/** What failed: a kind and a code of `errors.ts`; everything else is ours and has one name. */
export interface Failure {
  readonly kind: Kind | "bug";
  readonly code: string;
}

interface SetOutDeps {
  readonly random: () => number;
  readonly log: Log;
}

export function setOut(
  interaction: APIInteraction,
  arrivedAt: number,
  { random, log: parent }: SetOutDeps,
): Journey {
  const reference = shortId(random);
  let log: Log | undefined;
  return {
    interaction,
    arrivedAt,
    reference,
    log: () => {
      log ??= parent.child({
        reference,
        interaction: interaction.id,
        guild: interaction.guild_id,
        user: interaction.member?.user.id,
      });
      return log;
    },
  };
}

// Crockford's alphabet has no letters that are mistaken for others when read aloud.
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

function shortId(random: () => number): string {
  return Array.from({ length: 6 }, () => alphabet[Math.floor(random() * 32)]).join("");
}
