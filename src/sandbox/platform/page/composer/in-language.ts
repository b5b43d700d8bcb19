import type { APIApplicationCommandBasicOption } from "discord-api-types/v10";
import { descriptionIn, type Locale, nameIn } from "../../locales.ts";

/** An option as one person reads it: description and choices are in their language, `name` stays the command's own. */
export type ShownOption = APIApplicationCommandBasicOption & {
  /** Its name in their language. */
  readonly label: string;
};

export function optionIn(option: APIApplicationCommandBasicOption, locale: Locale): ShownOption {
  const shown = {
    ...option,
    label: nameIn(option, locale),
    description: descriptionIn(option, locale),
  };
  if (!("choices" in option) || option.choices === undefined) return shown;
  const choices = option.choices.map((choice) => ({ ...choice, name: nameIn(choice, locale) }));
  // Which type of choices an option has goes with its own type, and that has not changed.
  return { ...shown, choices } as ShownOption;
}
