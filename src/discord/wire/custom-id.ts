/** How a press is answered: the part that must be known before the store is read. */
export type PressAnswer = "public" | "private" | "update" | "each" | "form";

/**
 * A component carries `version:answer:handle:index`. The handle names a record in the store (server, person, the
 * presses of that reply), so an id can't be guessed, and a copied one is refused, because it belongs to another server. How the
 * press is answered is in the id, because Discord has to know it before the store is read; a forged letter changes only
 * who sees the refusal.
 */
interface CustomId {
  readonly answer: PressAnswer;
  readonly handle: string;
  readonly index: number;
}

const version = "g1";
const letters = {
  public: "a",
  private: "p",
  update: "u",
  each: "e",
  form: "f",
} as const satisfies Record<PressAnswer, string>;
const answers = new Map(
  Object.entries(letters).map(([answer, letter]) => [letter, answer as PressAnswer]),
);
const pattern = new RegExp(`^${version}:([apuef]):([\\w-]{22}):(\\d{1,2})$`, "u");
const cancelPattern = new RegExp(`^${version}:cancel:(\\d{17,20})$`, "u");

export function encodeCustomId({ answer, handle, index }: CustomId): string {
  return `${version}:${letters[answer]}:${handle}:${index}`;
}

/** Undefined for ids of another version, forged or foreign. */
export function decodeCustomId(text: string): CustomId | undefined {
  const [, letter, handle, index] = pattern.exec(text) ?? [];
  const answer = answers.get(letter as "a");
  if (answer === undefined || handle === undefined) return undefined;
  return { answer, handle, index: Number(index) };
}

/** Cancel buttons name the interaction whose work they stop; they need no record, because work ends with the process. */
export function encodeCancelId(interactionId: string): string {
  return `${version}:cancel:${interactionId}`;
}

export function decodeCancelId(text: string): string | undefined {
  return cancelPattern.exec(text)?.[1];
}
