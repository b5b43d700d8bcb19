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

function isSelect({ type }: CheckedFields): boolean {
  return Number(type) >= 3 && Number(type) <= 8 && type !== 4;
}

/** Whether a select of users, roles, both or channels offers this id. */
function holds(state: PlatformState, type: unknown, id: string): boolean {
  const { guild } = state;
  const people = allUsers(state);
  const lists = { 5: people, 6: guild.roles, 7: [...people, ...guild.roles], 8: guild.channels };
  return lists[type as keyof typeof lists]?.some((each) => each.id === id) ?? false;
}

function offeredValue(options: unknown, wanted: string): unknown {
  const all = Array.isArray(options) ? options.filter(isObject) : [];
  const found = all.find(({ value }) => value === wanted);
  return (found ?? all.find(({ label }) => label === wanted))?.value;
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
  const selects = currentComponents(state, message).filter(isSelect);
  for (const { custom_id: id, options } of selects.filter((each) => each.options !== undefined)) {
    const values = wanted.map((each) => offeredValue(options, each));
    if (!values.includes(undefined)) return { customId: String(id), values: values.map(String) };
  }
  const found = selects.find(
    ({ type, options }) => options === undefined && wanted.every((id) => holds(state, type, id)),
  );
  if (found !== undefined) return { customId: String(found.custom_id), values: wanted };
  throw new InteractionFailed(`No menu offers ${wanted.join(", ")}.`);
}
