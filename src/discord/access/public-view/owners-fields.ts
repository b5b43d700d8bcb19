import { methods } from "../../../video/index.ts";
import type { Thing } from "./seeing.ts";

/** Parts that only the owner gets. */
const ownParts = methods["channels.list"].query.part.needsToken;

/** A channel without what only its owner is told. */
export function withoutOwnFields(channel: Thing): Thing {
  const left = { ...channel } as Record<string, unknown>;
  for (const part of ownParts) delete left[part];
  const { contentDetails, statistics, status } = channel;
  return {
    ...left,
    ...(contentDetails && { contentDetails: publicLists(contentDetails) }),
    ...(statistics && { statistics: shownNumbers(statistics) }),
    ...(status && { status: without(status, "selfDeclaredMadeForKids") }),
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** Of its lists, the uploads are everybody's. */
function publicLists(contentDetails: Fields): Fields {
  const { relatedPlaylists } = contentDetails as { readonly relatedPlaylists?: Fields };
  if (relatedPlaylists === undefined) return contentDetails;
  const { uploads } = relatedPlaylists;
  return { ...contentDetails, relatedPlaylists: uploads === undefined ? {} : { uploads } };
}

/** Who hides how many subscribe sees it all the same. */
function shownNumbers(statistics: Fields): Fields {
  return statistics.hiddenSubscriberCount === true
    ? without(statistics, "subscriberCount")
    : statistics;
}

function without(fields: Fields, name: string): Fields {
  const { [name]: _, ...rest } = fields;
  return rest;
}

/** Fields that the service tells a video's owner alone, by their parts. */
const ownersFields = {
  contentDetails: "hasCustomThumbnail",
  statistics: "dislikeCount",
  status: "selfDeclaredMadeForKids",
} as const satisfies Partial<Record<keyof Thing, string>>;

/** A video without what only its owner is told. */
export function withoutOwnersDetails(video: Thing): Thing {
  const parts = Object.entries(ownersFields).flatMap(([part, field]) => {
    const { [field]: _, ...rest } = video[part as keyof typeof ownersFields] ?? {};
    return part in video ? [[part, rest] as const] : [];
  });
  return { ...video, ...Object.fromEntries(parts) };
}
