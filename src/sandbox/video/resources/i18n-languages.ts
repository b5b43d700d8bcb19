import { toList, toResource } from "../answer.ts";
import type { Handler } from "../call.ts";
import { readLanguage } from "../locale.ts";
import { languageCodes } from "../world/index.ts";

const kind = "youtube#i18nLanguage";

export const i18nLanguages = {
  "i18nLanguages.list": (call) => {
    // The site says "Portuguese (Portugal)", not "European Portuguese".
    const names = new Intl.DisplayNames(readLanguage(call), {
      type: "language",
      languageDisplay: "standard",
    });
    const parts = { snippet: (hl: string) => ({ hl, name: names.of(hl) ?? hl }) };
    const items = languageCodes.map((code) =>
      toResource(call, { kind, id: code, thing: code, parts }),
    );
    return toList(`${kind}ListResponse`, items);
  },
} as const satisfies Record<string, Handler>;
