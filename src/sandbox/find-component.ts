import type { APIMessage } from "discord-api-types/v10";
import { type Fields, isFields } from "./platform/check/check.ts";
import { walk } from "./platform/check/walk.ts";
import { InteractionFailed } from "./platform/interaction.ts";
import { usersOf, type World } from "./platform/world.ts";

/** The components of the message as it is now, which may have been edited since it was handed out. */
function componentsOf(world: World, message: APIMessage): readonly Fields[] {
  const current = world.messages.get(message.id)?.message;
  if (current === undefined) throw new InteractionFailed("That message was deleted.");
  return [...walk(current.components)].map(({ component }) => component);
}

function labelOf({ label, emoji }: Fields): string {
  return String(label ?? (isFields(emoji) ? emoji.name : ""));
}

interface Wanted {
  readonly label: string;
  /** Which of several with this label, counted from 1. */
  readonly nth: number;
}

/**
 * Custom id of a button by its exact label, or by how its label starts.
 * @throws InteractionFailed when there is none; it names those that are there.
 */
export function findButton(world: World, message: APIMessage, { label, nth }: Wanted): string {
  const buttons = componentsOf(world, message).filter(({ type }) => type === 2);
  const exact = buttons.filter((button) => labelOf(button) === label);
  const fitting =
    exact.length > 0 ? exact : buttons.filter((button) => labelOf(button).startsWith(label));
  const found = fitting[nth - 1];
  if (found !== undefined) return String(found.custom_id);
  const there = buttons.map((button) => `"${labelOf(button)}"`).join(", ") || "none";
  throw new InteractionFailed(`No button "${label}"; buttons there: ${there}.`);
}

function isSelect({ type }: Fields): boolean {
  return Number(type) >= 3 && Number(type) <= 8 && type !== 4;
}

/** Whether a select that Discord fills with people, roles, both or channels offers this id. */
function holds(world: World, type: unknown, id: string): boolean {
  const { cast } = world;
  const people = usersOf(world);
  const lists = { 5: people, 6: cast.roles, 7: [...people, ...cast.roles], 8: cast.channels };
  return lists[type as keyof typeof lists]?.some((each) => each.id === id) ?? false;
}

function offeredValue(options: unknown, wanted: string): unknown {
  const all = Array.isArray(options) ? options.filter(isFields) : [];
  const found = all.find(({ value }) => value === wanted);
  return (found ?? all.find(({ label }) => label === wanted))?.value;
}

interface Chosen {
  readonly customId: string;
  readonly values: readonly string[];
}

/**
 * The first select that has all of these, given as values, labels or ids.
 * @throws InteractionFailed when no select has them.
 */
export function findChoice(world: World, message: APIMessage, wanted: readonly string[]): Chosen {
  const selects = componentsOf(world, message).filter(isSelect);
  for (const { custom_id: id, options } of selects.filter((each) => each.options !== undefined)) {
    const values = wanted.map((each) => offeredValue(options, each));
    if (!values.includes(undefined)) return { customId: String(id), values: values.map(String) };
  }
  const found = selects.find(
    ({ type, options }) => options === undefined && wanted.every((id) => holds(world, type, id)),
  );
  if (found !== undefined) return { customId: String(found.custom_id), values: wanted };
  throw new InteractionFailed(`No menu offers ${wanted.join(", ")}.`);
}
