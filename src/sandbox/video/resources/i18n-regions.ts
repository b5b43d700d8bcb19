import { toList, toResource } from "../answer.ts";
import type { Handler } from "../call.ts";
import { readLanguage } from "../locale.ts";
import { regionCodes } from "../world/index.ts";

const kind = "youtube#i18nRegion";

export const i18nRegions = {
  "i18nRegions.list": (call) => {
    const names = new Intl.DisplayNames(readLanguage(call), { type: "region" });
    const parts = { snippet: (gl: string) => ({ gl, name: names.of(gl) ?? gl }) };
    const items = regionCodes.map((code) =>
      toResource(call, { kind, id: code, thing: code, parts }),
    );
    return toList(`${kind}ListResponse`, items);
  },
} as const satisfies Record<string, Handler>;
