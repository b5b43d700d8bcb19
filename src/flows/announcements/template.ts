import { InputError } from "../../errors.ts";

/** What a text may hold for each release to fill in. */
const placeholders = ["channel", "title", "kind"] as const;

/** With all of its placeholders filled it still fits a message. */
export const longestTemplate = 500;

type Values = Readonly<Record<(typeof placeholders)[number], string>>;

const anyPlaceholder = /\{([^{}\n]*)\}/gu;

/** @throws InputError `template_placeholder` where nothing could be filled in. */
export function checkTemplate(template: string): void {
  for (const [written, name = ""] of template.matchAll(anyPlaceholder)) {
    if (isKnown(name)) continue;
    const known = placeholders.map((one) => `{${one}}`).join(", ");
    throw new InputError("a template has an unknown placeholder", {
      code: "template_placeholder",
      hint: `Only these are filled in: ${known}.`,
      facts: { placeholder: written.slice(0, 60), known },
    });
  }
}

/** In one go, so that a title that looks like a placeholder stays what it is. */
export function filled(template: string, values: Values): string {
  return template.replace(anyPlaceholder, (written, name) =>
    isKnown(name) ? values[name] : written,
  );
}

function isKnown(name: string): name is keyof Values {
  return (placeholders as readonly string[]).includes(name);
}
