import { notFound } from "../api-error.ts";
import type { Handler } from "../call.ts";
import {
  type Category,
  categoryChannelId,
  inLanguage,
  languageCodes,
  regionCodes,
  sampleAbuseReasons,
  sampleCategories,
} from "../data/index.ts";
import { readLanguage, readRegionCode } from "../locale.ts";
import { defineResource } from "../resource.ts";

interface NamedCode {
  readonly id: string;
  readonly name: string | undefined;
}

const languageResource = defineResource<NamedCode>("i18nLanguage", ({ id, name }) => ({
  snippet: { hl: id, name },
}));

const regionResource = defineResource<NamedCode>("i18nRegion", ({ id, name }) => ({
  snippet: { gl: id, name },
}));

const categoryResource = defineResource<Category>(
  "videoCategory",
  ({ title, isAssignable }, call) => ({
    snippet: {
      title: inLanguage(title, readLanguage(call)),
      assignable: isAssignable,
      channelId: categoryChannelId,
    },
  }),
);

const abuseReasonResource = defineResource<(typeof sampleAbuseReasons)[number]>(
  "videoAbuseReportReason",
  ({ label, details }, call) => {
    const language = readLanguage(call);
    const secondaryReasons = details.map((detail) => {
      return { id: detail.id, label: inLanguage(detail.label, language) };
    });
    return {
      snippet: {
        label: inLanguage(label, language),
        secondaryReasons: details.length > 0 ? secondaryReasons : undefined,
      },
    };
  },
);

export const catalogueHandlers = {
  "i18nLanguages.list": (call) => {
    // The site says "Portuguese (Portugal)", not "European Portuguese".
    const style = { type: "language", languageDisplay: "standard" } as const;
    const names = new Intl.DisplayNames(readLanguage(call), style);
    const languages = languageCodes.map((id) => ({ id, name: names.of(id) }));
    return languageResource.list(call, languages);
  },
  "i18nRegions.list": (call) => {
    const language = readLanguage(call);
    const names = new Intl.DisplayNames(language, { type: "region" });
    // The site has no "SAR China" behind Hong Kong.
    const short = new Intl.DisplayNames(language, { type: "region", style: "short" });
    const regions = regionCodes.map((id) => ({ id, name: (id === "HK" ? short : names).of(id) }));
    return regionResource.list(call, regions);
  },
  "videoCategories.list": (call) => {
    readLanguage(call);
    readRegionCode(call);
    const ids = call.query.list("id");
    const unknown = ids.some((wanted) => !sampleCategories.some(({ id }) => id === wanted));
    if (unknown) throw notFound("videoCategory", "videoCategoryNotFound", "id");
    const found = sampleCategories.filter(({ id }) => ids.length === 0 || ids.includes(id));
    return categoryResource.list(call, found);
  },
  "videoAbuseReportReasons.list": (call) => abuseReasonResource.list(call, sampleAbuseReasons),
} as const satisfies Record<string, Handler>;
