import { badBody, badParameter } from "./api-error.ts";
import type { ApiCall } from "./call.ts";
import { regionCodes, type StoredLocalizations } from "./data/index.ts";
import { type JsonBody, objectAt, textAt } from "./json-body.ts";

const languageTag = /^[a-z]{2,3}([-_][a-z0-9]{2,8})*$/i;

/** The language that `hl` asks for; English when it does not. */
export function readLanguage({ query }: ApiCall): string {
  const language = query.text("hl") ?? "en";
  if (languageTag.test(language)) return language.replaceAll("_", "-");
  throw badParameter("hl", `Invalid value '${language}'.`, "invalidLanguage");
}

/** The region a request is about; undefined when it names none. */
export function readRegionCode({ query }: ApiCall): string | undefined {
  const region = query.text("regionCode")?.toUpperCase();
  if (region === undefined || regionCodes.includes(region)) return region;
  throw badParameter("regionCode", `Invalid value '${region}'.`, "invalidRegionCode");
}

/** Times on the wire have no milliseconds. */
export function toTimestamp(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, "Z");
}

interface LocalizedThing {
  readonly title: string;
  readonly description: string;
  readonly language: string | undefined;
  readonly localizations: StoredLocalizations;
}

/** Title and description in the language of `hl`, where the owner gave them. */
export function localizedTexts(
  { title, description, localizations }: LocalizedThing,
  call: ApiCall,
): { readonly title: string; readonly description: string } {
  if (!call.query.has("hl")) return { title, description };
  const wanted = readLanguage(call);
  const found = localizations[wanted] ?? localizations[wanted.split("-")[0] ?? ""];
  return { title, description, ...found };
}

/** The texts in every language, the thing's own included. */
export function allLocalizations(thing: LocalizedThing): StoredLocalizations {
  const { language, title, description, localizations } = thing;
  return language === undefined
    ? localizations
    : { ...localizations, [language]: { title, description } };
}

/** The API's reasons for what is wrong; each resource has its own. */
interface LocalizationReasons {
  readonly resource: string;
  readonly noLanguage: string;
  readonly invalid: string;
}

/**
 * What a body holds under `localizations`; an empty object when there are none.
 * @param language The thing's own, as it will be after the write.
 */
export function readLocalizations(
  body: JsonBody,
  language: string | undefined,
  { resource, noLanguage, invalid }: LocalizationReasons,
): StoredLocalizations {
  const entries = Object.entries(objectAt(body, "localizations") ?? {});
  if (entries.length > 0 && language === undefined) {
    throw badBody(resource, noLanguage, "snippet.defaultLanguage");
  }
  return Object.fromEntries(
    entries.map(([tag]) => {
      const place = `localizations.${tag}`;
      const title = textAt(body, `${place}.title`);
      if (!languageTag.test(tag) || !title) throw badBody(resource, invalid, place);
      const description = textAt(body, `${place}.description`);
      return [tag, { title, ...(description !== undefined && { description }) }];
    }),
  );
}

/** A `defaultLanguage` as the body has it; undefined when it was left out. */
export function languageAt(
  body: JsonBody,
  place: string,
  { resource, invalid }: Pick<LocalizationReasons, "resource" | "invalid">,
): string | undefined {
  const language = textAt(body, place) || undefined;
  if (language === undefined || languageTag.test(language)) return language;
  throw badBody(resource, invalid, place);
}
