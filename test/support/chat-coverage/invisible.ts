import { type FieldPlace, markedFields } from "./marked-answers.ts";

const noPart = "No part of that name can be asked for.";
const picture = "The picture that was set is shown itself.";

/** Fields of results that nobody sees in the chat, and why; a `*` at the end stands for everything below. */
const reasons: Readonly<Record<string, string>> = {
  "ChannelBannerResource *":
    "The address goes straight into the channel's settings, which show it as theirs.",
  "ThumbnailSetResponse *": picture,
  "Video ageGating.*": noPart,
  "Video monetizationDetails.*": noPart,
  "Video projectDetails": noPart,
};

/** Why the field is not seen; undefined for fields that people see. Deprecated fields need no other reason. */
export function whyInvisible(place: FieldPlace): string | undefined {
  const entry = Object.entries(reasons).find(([listed]) => covers(listed, place));
  if (entry !== undefined) return entry[1];
  return markedFields.get(place)?.isDeprecated ? "The service has given it up." : undefined;
}

/** Entries of the list above that are wrong, because people see one of their fields. */
export function needlessEntries(isSeen: (place: FieldPlace) => boolean): readonly string[] {
  const places = [...markedFields.keys()];
  return Object.keys(reasons).filter((listed) =>
    places.filter((place) => covers(listed, place)).some(isSeen),
  );
}

function covers(listed: string, place: FieldPlace): boolean {
  return listed.endsWith("*") ? place.startsWith(listed.slice(0, -1)) : place === listed;
}
