import { toList, toResource } from "../answer.ts";
import type { Handler } from "../call.ts";
import { readLanguage } from "../locale.ts";
import { languageCodes, regionCodes } from "../world/index.ts";

const languageKind = "youtube#i18nLanguage";

export const i18nLanguages = {
  "i18nLanguages.list": (call) => {
    // The site says "Portuguese (Portugal)", not "European Portuguese".
    const names = new Intl.DisplayNames(readLanguage(call), {
      type: "language",
      languageDisplay: "standard",
    });
    const parts = { snippet: (hl: string) => ({ hl, name: names.of(hl) ?? hl }) };
    const items = languageCodes.map((code) =>
      toResource(call, { kind: languageKind, id: code, thing: code, parts }),
    );
    return toList(`${languageKind}ListResponse`, items);
  },
} as const satisfies Record<string, Handler>;

const regionKind = "youtube#i18nRegion";

export const i18nRegions = {
  "i18nRegions.list": (call) => {
    const language = readLanguage(call);
    const names = new Intl.DisplayNames(language, { type: "region" });
    const short = new Intl.DisplayNames(language, { type: "region", style: "short" });
    // The site has no "SAR China" behind it.
    const nameOf = (gl: string) => (gl === "HK" ? short : names).of(gl) ?? gl;
    const parts = { snippet: (gl: string) => ({ gl, name: nameOf(gl) }) };
    const items = regionCodes.map((code) =>
      toResource(call, { kind: regionKind, id: code, thing: code, parts }),
    );
    return toList(`${regionKind}ListResponse`, items);
  },
} as const satisfies Record<string, Handler>;
