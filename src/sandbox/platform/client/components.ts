import type { APIModalInteractionResponseCallbackData } from "discord-api-types/v10";
import { type CheckedFields, countTextCharacters, isObject } from "../check/check.ts";
import { walkComponents } from "../check/walk-components.ts";
import type { NewFile } from "../files.ts";
import { ActionError } from "../interaction.ts";
import type { ComponentAction } from "../protocol.ts";
import type { StoredMessage } from "../state.ts";
import { offeredChannelTypes } from "./command-options.ts";
import type { ResolvedEntities } from "./resolved-entities.ts";

type FormFields = Readonly<Record<string, string | readonly string[]>>;

type FormFieldValue = string | readonly string[] | undefined;

function readList(entered: FormFieldValue): readonly string[] {
  if (entered === undefined || entered === "") return [];
  return typeof entered === "string" ? [entered] : entered;
}

function count(field: CheckedFields, values: readonly string[], name: string): readonly string[] {
  const isNeeded = field.required !== false;
  const min = typeof field.min_values === "number" ? field.min_values : 1;
  const max = typeof field.max_values === "number" ? field.max_values : 1;
  if (values.length === 0 && !isNeeded) return values;
  if (values.length < (isNeeded ? Math.max(1, min) : min)) {
    throw new ActionError(`"${name}" is required.`);
  }
  if (values.length > max) throw new ActionError(`Choose at most ${max} for "${name}".`);
  return values;
}

interface FieldAnswer {
  readonly field: CheckedFields;
  readonly entered: FormFieldValue;
  readonly name: string;
  readonly resolved: ResolvedEntities;
}

function text({ field, entered, name }: FieldAnswer): object {
  const value = entered === undefined ? String(field.value ?? "") : readList(entered).join("");
  const length = countTextCharacters(value);
  if (length === 0) {
    if (field.required !== false) throw new ActionError(`"${name}" is required.`);
    return { value };
  }
  if (length < Number(field.min_length ?? 0)) {
    throw new ActionError(`"${name}" needs at least ${String(field.min_length)} characters.`);
  }
  const max = Number(field.max_length ?? 4_000);
  if (length > max) throw new ActionError(`"${name}" takes at most ${max} characters.`);
  return { value };
}

/** What is chosen by value or label; what is preset, when nothing was entered. */
function chosen({ field, entered, name }: FieldAnswer): readonly string[] {
  const options = Array.isArray(field.options) ? field.options.filter(isObject) : [];
  const presets = options.filter((option) => option.default === true).map(({ value }) => value);
  const wanted = entered === undefined ? presets.map(String) : readList(entered);
  const values = wanted.map((value) => {
    const found = options.find((option) => option.value === value || option.label === value);
    if (found !== undefined) return String(found.value);
    throw new ActionError(`"${value}" is not one of the choices for "${name}".`);
  });
  return count(field, values, name);
}

function entities(kind: "user" | "role" | "mentionable" | "channel") {
  return ({ field, entered, name, resolved }: FieldAnswer): object => {
    const preset = Array.isArray(field.default_values) ? field.default_values.filter(isObject) : [];
    const ids = entered === undefined ? preset.map(({ id }) => String(id)) : readList(entered);
    const values = count(field, ids, name);
    for (const value of values) resolved[kind](value, offeredChannelTypes(field));
    return { values };
  };
}

const endings: Readonly<Record<string, RegExp>> = {
  image: /\.(png|jpe?g|gif|webp|avif|bmp|svg|tiff?|heic)$/i,
  video: /\.(mp4|webm|mov|m4v|mkv|avi)$/i,
  audio: /\.(mp3|ogg|wav|flac|m4a|aac|opus)$/i,
};

/** The client checks only the ending of the name. https://docs.discord.com/developers/reference#file-type-filtering */
function checkKind(field: CheckedFields, { name: file }: NewFile, name: string): void {
  const kinds = Array.isArray(field.file_types) ? field.file_types.map(String) : [];
  const isFitting = kinds.some(
    (kind) => endings[kind]?.test(file) ?? file.toLowerCase().endsWith(kind.toLowerCase()),
  );
  if (kinds.length > 0 && !isFitting) {
    throw new ActionError(`"${name}" takes only ${kinds.join(", ")}, not "${file}".`);
  }
}

const readers: Readonly<Record<number, (answer: FieldAnswer) => object>> = {
  3: (answer) => ({ values: chosen(answer) }),
  4: text,
  5: entities("user"),
  6: entities("role"),
  7: entities("mentionable"),
  8: entities("channel"),
  19: ({ field, entered, name, resolved }) => ({
    values: count(field, readList(entered), name).map((id) =>
      resolved.file(id, (upload) => checkKind(field, upload, name)),
    ),
  }),
  21: (answer) => ({ value: chosen(answer)[0] ?? null }),
  22: (answer) => {
    const options = Array.isArray(answer.field.options) ? answer.field.options.length : 0;
    const field = { max_values: options, ...answer.field };
    return { values: chosen({ ...answer, field }) };
  },
  23: ({ field, entered }) => ({
    value: entered === undefined ? field.default === true : readList(entered)[0] === "true",
  }),
};

/**
 * A filled form as the client would send it. Fields go by custom id, or by the label people see.
 * @throws ActionError what is missing or out of range.
 */
export function sendForm(
  form: APIModalInteractionResponseCallbackData,
  fields: FormFields,
  resolved: ResolvedEntities,
): object {
  let lastId = 0;

  function frame(component: CheckedFields): { type: unknown; id: number } {
    lastId += 1;
    const { type, id } = component;
    return { type, id: typeof id === "number" && id > 0 ? id : lastId };
  }

  function input(value: unknown, label: unknown): object {
    const field = isObject(value) ? value : {};
    const key = [field.custom_id, label].map(String).find((each) => Object.hasOwn(fields, each));
    const entered = key === undefined ? undefined : fields[key];
    const read = readers[Number(field.type)] ?? text;
    const name = String(label ?? field.custom_id);
    const head = { ...frame(field), custom_id: field.custom_id };
    return { ...head, ...read({ field, entered, name, resolved }) };
  }

  const known = [...walkComponents(form.components)].flatMap(({ component }) => {
    return [component.custom_id, component.label];
  });
  const unknown = Object.keys(fields).find((field) => !known.includes(field));
  if (unknown !== undefined) throw new ActionError(`The form has no field "${unknown}".`);
  const components = (form.components as readonly unknown[]).filter(isObject).map((component) => {
    const head = frame(component);
    if (component.type === 18) {
      return { ...head, component: input(component.component, component.label) };
    }
    if (!Array.isArray(component.components)) return head;
    const inner = component.components.filter(isObject);
    return { ...head, components: inner.map((each) => input(each, each.label)) };
  });
  const entitiesFound = resolved.value();
  return {
    custom_id: form.custom_id,
    components,
    ...(entitiesFound === undefined ? {} : { resolved: entitiesFound }),
  };
}

const linkStyles = [5, 6];

const entityKinds: Readonly<Record<number, "user" | "role" | "mentionable" | "channel">> = {
  5: "user",
  6: "role",
  7: "mentionable",
  8: "channel",
};

function pick(
  component: CheckedFields,
  values: readonly string[],
  resolved: ResolvedEntities,
): readonly string[] {
  const min = Number(component.min_values ?? 1);
  const max = Number(component.max_values ?? 1);
  if (values.length < min) throw new ActionError(`Choose at least ${min}.`);
  if (values.length > max) throw new ActionError(`Choose at most ${max}.`);
  const kind = entityKinds[Number(component.type)];
  const options = Array.isArray(component.options) ? component.options.filter(isObject) : [];
  for (const value of values) {
    if (kind !== undefined) resolved[kind](value, offeredChannelTypes(component));
    else if (!options.some((option) => option.value === value)) {
      throw new ActionError(`"${value}" is not in this menu.`);
    }
  }
  return values;
}

/**
 * A press or choice as the client would send it.
 * @throws ActionError when the component is gone, disabled, or does not offer the values.
 */
export function sendComponent(
  stored: StoredMessage,
  act: ComponentAction,
  resolved: ResolvedEntities,
): object {
  const found = [...walkComponents(stored.message.components)].find(
    ({ component }) => component.custom_id === act.customId,
  );
  const component = found?.component;
  if (component === undefined) throw new ActionError("That button or menu is no longer there.");
  if (component.disabled === true) throw new ActionError("That button or menu is disabled.");
  const head = {
    id: component.id,
    custom_id: act.customId,
    component_type: component.type,
  };
  if (component.type === 2) {
    if (linkStyles.includes(Number(component.style)))
      throw new ActionError("This button only opens a link.");
    return head;
  }
  const values = pick(component, act.values ?? [], resolved);
  const entities = resolved.value();
  return { ...head, values, ...(entities === undefined ? {} : { resolved: entities }) };
}
