import {
  type Ctx,
  type Extra,
  type FormField,
  noExtra,
  type SelectOption,
  type Words,
  withExtra,
} from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type { Params, Playlist } from "../../video/index.ts";

/** A title's and a description's most characters (facts, limits.text: not confirmed; the service has the last word). */
export const playlistText = { title: 150, description: 5000 } as const;

const privacies = ["private", "unlisted", "public"] as const;
export type Privacy = (typeof privacies)[number];

export interface NewPlaylist {
  readonly title: string;
  readonly description?: string | undefined;
  readonly privacy?: Privacy | undefined;
  readonly language?: string | undefined;
}

/**
 * Makes a playlist, private unless said otherwise: the service's own default is public, which nobody should meet by
 * accident.
 * @throws InputError `playlist_title_required`, `invalid_playlist_snippet` before anything is spent
 */
export async function create(
  ctx: Ctx,
  wanted: NewPlaylist,
  extra: Extra = noExtra,
): Promise<Playlist> {
  const { title, description, privacy = "private", language } = wanted;
  checkTexts({ title, description });
  const snippet = {
    title: title.trim(),
    ...(description === undefined ? {} : { description }),
    ...(language === undefined ? {} : { defaultLanguage: language }),
  };
  const body = { snippet, status: { privacyStatus: privacy } };
  const params: Params<"playlists.insert"> = { part: ["snippet", "status"], body };
  return ctx.own.call("playlists.insert", withExtra(params, extra), { signal: ctx.signal });
}

/** What the service would refuse; a refused write costs as much as one that is done. */
export function checkTexts(texts: {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
}): void {
  const { title, description } = texts;
  if (title?.trim() === "") {
    throw new InputError("a playlist without a title", {
      code: "playlist_title_required",
    });
  }
  for (const [field, text] of Object.entries({ title, description })) {
    if (text !== undefined && /[<>]/u.test(text)) throw refusedText(field);
    const most = playlistText[field as keyof typeof playlistText];
    if (text !== undefined && [...text].length > most) throw refusedText(field);
  }
}

/** Neither `<` nor `>` may stand in titles and descriptions (facts, limits.text). */
function refusedText(field: string): InputError {
  return new InputError(`the playlist's ${field} is not accepted`, {
    code: "invalid_playlist_snippet",
    facts: { field },
  });
}

/** Fields of a form that makes a playlist. */
export function newFields(words: Words): readonly FormField[] {
  return [
    {
      name: "title",
      label: words.say("playlists.form.title"),
      maxLength: playlistText.title,
    },
    {
      name: "description",
      label: words.say("playlists.form.description"),
      style: "paragraph",
      required: false,
      maxLength: 4000,
    },
    {
      kind: "select",
      name: "privacy",
      label: words.say("playlists.form.privacy"),
      options: privacyOptions(words, "private"),
    },
  ];
}

export function privacyOptions(words: Words, chosen: string | undefined): readonly SelectOption[] {
  return privacies.map((value) => ({
    label: words.say(`choices.privacyStatus.${value}`),
    value,
    isDefault: value === chosen,
  }));
}

export function readNew(fields: Readonly<Record<string, string>>): NewPlaylist {
  return {
    title: fields.title ?? "",
    ...(fields.description ? { description: fields.description } : {}),
    privacy: privacyOf(fields.privacy),
  };
}

export function privacyOf(text: string | undefined): Privacy | undefined {
  return privacies.find((privacy) => privacy === text);
}
