import type { Call } from "./call.ts";
import { badParameter } from "./refusal.ts";
import { regionCodes } from "./world/index.ts";

/** The language of the answer's own words. */
export function readLanguage({ query }: Call): string {
  const language = query.text("hl") ?? "en";
  const tag = language.replaceAll("_", "-");
  if (/^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(tag)) return tag;
  throw badParameter("hl", `Invalid value '${language}'.`, "invalidLanguage");
}

/** The region a request is about; undefined when it names none. */
export function readRegion({ query }: Call): string | undefined {
  const region = query.text("regionCode")?.toUpperCase();
  if (region === undefined || regionCodes.includes(region)) return region;
  throw badParameter("regionCode", `Invalid value '${region}'.`, "invalidRegionCode");
}

/** Times on the wire have no milliseconds. */
export function toTimestamp(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, "Z");
}
