import { toList, toResource } from "../answer.ts";
import type { Handler } from "../call.ts";
import { readLanguage } from "../locale.ts";
import { regionCodes } from "../world/index.ts";

const kind = "youtube#i18nRegion";

export const i18nRegions = {
  "i18nRegions.list": (call) => {
    const language = readLanguage(call);
    const names = new Intl.DisplayNames(language, { type: "region" });
    const short = new Intl.DisplayNames(language, { type: "region", style: "short" });
    // The site has no "SAR China" behind it.
    const nameOf = (gl: string) => (gl === "HK" ? short : names).of(gl) ?? gl;
    const parts = { snippet: (gl: string) => ({ gl, name: nameOf(gl) }) };
    const items = regionCodes.map((code) =>
      toResource(call, { kind, id: code, thing: code, parts }),
    );
    return toList(`${kind}ListResponse`, items);
  },
} as const satisfies Record<string, Handler>;
