import type { FormField, Reply, ReplyOption, Words } from "../../discord/index.ts";
import { type BotError, InputError } from "../../errors.ts";
import type { MethodParams, Playlist } from "../../video/index.ts";
import type { Ctx } from "../context/index.ts";
import { type Extra, noExtra, withExtra } from "../extra/index.ts";
import { drawPlaylistCard } from "./playlists-list.ts";

/** In characters; not documented: docs/services/youtube.md#playlists */
export const maxPlaylistChars = { title: 150, description: 5000 } as const;

const privacies = ["private", "unlisted", "public"] as const;
type PlaylistPrivacy = (typeof privacies)[number];

interface NewPlaylist {
  readonly title: string;
  readonly description?: string | undefined;
  readonly privacy?: PlaylistPrivacy | undefined;
  readonly language?: string | undefined;
}

/**
 * Makes a playlist, which is private by default. The service's own default is public, which nobody should get by
 * accident.
 * @throws InputError `playlist_title_required`, `invalid_parameter` before anything is spent
 */
export async function createPlaylist(
  ctx: Ctx,
  wanted: NewPlaylist,
  extra: Extra = noExtra,
): Promise<Playlist> {
  const { title, description, privacy = "private", language } = wanted;
  requirePlaylistTexts({ title, description });
  const snippet = {
    title: title.trim(),
    ...(description === undefined ? {} : { description }),
    ...(language === undefined ? {} : { defaultLanguage: language }),
  };
  const body = { snippet, status: { privacyStatus: privacy } };
  const params: MethodParams<"playlists.insert"> = { part: ["snippet", "status"], body };
  return ctx.own.call("playlists.insert", withExtra(params, extra), { signal: ctx.signal });
}

/** Makes a playlist and shows it. @throws as `createPlaylist` */
export async function createPlaylistFromOptions(ctx: Ctx, wanted: NewPlaylist): Promise<Reply> {
  return { ...drawPlaylistCard(ctx, await createPlaylist(ctx, wanted, ctx.extra)), tone: "good" };
}

/** Refuses what the service would refuse, because a refused write costs as much as a successful one. */
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

/** The fields of the form for a new playlist. */
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
    privacy: privacyOf(fields.privacy),
  };
}

function privacyOf(text: string | undefined): PlaylistPrivacy | undefined {
  return privacies.find((privacy) => privacy === text);
}
