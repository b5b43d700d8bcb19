import type { ApiCall, Handler } from "../call.ts";
import {
  type Category,
  categoryChannelId,
  inLanguage,
  languageCodes,
  regionCodes,
  sampleCategories,
} from "../data/index.ts";
import { readLanguage, readRegionCode } from "../locale.ts";
import { notFound } from "../refusal.ts";
import { toList, toResource } from "../resource.ts";

const languageKind = "youtube#i18nLanguage";

export const languageHandlers = {
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

export const regionHandlers = {
  "i18nRegions.list": (call) => {
    const language = readLanguage(call);
    const names = new Intl.DisplayNames(language, { type: "region" });
    const short = new Intl.DisplayNames(language, { type: "region", style: "short" });
    // The site has no "SAR China" behind it.
    const regionName = (gl: string) => (gl === "HK" ? short : names).of(gl) ?? gl;
    const parts = { snippet: (gl: string) => ({ gl, name: regionName(gl) }) };
    const items = regionCodes.map((code) =>
      toResource(call, { kind: regionKind, id: code, thing: code, parts }),
    );
    return toList(`${regionKind}ListResponse`, items);
  },
} as const satisfies Record<string, Handler>;

const kind = "youtube#videoCategory";

const parts = {
  snippet: ({ title, isAssignable }: Category, call: ApiCall) => ({
    title: inLanguage(title, readLanguage(call)),
    assignable: isAssignable,
    channelId: categoryChannelId,
  }),
};

export const videoCategoryHandlers = {
  "videoCategories.list": (call) => {
    readLanguage(call);
    readRegionCode(call);
    const ids = call.query.list("id");
    const unknown = ids.some((wanted) => !sampleCategories.some(({ id }) => id === wanted));
    if (unknown) throw notFound("videoCategory", "videoCategoryNotFound", "id");
    const items = sampleCategories
      .filter(({ id }) => ids.length === 0 || ids.includes(id))
      .map((category) => toResource(call, { kind, id: category.id, thing: category, parts }));
    return toList(`${kind}ListResponse`, items);
  },
} as const satisfies Record<string, Handler>;
