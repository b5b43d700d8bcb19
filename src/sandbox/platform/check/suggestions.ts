import { type Check, decimal, exactText, list, required, shape, text, whole } from "./check.ts";
import { localized } from "./names.ts";
import { safeInteger } from "./options.ts";

function suggestions(value: Check): Check {
  return shape({
    choices: required(
      list(
        shape({
          name: required(text(1, 100)),
          name_localizations: localized(text(1, 100)),
          value: required(value),
        }),
        0,
        25,
      ),
    ),
  });
}

/** What a callback of type 8 carries, by the type of the option that was asked for. */
export const suggestionsFor: Readonly<Record<number, Check>> = {
  3: suggestions(exactText(1, 100)),
  4: suggestions(whole(-safeInteger, safeInteger)),
  10: suggestions(decimal(-safeInteger, safeInteger)),
};
