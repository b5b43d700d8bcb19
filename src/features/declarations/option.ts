import {
  basicOption as discordOption,
  longestTexts,
  type OptionSpec,
  textOption,
} from "../../discord/index.ts";
import {
  countryNamed,
  hasSeveralZones,
  languageNamed,
  timeZoneNamed,
} from "../../language/index.ts";
import { channelNamedBy, readPlaylistRef, readVideoRef } from "../../video-links/index.ts";
import { servedCountry } from "../context/index.ts";
import { places, suggestForLast } from "../suggestions/index.ts";
import { methodField } from "./method-options.ts";
import {
  idIn,
  type ListPlace,
  type PastedVideos,
  parseLocation,
  parsePlace,
  parseRadius,
  readPastedVideos,
  readSeveral,
  readWith,
} from "./option-values.ts";

/** Options of commands: Discord's own kinds, and those for what YouTube and remove.bg take. */
export const option = {
  ...discordOption,

  /** A video's id, from its link or id. */
  video: textOption(longestTexts.link, readWith(readVideoRef, "video")),
  /** Up to 50 videos, from links or ids separated by spaces, commas or lines, without duplicates. */
  videos: severalAs(readVideoRef, "video"),
  /** The videos of a pasted list, however many, with the entries that are no videos. */
  pastedVideos: <const S extends OptionSpec>(spec: S) =>
    textOption<PastedVideos>(longestTexts.any, readPastedVideos)(severally(spec, readVideoRef)),
  /** A place in a list from 1, or its top or bottom. */
  position: <const S extends OptionSpec>(spec: S) =>
    textOption<ListPlace>(
      longestTexts.phrase,
      readWith(parsePlace, "position"),
    )({
      suggest: places,
      ...spec,
    }),

  /** A playlist's id, from its link or id. */
  playlist: textOption(longestTexts.link, readWith(readPlaylistRef, "playlist")),
  playlists: severalAs(readPlaylistRef, "playlist"),

  /** A channel, from its link, handle (with or without the @) or id; `findChannel` resolves it. */
  channel: textOption(longestTexts.link, readWith(channelNamedBy, "channel")),
  channels: severalAs(channelNamedBy, "channel"),

  /**
   * An id that only YouTube gives out, such as a comment's or a section's: chosen from suggestions, or pasted.
   * A link that carries it works too (`lc=` for comments).
   */
  id: <const S extends OptionSpec & { readonly of: string }>(spec: S) =>
    textOption(longestTexts.id, readWith(idIn(spec.of), spec.of))(spec),

  ids: <const S extends OptionSpec & { readonly of: string }>(spec: S) =>
    textOption<readonly string[]>(
      longestTexts.any,
      readSeveral(idIn(spec.of), spec.of),
    )(severally(spec)),

  /** `latitude,longitude` in degrees. */
  location: textOption(longestTexts.phrase, readWith(parseLocation, "location")),

  /** A distance with its unit, like `50km`; at most 1,000 kilometres (docs/services/youtube.md#search). */
  radius: textOption(longestTexts.phrase, readWith(parseRadius, "radius")),

  /** The code of a country that YouTube has a version for, from its name or code. Others are refused with that reason. */
  country: textOption(
    longestTexts.phrase,
    readWith(servedCountry, (text) =>
      countryNamed(text) === undefined ? "country" : "served_country",
    ),
  ),

  /** A time zone's present IANA name or an offset from UTC, from anything that people call it. */
  timeZone: textOption(
    longestTexts.phrase,
    readWith(timeZoneNamed, (text) => (hasSeveralZones(text) ? "one_time_zone" : "time_zone")),
  ),

  /** A language's BCP 47 code, from its name or code. */
  language: textOption(longestTexts.phrase, readWith(languageNamed, "language")),

  /** A parameter or body field of a method, with everything that the method says about it. */
  field: methodField,
} as const;

/** An option of several values, separated by spaces, commas or lines. */
function severalAs<T>(read: (text: string) => T | undefined, wanted: string) {
  const parse = readSeveral(read, wanted);
  return <const S extends OptionSpec>(spec: S) =>
    textOption<readonly T[]>(longestTexts.any, parse)(severally(spec, read));
}

/** Makes its suggestions those for the last of several values. */
function severally<S extends OptionSpec>(
  spec: S,
  isOne: (text: string) => unknown = () => undefined,
): S {
  const { suggest } = spec;
  return suggest === undefined ? spec : { ...spec, suggest: suggestForLast(suggest, isOne) };
}
