import type { FormAction, PressInput } from "../declare/command.ts";
import type { Form, FormField, Press } from "../draw/reply.ts";

/** Opens a form again, as it was when its submission failed. */
export const reopenForm: FormAction<unknown, Form> = {
  name: "form.again",
  answer: "form",
  by: "requester",
  form: (_, form) => form,
};

/** The press that opens a form again; stored together with its submission. */
export function reopenPress(form: Form): Press {
  return { action: reopenForm.name, state: form };
}

/** The form with what was typed and chosen; files have to be attached again. */
export function refillForm(form: Form, input: PressInput): Form {
  return { ...form, fields: form.fields.map((field) => refill(field, input)) };
}

function refill(field: FormField, { fields, lists }: PressInput): FormField {
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
