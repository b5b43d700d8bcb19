import {
  type APIModalInteractionResponseCallbackData,
  type APIModalSubmitInteraction,
  ComponentType,
  TextInputStyle,
} from "discord.js";
import type { Fields } from "./command.ts";
import { limits } from "./limits.ts";
import type { Form, FormField } from "./reply.ts";
import { cut, fitted, oneLine } from "./text.ts";

/** The form as Discord opens it. */
export function drawForm(form: Form, customId: string): APIModalInteractionResponseCallbackData {
  const intro =
    form.intro === undefined
      ? []
      : [{ type: ComponentType.TextDisplay as const, content: fitted(form.intro, 1000) }];
  return {
    custom_id: customId,
    title: cut(oneLine(form.title), limits.form.title),
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
    component: {
      type: ComponentType.TextInput as const,
      custom_id: field.name,
      style: field.style === "paragraph" ? TextInputStyle.Paragraph : TextInputStyle.Short,
      required: field.required ?? true,
      ...(field.placeholder === undefined ? {} : { placeholder: field.placeholder }),
      ...(field.minLength === undefined ? {} : { min_length: field.minLength }),
      ...(field.maxLength === undefined ? {} : { max_length: field.maxLength }),
      ...(field.value === undefined ? {} : { value: field.value }),
    },
  };
}

/** What was typed, by field name. */
export function fieldsOf(interaction: APIModalSubmitInteraction): Fields {
  const fields: Record<string, string> = {};
  for (const part of interaction.data.components) {
    const inputs =
      part.type === ComponentType.ActionRow
        ? part.components
        : part.type === ComponentType.Label
          ? [part.component]
          : [];
    for (const input of inputs) {
      if ("value" in input && typeof input.value === "string")
        fields[input.custom_id] = input.value;
    }
  }
  return fields;
}
