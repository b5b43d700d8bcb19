import { type Fields, isFields } from "../check/check.ts";
import { walk } from "../check/walk.ts";
import { ActError } from "../interaction.ts";
import type { ComponentAct } from "../protocol.ts";
import type { StoredMessage } from "../world.ts";
import { channelTypesOf } from "./options.ts";
import type { Resolved } from "./resolved.ts";

const linkStyles = [5, 6];

const entityKinds: Readonly<Record<number, "user" | "role" | "mentionable" | "channel">> = {
  5: "user",
  6: "role",
  7: "mentionable",
  8: "channel",
};

function checkOffered(component: Fields, values: readonly string[]): void {
  const options = Array.isArray(component.options) ? component.options.filter(isFields) : [];
  const missing = values.find((value) => !options.some((option) => option.value === value));
  if (missing !== undefined) throw new ActError(`The menu does not offer "${missing}".`);
}

function pick(component: Fields, values: readonly string[], resolved: Resolved): readonly string[] {
  const min = Number(component.min_values ?? 1);
  const max = Number(component.max_values ?? 1);
  if (values.length < min) throw new ActError(`Choose at least ${min}.`);
  if (values.length > max) throw new ActError(`Choose at most ${max}.`);
  const kind = entityKinds[Number(component.type)];
  if (kind === undefined) checkOffered(component, values);
  else for (const value of values) resolved[kind](value, channelTypesOf(component));
  return values;
}

/**
 * A press or choice as the client would send it.
 * @throws ActError when the component is gone, disabled, or does not offer the values.
 */
export function sendComponent(
  stored: StoredMessage,
  act: ComponentAct,
  resolved: Resolved,
): object {
  const found = [...walk(stored.message.components)].find(
    ({ component }) => component.custom_id === act.customId,
  );
  const component = found?.component;
  if (component === undefined) throw new ActError("That button or menu is no longer there.");
  if (component.disabled === true) throw new ActError("That button or menu is disabled.");
  const head = {
    id: component.id,
    custom_id: act.customId,
    component_type: component.type,
  };
  if (component.type === 2) {
    if (linkStyles.includes(Number(component.style))) throw new ActError("A link only opens.");
    return head;
  }
  const values = pick(component, act.values ?? [], resolved);
  const entities = resolved.value();
  return { ...head, values, ...(entities === undefined ? {} : { resolved: entities }) };
}
