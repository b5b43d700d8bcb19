import {
  card,
  compact,
  type Form,
  type FormField,
  form,
  type OptionsOf,
  type Reply,
  type RequestInfo,
  type Words,
} from "../../discord/index.ts";
import { type Playlist, updateResource } from "../../video/index.ts";
import {
  changedFields,
  changedTranslations,
  presses,
  type Setting,
  valueName,
} from "../cards/index.ts";
import type { Ctx, CtxFor } from "../context/index.ts";
import { action, actionFor, coveredParams, option } from "../declarations/index.ts";
import { type Extra, noExtra, withExtra } from "../extra/index.ts";
import { givenFields } from "../options/index.ts";
import { languages, ownPlaylists } from "../suggestions/index.ts";
import { maxPlaylistChars, playlistPrivacyOptions, requirePlaylistTexts } from "./create.ts";
import { readOwnPlaylist, requireEditablePlaylist } from "./playlist-to-change.ts";
import { drawPlaylistCard } from "./playlists-list.ts";

const podcastStates = ["enabled", "disabled"] as const;

export const playlistEditOptions = {
  playlist: option.playlist({ required: true, covers: "id", suggest: ownPlaylists }),
  title: option.text({ max: maxPlaylistChars.title, covers: "snippet.title" }),
  description: option.text({ max: maxPlaylistChars.description, covers: "snippet.description" }),
  privacy: option.field("playlists.update", "status.privacyStatus"),
  podcast: option.field("playlists.update", "status.podcastStatus"),
  language: option.language({ covers: "snippet.defaultLanguage", suggest: languages }),
};

/** What is absent stays as it is. */
type PlaylistChange = Partial<Omit<OptionsOf<typeof playlistEditOptions>, "playlist">>;

interface PlaylistEdit {
  readonly id: string;
  /** The values when the form was opened, so that only what somebody changed is written. */
  readonly before: {
    readonly title: string;
    readonly description: string;
    readonly privacy: string;
    readonly podcast: string;
  };
}

/** Reads the playlist and offers a form with its current values. */
const showEdit = actionFor(presses.playlist.edit, {
  method: "playlists.update",
  uses: ["playlists.list"],
  run: offerForm,
});

const editForm = action<PlaylistEdit>({
  name: "playlists.edit-form",
  answer: "form",
  method: "playlists.update",
  form: playlistForm,
});

const saveForm = action<PlaylistEdit>({
  name: "playlists.save",
  method: "playlists.update",
  uses: ["playlists.list"],
  run: (ctx, { id, before }, { fields }) => {
    const changed = Object.entries(before).filter(
      ([name, was]) => fields[name] !== undefined && fields[name] !== was,
    );
    const change: PlaylistChange = Object.fromEntries(
      changed.map(([name]) => [name, fields[name]]),
    );
    return edit(ctx, id, change);
  },
});

/** Changes what the options say; offers the form if they say nothing. @throws as `edit` and `offerForm` */
export async function editPlaylistFromOptions(
  ctx: CtxFor<typeof playlistEditOptions>,
): Promise<Reply> {
  const { playlist, ...change } = ctx.options;
  const isNothing = givenFields(change) === undefined && Object.keys(ctx.extra.body).length === 0;
  return isNothing ? offerForm(ctx, { id: playlist }) : edit(ctx, playlist, change, ctx.extra);
}

export const playlistEditActions = [showEdit, editForm, saveForm] as const;

/** The form, or the playlist's card with a button for it where its values are read too late for a first answer. */
async function offerForm(ctx: Ctx, { id }: { readonly id: string }): Promise<Reply> {
  requireEditablePlaylist(id);
  const { words } = ctx;
  const playlist = await readOwnPlaylist(ctx, id);
  const { snippet, status } = playlist;
  const { buttons: _, ...shown } = drawPlaylistCard(ctx, playlist);
  const before = {
    title: snippet?.title ?? "",
    description: snippet?.description ?? "",
    privacy: status?.privacyStatus ?? "public",
    podcast: status?.podcastStatus ?? "disabled",
  };
  return card({
    ...shown,
    buttons: [
      {
        label: words.say("playlists.edit.open"),
        style: "primary",
        press: editForm.press({ id, before }),
      },
      { label: words.say("cards.delete"), style: "danger", press: presses.playlist.remove(id) },
    ],
    formBehindButton: playlistForm(ctx, { id, before }),
  });
}

/** A field of a form holds fewer characters than a description may have. A longer one can't be edited in a form. */
const maxFieldChars = 4000;

function playlistForm({ words }: RequestInfo, editing: PlaylistEdit): Form {
  const { title, description, privacy, podcast: state } = editing.before;
  return form({
    title: words.say("playlists.edit.title"),
    isReturned: true,
    fields: compact<FormField>([
      {
        name: "title",
        label: words.say("playlists.form.title"),
        value: title,
        maxLength: maxPlaylistChars.title,
      },
      description.length <= maxFieldChars && {
        name: "description",
        label: words.say("playlists.form.description"),
        style: "paragraph",
        required: false,
        maxLength: maxFieldChars,
        value: description,
      },
      {
        kind: "select",
        name: "privacy",
        label: words.say("playlists.form.privacy"),
        options: playlistPrivacyOptions(words, privacy),
      },
      {
        kind: "select",
        name: "podcast",
        label: words.say("playlists.form.podcast"),
        options: podcastStates.map((value) => ({
          label: words.say(`choices.podcastStatus.${value}`),
          value,
          isDefault: value === state,
        })),
      },
    ]),
    submit: saveForm.press(editing),
  });
}

/**
 * Writes the change and shows the playlist afterwards.
 * @throws InputError `nothing_to_change` and as `requirePlaylistTexts`, before anything is spent
 */
async function edit(
  ctx: Ctx,
  id: string,
  change: PlaylistChange,
  extra: Extra = noExtra,
): Promise<Reply> {
  requireEditablePlaylist(id);
  requirePlaylistTexts(change);
  const values = { ...change, title: change.title?.trim() };
  const known = coveredParams("playlists.update", playlistEditOptions, values);
  const { body } = withExtra({ body: known.body }, extra);
  const { signal } = ctx;
  // The options have checked the choices, and the client checks everything once more.
  const whole = { id, ...body } as never;
  const around = await updateResource(ctx.own, "playlists.update", whole, { signal });
  const { words } = ctx;
  const { text: _, ...drawn } = drawPlaylistCard(ctx, await readOwnPlaylist(ctx, id));
  const translations = { before: around.before.localizations, after: around.after.localizations };
  const fields = [
    ...changedFields(words, playlistSettings(words), around),
    ...changedTranslations(words, translations),
  ];
  if (around.after === around.before) {
    const text = words.say("common.same");
    return { ...drawn, text, fields, footer: words.say("videos.edit.nothing") };
  }
  return {
    ...drawn,
    ...(fields.length === 0 && { text: words.say("common.unchanged") }),
    fields,
    footer: words.say("playlists.edit.saved"),
  };
}

function playlistSettings(words: Words): readonly Setting<Playlist>[] {
  return [
    ["playlists.form.title", ({ snippet }) => snippet?.title],
    ["playlists.form.description", ({ snippet }) => snippet?.description],
    [
      "playlists.form.language",
      ({ snippet }) => snippet?.defaultLanguage && words.language(snippet.defaultLanguage),
    ],
    [
      "playlists.form.privacy",
      ({ status }) => valueName(words, "privacyStatus", status?.privacyStatus),
    ],
    [
      "playlists.form.podcast",
      ({ status }) => valueName(words, "podcastStatus", status?.podcastStatus),
    ],
  ];
}
