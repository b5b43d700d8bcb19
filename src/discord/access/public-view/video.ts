import type { Thing } from "./seeing.ts";

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
