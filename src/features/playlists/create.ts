import type { FormField, OptionsOf, Reply, ReplyOption, Words } from "../../discord/index.ts";
import { type BotError, InputError } from "../../errors.ts";
import type { Playlist } from "../../video/index.ts";
import type { Ctx, CtxFor } from "../context/index.ts";
import { coveredParams, option } from "../declarations/index.ts";
import { type Extra, noExtra, withExtra } from "../extra/index.ts";
import { givenFields } from "../options/index.ts";
import { languages } from "../suggestions/index.ts";
import { drawPlaylistCard } from "./playlists-list.ts";

/** In characters; not documented: docs/services/youtube.md#playlists */
export const maxPlaylistChars = { title: 150, description: 5000 } as const;

const privacies = ["private", "unlisted", "public"] as const;

export const newPlaylistOptions = {
  title: option.text({ required: true, max: maxPlaylistChars.title, covers: "snippet.title" }),
  description: option.text({ max: maxPlaylistChars.description, covers: "snippet.description" }),
  privacy: option.field("playlists.insert", "status.privacyStatus"),
  language: option.language({ covers: "snippet.defaultLanguage", suggest: languages }),
};

type NewPlaylist = Pick<OptionsOf<typeof newPlaylistOptions>, "title"> &
  Partial<OptionsOf<typeof newPlaylistOptions>>;

/**
 * Makes a playlist, which is private by default. YouTube's own default is public, which nobody should get by accident.
 * @throws InputError `playlist_title_required`, `invalid_parameter` before anything is spent
 */
export async function createPlaylist(
  ctx: Ctx,
  wanted: NewPlaylist,
  extra: Extra = noExtra,
): Promise<Playlist> {
  requirePlaylistTexts(wanted);
  const title = wanted.title.trim();
  const values = { privacy: "private", ...givenFields(wanted), title };
  const known = coveredParams("playlists.insert", newPlaylistOptions, values);
  const params = withExtra({ part: ["snippet"] as const, body: { snippet: { title } } }, known);
  return ctx.own.call("playlists.insert", withExtra(params, extra), { signal: ctx.signal });
}

/** Makes a playlist and shows it. @throws as `createPlaylist` */
export async function createPlaylistFromOptions(
  ctx: CtxFor<typeof newPlaylistOptions>,
): Promise<Reply> {
  const playlist = await createPlaylist(ctx, ctx.options, ctx.extra);
  return { ...drawPlaylistCard(ctx, playlist), tone: "good" };
}

/** Refuses what YouTube would refuse, because a refused write costs as much as a successful one. */
export function requirePlaylistTexts(texts: {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
}): void {
  const { title, description } = texts;
  if (title?.trim() === "") {
    throw new InputError("a playlist without a title", { code: "playlist_title_required" });
  }
  for (const [field, text] of Object.entries({ title, description })) {
    if (text === undefined) continue;
    if (/[<>]/u.test(text)) throw refusedText(field, { rule: "free", forbidden: "< >" });
    const most = maxPlaylistChars[field as keyof typeof maxPlaylistChars];
    const { length } = [...text];
    if (length > most) throw refusedText(field, { rule: "chars", most, length });
  }
}

/** For a title or description that is too long, or contains `<` or `>`: docs/services/youtube.md#playlists */
function refusedText(field: string, rule: BotError["facts"]): InputError {
  return new InputError(`the playlist's ${field} is not accepted`, {
    code: "invalid_parameter",
    facts: { parameter: `body.snippet.${field}`, ...rule },
  });
}

export function newPlaylistFields(words: Words): readonly FormField[] {
  return [
    { name: "title", label: words.say("playlists.form.title"), maxLength: maxPlaylistChars.title },
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
      options: playlistPrivacyOptions(words, "private"),
    },
  ];
}

export function playlistPrivacyOptions(
  words: Words,
  chosen: string | undefined,
): readonly ReplyOption[] {
  return privacies.map((value) => ({
    label: words.say(`choices.privacyStatus.${value}`),
    value,
    isDefault: value === chosen,
  }));
}

export function readNewPlaylist(fields: Readonly<Record<string, string>>): NewPlaylist {
  return {
    title: fields.title ?? "",
    ...(fields.description ? { description: fields.description } : {}),
    privacy: privacies.find((privacy) => privacy === fields.privacy),
  };
}
