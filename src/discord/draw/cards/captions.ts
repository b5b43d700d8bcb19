import type { Caption } from "../../../video/index.ts";
import type { Words } from "../words.ts";
import { named } from "./fields.ts";

/** `German · Director’s cut · Automatic · Draft`: what tells captions from the others of their video. */
export function captionsName(snippet: Caption["snippet"], words: Words): string {
  const { language = "und", name, trackKind = "standard", isDraft } = snippet ?? {};
  const kind = trackKind === "standard" ? undefined : named(words, "trackKind", trackKind);
  const draft = isDraft === true ? words.say("captions.draft") : undefined;
  return [words.language(language), name, kind, draft].filter(Boolean).join(" · ");
}
