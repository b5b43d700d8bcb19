import { once } from "../../once.ts";
import { countryCodes, countryNamed, countryNames, countryOfName } from "./countries.ts";
import { byFoldedName, foldedName, typedName } from "./folded-name.ts";
import places from "./places.json" with { type: "json" };
import times from "./zone-times.json" with { type: "json" };
import words from "./zone-words.json" with { type: "json" };

/** Zones by what people call them, in the bot's languages. */

/** What the IANA database calls zones for which the runtime keeps an earlier name (CLDR, bcp47/timezone `_iana`). */
const presentNames: Readonly<Record<string, string>> = {
  "Africa/Asmera": "Africa/Asmara",
  "America/Buenos_Aires": "America/Argentina/Buenos_Aires",
  "America/Catamarca": "America/Argentina/Catamarca",
  "America/Coral_Harbour": "America/Atikokan",
  "America/Cordoba": "America/Argentina/Cordoba",
  "America/Godthab": "America/Nuuk",
  "America/Indianapolis": "America/Indiana/Indianapolis",
  "America/Jujuy": "America/Argentina/Jujuy",
  "America/Louisville": "America/Kentucky/Louisville",
  "America/Mendoza": "America/Argentina/Mendoza",
  "Asia/Calcutta": "Asia/Kolkata",
  "Asia/Katmandu": "Asia/Kathmandu",
  "Asia/Rangoon": "Asia/Yangon",
  "Asia/Saigon": "Asia/Ho_Chi_Minh",
  "Atlantic/Faeroe": "Atlantic/Faroe",
  "Europe/Kiev": "Europe/Kyiv",
  "Pacific/Enderbury": "Pacific/Kanton",
  "Pacific/Ponape": "Pacific/Pohnpei",
  "Pacific/Truk": "Pacific/Chuuk",
};

/** Every zone once, by its present IANA name. */
export function allTimeZones(): readonly string[] {
  return [...Intl.supportedValuesOf("timeZone").map(presentName), "UTC"];
}

function presentName(zone: string): string {
  return presentNames[zone] ?? zone;
}

/** As people read it: `New York`-like blanks, the present name, and `UTC+05:30` for an offset. */
export function timeZoneTitle(zone: string): string {
  if (/^[+-]/u.test(zone)) return `UTC${zone}`;
  return presentName(zone).replaceAll("_", " ");
}

/** What names are written with; they end in a letter, a digit, a bracket or a full stop. */
const nameSigns = /^['’]?\p{L}[\p{L}\p{M}\p{N} _.,:'’()/+&・＝‐–-]*$/u;

/** The longest name is far shorter. */
const longestText = 80;

/**
 * The zone that the whole text is a name of: an IANA name (aliases and parts too), a city, a country with one zone, a
 * zone's own name or abbreviation, or an offset from UTC. Undefined for what means several zones.
 */
export function timeZoneNamed(text: string): string | undefined {
  if (text.length > longestText) return undefined;
  const typed = typedName(text);
  const offset = offsetNamed(typed);
  if (offset !== undefined) return offset;
  if (!nameSigns.test(typed) || /[^\p{L}\p{M}\p{N}).]$/u.test(typed)) return undefined;
  return named(typed) ?? cityOfCountry(typed);
}

/** Whether it is a name of several zones, like a country that has them or two cities. */
export function hasSeveralZones(text: string): boolean {
  if (text.length > longestText || timeZoneNamed(text) !== undefined) return false;
  const country = countryNamed(text);
  const zones = country === undefined ? zoneNames().get(foldedName(text)) : zonesOfCountry(country);
  return zones !== undefined && zones.length > 1;
}

/** Zones that have a name, or words of it, that begin with the text; the best first. */
export function timeZonesFor(text: string): readonly string[] {
  const typed = foldedName(text);
  if (typed === "" || text.length > longestText) return [];
  const points = new Map<string, number>();
  const count = (name: string, zonesOf: () => readonly string[]) => {
    const isBegun = name.startsWith(typed);
    if (!isBegun && !name.includes(` ${typed}`)) return;
    for (const zone of zonesOf()) {
      // The city that the zone is named after counts most.
      const isOwn = isBegun && foldedName(lastPart(zone)) === name;
      points.set(zone, (points.get(zone) ?? 0) + (isOwn ? 100 : isBegun ? 10 : 1));
    }
  };
  for (const [name, zones] of zoneNames()) count(name, () => zones);
  for (const [name, code] of countryNames()) count(name, () => zonesOfCountry(code));
  const exact = timeZoneNamed(text);
  if (exact !== undefined) points.set(exact, Number.POSITIVE_INFINITY);
  const isLeading = (zone: string) => Number(Object.keys(times).includes(zone));
  return [...points]
    .sort(([a, first], [b, second]) => second - first || isLeading(b) - isLeading(a))
    .map(([zone]) => zone);
}

const zonesByCountry = new Map<string, readonly string[]>();

/** The zones of a country, by its code of two letters. */
export function zonesOfCountry(code: string): readonly string[] {
  // Remembered, because the runtime takes a third of a millisecond for each.
  const known = zonesByCountry.get(code);
  if (known !== undefined) return known;
  // ECMA-402 has `getTimeZones`; TypeScript's library does not know it yet.
  const locale = new Intl.Locale(`und-${code}`) as Intl.Locale & {
    getTimeZones?: () => readonly string[] | undefined;
  };
  const zones = (locale.getTimeZones?.() ?? []).map(presentName);
  if (countryCodes.includes(code)) zonesByCountry.set(code, zones);
  return zones;
}

/** No place is further from UTC, and each is so by quarters of an hour. */
const offsetText = /^(?:utc|gmt)? ?([+−–-]|±)(\d{1,2})(?:[:h]?(\d{2}))?$/iu;

function offsetNamed(typed: string): string | undefined {
  const [, sign, hours = "", minutes = "00"] = offsetText.exec(typed) ?? [];
  if (sign === undefined) return undefined;
  const away = Number(hours) * 60 + Number(minutes);
  if (Number(minutes) > 59 || away % 15 !== 0) return undefined;
  if (away === 0) return "UTC";
  if (sign === "±" || away > (sign === "+" ? 14 : 12) * 60) return undefined;
  return `${sign === "+" ? "+" : "-"}${hours.padStart(2, "0")}:${minutes}`;
}

function named(typed: string): string | undefined {
  // "la", "et" and "eat" are words of sentences; "LA", "ET" and "EAT" are not.
  const isCapital = typed === typed.toUpperCase();
  const name = foldedName(typed);
  const isWord = !isCapital && !shortPlaces.has(name);
  if (isWord && (name.length < 3 || alsoWords.has(name))) return undefined;
  return ofName(name) ?? accepted(typed) ?? ofName(withoutTime(name));
}

/** Codes that are words in none of the five languages, so they may be typed in lower case. */
const shortPlaces = new Set(["uk", "nz"]);

const alsoWords = new Set(
  "act art cat cot eat hae ist met mit net pet vet wat west wet wit".split(" "),
);

/** "den" and "por" are countries at the Olympic Games, and words of sentences everywhere else; 英 is a part of words. */
const shortWord = /^(?:[a-z]{1,3}|.)$/u;
const shortCountries = new Set(["uk", "uae", "vae"]);

function ofName(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  const zones = byFoldedName(zoneNames(), name) ?? [];
  if (zones.length === 1) return zones[0];
  const isCountry = zones.length === 0 && (!shortWord.test(name) || shortCountries.has(name));
  const code = isCountry ? byFoldedName(countryNames(), name) : undefined;
  return code === undefined ? undefined : zoneByCountry().get(code);
}

/** Java's abbreviations, which the runtime accepts with meanings that surprise (BST as Dhaka), are not names of zones. */
const databaseWords = new Set("cet eet est gmt hst met mst prc roc rok uct utc wet".split(" "));

/** What the runtime knows, in any case, with blanks for underscores and spaces around slashes. */
function accepted(typed: string): string | undefined {
  // Names with blanks alone are in the tables, and the runtime takes half a millisecond to refuse one.
  if (typed.includes(" ") && !typed.includes("/")) return undefined;
  const name = typed
    .split("/")
    .map((part) => part.trim().replaceAll(" ", "_"))
    .join("/");
  if (!/^[a-z][\w+-]*(?:\/[\w+-]+){0,2}$/iu.test(name)) return undefined;
  if (/^[a-z]{3}$/iu.test(name) && !databaseWords.has(name.toLowerCase())) return undefined;
  return canonical(name);
}

/** Parts of names that are ordinary words by themselves. */
const ordinaryWords = new Set(
  "north,south,west,east,center,central,general,easter,midway,wake,troll,victoria,san juan,san luis,la rioja".split(
    ",",
  ),
);

function canonical(name: string): string | undefined {
  try {
    const { timeZone } = new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions();
    return presentName(timeZone);
  } catch {
    return undefined;
  }
}

/** "Paris, France", "Paris (FR)", "Paris France" and "Austin, TX": the city, if it is there. */
function cityOfCountry(typed: string): string | undefined {
  const [city = "", place, ...more] = typed.replace(/\)$/u, "").split(/[,(]/u);
  if (more.length > 0) return undefined;
  if (place !== undefined) return cityIn(city, placeZones(place.trim()));
  const words = typed.split(" ");
  for (let at = 1; at < words.length; at++) {
    const country = countryOfName(words.slice(at).join(" "));
    if (country === undefined) continue;
    return cityIn(words.slice(0, at).join(" "), zonesOfCountry(country));
  }
  return undefined;
}

function cityIn(city: string, there: readonly string[]): string | undefined {
  const zones = zoneNames().get(foldedName(city)) ?? [named(city.trim()) ?? ""];
  const own = zones.filter((zone) => there.includes(zone));
  return own.length === 1 ? own[0] : undefined;
}

/** Zones of the states of the USA, as their post codes have them. */
const states: Readonly<Record<string, string>> = {
  "America/New_York": "CT DC DE FL GA IN KY MA MD ME MI NC NH NJ NY OH PA RI SC TN VA VT WV",
  "America/Chicago": "AL AR FL IA IL IN KS KY LA MI MN MO MS ND NE OK SD TN TX WI",
  "America/Denver": "CO ID KS MT ND NE NM OR SD TX UT WY",
  "America/Los_Angeles": "CA ID NV OR WA",
  "America/Phoenix": "AZ",
  "America/Anchorage": "AK",
  "Pacific/Honolulu": "HI",
};

/** Zones of a country or a state; a code may be both, like CA. */
function placeZones(place: string): readonly string[] {
  const ofStates = Object.keys(states).filter((zone) => states[zone]?.split(" ").includes(place));
  const country = countryNamed(place);
  const ofName = zoneNames().get(foldedName(place)) ?? [];
  return [...ofStates, ...ofName, ...(country === undefined ? [] : zonesOfCountry(country))];
}

const before =
  "heure locale de |heure locale a |hora local de |hora local en |ortszeit |heure de la |heure de l |heure du |heure des |heure de |heure d |heure a |heure |hora de la |hora del |hora de los |hora de |hora en |hora |horario de |huso horario de |fuseau horaire de |fuseau de |time in |zeit in |zeit von ".split(
    "|",
  );
const behind =
  "er zeit| local time| standard time| time zone| timezone| time| normalzeit| ortszeit| zeitzone| zeit| heure locale| hora local|の現地時間|現地時間|標準時|の時間|時間|の時刻".split(
    "|",
  );

/** "London" of "London time", "heure de Londres", "Londoner Zeit" or "ロンドン時間". */
function withoutTime(name: string): string | undefined {
  // The dative of "deutsche Zeit".
  if (name.endsWith("scher zeit")) return name.replace(/er zeit$/u, "e zeit");
  const start = before.find((each) => name.startsWith(each));
  if (start !== undefined) return name.slice(start.length);
  const end = behind.find((each) => name.endsWith(each));
  return end === undefined ? undefined : name.slice(0, -end.length).trim();
}

/** Zones by folded name. Most have one; what two cities are called has both. */
const zoneNames = once((): ReadonlyMap<string, readonly string[]> => {
  const names = new Map<string, readonly string[]>();
  const add = (name: string, zone: string) => {
    const zones = names.get(name) ?? [];
    if (!zones.includes(zone)) names.set(name, [...zones, zone]);
  };
  // What comes first wins: the zone's own words and names, then what CLDR calls the times, then cities.
  for (const [zone, text] of Object.entries(words)) {
    for (const name of text.split(", ")) add(name, zone);
  }
  for (const [zone, text] of Object.entries(times)) {
    for (const name of text.split(", ")) if (!names.has(name)) add(name, zone);
  }
  const own = (zone: string) => [zone, zone.slice(zone.indexOf("/") + 1), lastPart(zone)];
  for (const [name, zone] of [
    ...allTimeZones().flatMap((each) => own(each).map((name) => [name, each] as const)),
    ...Object.entries(presentNames).flatMap(([old, zone]) =>
      own(old).map((name) => [name, zone] as const),
    ),
  ]) {
    const folded = foldedName(name);
    if (!names.has(folded) && !ordinaryWords.has(folded)) add(folded, zone);
  }
  const settled = new Set(names.keys());
  for (const [zone, text] of Object.entries(places)) {
    for (const name of text.split(", ")) if (!settled.has(name)) add(name, zone);
  }
  return names;
});

function lastPart(zone: string): string {
  return zone.slice(zone.lastIndexOf("/") + 1);
}

/** The zone of a country that has one, or one for nearly all of it. */
const zoneByCountry = once(
  () =>
    new Map(
      countryCodes.flatMap((code) => {
        const zone = mainZone(code);
        return zone === undefined ? [] : [[code, zone] as const];
      }),
    ),
);

/** Countries whose zones differ only in the past. */
const sameNow: Readonly<Record<string, string>> = {
  AR: "America/Argentina/Buenos_Aires",
  CY: "Asia/Nicosia",
  KZ: "Asia/Almaty",
  PS: "Asia/Gaza",
};

function mainZone(code: string): string | undefined {
  const zones = zonesOfCountry(code);
  if (zones.length < 2) return zones[0];
  const country = new Intl.DisplayNames("fr", { type: "region" }).of(code);
  // For the main zone of a country CLDR gives the country's name: "heure : Allemagne".
  return (
    sameNow[code] ??
    zones.find((zone) => {
      const format = new Intl.DateTimeFormat("fr", {
        timeZone: zone,
        timeZoneName: "shortGeneric",
      });
      return format.format(0).endsWith(`heure : ${country}`);
    })
  );
}
