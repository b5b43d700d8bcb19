import type { APIMessage } from "discord-api-types/v10";
import { type CheckedFields, isObject } from "./check/check.ts";
import { walkComponents } from "./check/walk-components.ts";
import { InteractionFailed } from "./interaction.ts";
import { allUsers, type PlatformState } from "./state.ts";

/** The components of the message as it is now, which may have been edited since it was handed out. */
function currentComponents(state: PlatformState, message: APIMessage): readonly CheckedFields[] {
  const current = state.messages.get(message.id)?.message;
  if (current === undefined) throw new InteractionFailed("That message was deleted.");
  return [...walkComponents(current.components)].map(({ component }) => component);
}

function shownLabel({ label, emoji }: CheckedFields): string {
  return String(label ?? (isObject(emoji) ? emoji.name : ""));
}

interface WantedButton {
  readonly label: string;
  /** Which of several with this label, counted from 1. */
  readonly nth: number;
}

/**
 * Custom id of a button by its exact label, or by how its label starts.
 * @throws InteractionFailed when there is none; it names those that are there.
 */
export function findButton(
  state: PlatformState,
  message: APIMessage,
  { label, nth }: WantedButton,
): string {
  const buttons = currentComponents(state, message).filter(({ type }) => type === 2);
  const exact = buttons.filter((button) => shownLabel(button) === label);
  const fitting =
    exact.length > 0 ? exact : buttons.filter((button) => shownLabel(button).startsWith(label));
  const found = fitting[nth - 1];
  if (found !== undefined) return String(found.custom_id);
  const there = buttons.map((button) => `"${shownLabel(button)}"`).join(", ") || "none";
  throw new InteractionFailed(`No button "${label}"; buttons there: ${there}.`);
}

interface SelectChoice {
  readonly customId: string;
  readonly values: readonly string[];
}

/**
 * The first select that has all of these, given as values, labels or ids.
 * @throws InteractionFailed when no select has them.
 */
export function findChoice(
  state: PlatformState,
  message: APIMessage,
  wanted: readonly string[],
): SelectChoice {
  const { roles, channels } = state.guild;
  const people = allUsers(state);
  const lists = { 5: people, 6: roles, 7: [...people, ...roles], 8: channels };
  const selects = currentComponents(state, message).filter(({ type }) =>
    [3, 5, 6, 7, 8].includes(Number(type)),
  );
  for (const { custom_id: id, options } of selects) {
    if (!Array.isArray(options)) continue;
    const all = options.filter(isObject);
    const found = wanted.map(
      (each) => all.find(({ value }) => value === each) ?? all.find(({ label }) => label === each),
    );
    if (found.includes(undefined)) continue;
    return { customId: String(id), values: found.map((option) => String(option?.value)) };
  }
  const found = selects.find(({ type, options }) => {
    const offered = lists[type as keyof typeof lists];
    return options === undefined && wanted.every((id) => offered?.some((each) => each.id === id));
  });
  if (found !== undefined) return { customId: String(found.custom_id), values: wanted };
  throw new InteractionFailed(`No menu offers ${wanted.join(", ")}.`);
}
