import type {
  APIModalInteractionResponseCallbackData,
  APIModalSubmitInteraction,
} from "discord.js";
import { ComponentType, TextInputStyle } from "discord-api-types/v10";
import type { PressInput } from "../declare/command.ts";
import type { Attachment } from "../declare/option.ts";
import { withOwnName } from "./attachment-name.ts";
import { selectOptions } from "./components.ts";
import { limits } from "./limits.ts";
import type { Form, FormField } from "./reply.ts";
import { cut, definedFields, fitted, oneLine, visible } from "./text.ts";

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

function drawField({ label, description, ...field }: FormField) {
  return definedFields({
    type: ComponentType.Label as const,
    label: cut(oneLine(label), limits.form.label),
    description:
      description === undefined ? undefined : cut(oneLine(description), limits.form.description),
    component: drawInput(field),
  });
}

type FieldInput<F> = F extends FormField ? Omit<F, "label" | "description"> : never;

function drawInput(field: FieldInput<FormField>) {
  const { name: custom_id, required = true } = field;
  // A field that may stay empty has to allow 0.
  const least = required ? 1 : 0;
  switch (field.kind) {
    case "select":
      return definedFields({
        type: ComponentType.StringSelect as const,
        custom_id,
        required,
        placeholder:
          field.placeholder && cut(oneLine(field.placeholder), limits.select.placeholder),
        min_values: field.min ?? least,
        max_values: Math.min(field.max ?? 1, field.options.length),
        options: selectOptions(field.options),
      });
    case "files":
      return {
        type: ComponentType.FileUpload as const,
        custom_id,
        required,
        min_values: field.min ?? least,
        max_values: field.max ?? 1,
      };
    default:
      return definedFields({
        type: ComponentType.TextInput as const,
        custom_id,
        style: field.style === "paragraph" ? TextInputStyle.Paragraph : TextInputStyle.Short,
        required,
        placeholder: field.placeholder && cut(oneLine(field.placeholder), limits.form.placeholder),
        min_length: field.minLength,
        max_length: field.maxLength && Math.min(field.maxLength, limits.form.text),
        // The text is stored as it is sent back, so no ellipsis marks the cut.
        value:
          field.value
            ?.slice(0, limits.form.text)
            .replace(/[\ud800-\udbff]$/, "")
            .toWellFormed() || undefined,
      });
  }
}

export const noInput: PressInput = { fields: {}, lists: {}, files: {}, values: [] };

/** What was typed, chosen and attached, by field name. */
export function readFormInput(interaction: APIModalSubmitInteraction): PressInput {
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
