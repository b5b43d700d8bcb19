import { countryNamed } from "../../language/index.ts";
import type { ServerSettings } from "../../store/index.ts";
import { servedCountries } from "../../video/index.ts";

/** The code of a country that YouTube has a version for. */
export function servedCountry(text: string): string | undefined {
  const code = countryNamed(text);
  return code !== undefined && servedCountries.has(code) ? code : undefined;
}

/** A stored country that YouTube does not know is as good as none: a request with it would be refused, at full cost. */
export function withServedCountry(settings: ServerSettings): ServerSettings {
  const { region, ...others } = settings;
  if (region === undefined) return settings;
  const served = servedCountry(region);
  return served === undefined ? others : { ...others, region: served };
}
