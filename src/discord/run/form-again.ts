import type { Action, Input } from "../declare/command.ts";
import type { Form, FormField, Press } from "../draw/reply.ts";

/** Opens a form once more, as it was when its submission failed. */
export const formAgain: Action<Form> = {
  name: "form.again",
  answer: "form",
  by: "requester",
  form: (_asked, form) => form,
};

/** Kept beside the submission of a form that may be opened again. */
export function againPress(form: Form): Press {
  return { action: formAgain.name, state: form };
}

/** The same form with what was typed and chosen; attached files have to be attached again. */
export function refilled(form: Form, input: Input): Form {
  return { ...form, fields: form.fields.map((field) => refill(field, input)) };
}

function refill(field: FormField, { fields, lists }: Input): FormField {
  if (field.kind === "files") return field;
  if (field.kind === "select") {
    const chosen = lists[field.name];
    if (chosen === undefined) return field;
    const options = field.options.map((option) => ({
      ...option,
      isDefault: chosen.includes(option.value),
    }));
    return { ...field, options };
  }
  const value = fields[field.name];
  return value === undefined ? field : { ...field, value };
}
