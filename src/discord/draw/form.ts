import {
  type APIModalInteractionResponseCallbackData,
  type APIModalSubmitInteraction,
  ComponentType,
  TextInputStyle,
} from "discord.js";
import type { PressInput } from "../declare/command.ts";
import type { Attachment } from "../declare/option.ts";
import { withOwnName } from "./attachment-name.ts";
import { selectOptions } from "./components.ts";
import { limits } from "./limits.ts";
import type { FilesField, Form, FormField, SelectField, TextField } from "./reply.ts";
import { cut, fitted, oneLine, visible } from "./text.ts";

/** The form as Discord opens it. */
export function drawForm(form: Form, customId: string): APIModalInteractionResponseCallbackData {
  // The introduction counts as one of five components (docs/services/discord.md#forms); the fields matter more.
  const intro =
    form.intro === undefined || form.fields.length >= limits.form.fields
      ? []
      : [{ type: ComponentType.TextDisplay as const, content: fitted(form.intro, 1000) }];
  return {
    custom_id: customId,
    title: visible(cut(oneLine(form.title), limits.form.title)),
    components: [...intro, ...form.fields.map(drawField)],
  };
}

function drawField(field: FormField) {
  return {
    type: ComponentType.Label as const,
    label: cut(oneLine(field.label), limits.form.label),
    ...(field.description === undefined
      ? {}
      : { description: cut(oneLine(field.description), limits.form.description) }),
    component: drawInput(field),
  };
}

function drawInput(field: FormField) {
  switch (field.kind) {
    case "select":
      return drawSelect(field);
    case "files":
      return drawFiles(field);
    default:
      return drawText(field);
  }
}

function drawText(field: TextField) {
  return {
    type: ComponentType.TextInput as const,
    custom_id: field.name,
    style: field.style === "paragraph" ? TextInputStyle.Paragraph : TextInputStyle.Short,
    required: field.required ?? true,
    ...(field.placeholder === undefined
      ? {}
      : { placeholder: cut(oneLine(field.placeholder), limits.form.placeholder) }),
    ...(field.minLength === undefined ? {} : { min_length: field.minLength }),
    ...(field.maxLength === undefined
      ? {}
      : { max_length: Math.min(field.maxLength, limits.form.text) }),
    ...(field.value ? { value: startOf(field.value, limits.form.text) } : {}),
  };
}

/** The text is stored as it is sent back, so no ellipsis marks the cut. */
function startOf(text: string, max: number): string {
  return text
    .slice(0, max)
    .replace(/[\ud800-\udbff]$/, "")
    .toWellFormed();
}

function drawSelect(field: SelectField) {
  return {
    type: ComponentType.StringSelect as const,
    custom_id: field.name,
    required: field.required ?? true,
    ...(field.placeholder === undefined
      ? {}
      : { placeholder: cut(oneLine(field.placeholder), limits.select.placeholder) }),
    min_values: field.min ?? (field.required === false ? 0 : 1),
    max_values: Math.min(field.max ?? 1, field.options.length),
    options: selectOptions(field.options),
  };
}

function drawFiles(field: FilesField) {
  return {
    type: ComponentType.FileUpload as const,
    custom_id: field.name,
    required: field.required ?? true,
    min_values: field.min ?? (field.required === false ? 0 : 1),
    max_values: field.max ?? 1,
  };
}

export const noInput: PressInput = { fields: {}, lists: {}, files: {}, values: [] };

/** What was typed, chosen and attached, by field name. */
export function inputOf(interaction: APIModalSubmitInteraction): PressInput {
  const fields: Record<string, string> = {};
  const lists: Record<string, readonly string[]> = {};
  const files: Record<string, readonly Attachment[]> = {};
  const { components, resolved } = interaction.data;
  for (const part of components) {
    const inputs =
      part.type === ComponentType.ActionRow
        ? part.components
        : part.type === ComponentType.Label
          ? [part.component]
          : [];
    for (const input of inputs) {
      if ("value" in input && typeof input.value === "string")
        fields[input.custom_id] = input.value;
      if (!("values" in input) || input.values === undefined) continue;
      if (input.type === ComponentType.FileUpload) {
        files[input.custom_id] = input.values
          .flatMap((id) => resolved?.attachments?.[id] ?? [])
          .map(withOwnName);
        continue;
      }
      lists[input.custom_id] = input.values;
      const [first] = input.values;
      if (first !== undefined) fields[input.custom_id] = first;
    }
  }
  return { fields, lists, files, values: [] };
}
