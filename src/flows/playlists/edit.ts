import {
  action,
  actionFor,
  type Ctx,
  card,
  changedFields,
  changedTranslations,
  type Extra,
  type FormField,
  form,
  named,
  noExtra,
  presses,
  type Reply,
  type Setting,
  type Words,
  withExtra,
} from "../../discord/index.ts";
import { type Playlist, updateResource } from "../../video/index.ts";
import { given } from "../options/index.ts";
import { checkTexts, playlistText, privacyOptions } from "./create.ts";
import { cardOf } from "./details.ts";
import { readOwn, requireMade } from "./target.ts";

const podcastStates = ["enabled", "disabled"] as const;

/** A change of a playlist; what is absent stays. */
interface Change {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly privacy?: string | undefined;
  readonly podcast?: string | undefined;
  readonly language?: string | undefined;
}

interface Editing {
  readonly id: string;
  /** The values when the form was offered, so that only what somebody changes is written. */
  readonly before: {
    readonly title: string;
    readonly description: string;
    readonly privacy: string;
    readonly podcast: string;
  };
}

/** Reads the playlist and offers a form with what it says now. */
export const showEdit = actionFor(presses.playlist.edit, {
  answer: "private",
  by: "anyone",
  row: "playlists.update",
  uses: ["playlists.list"],
  run: (ctx, { id }) => offerForm(ctx, id),
});

const editForm = action<Editing>({
  name: "playlists.edit-form",
  answer: "form",
  by: "requester",
  row: "playlists.update",
  form: ({ words }, editing) =>
    form({
      title: words.say("playlists.edit.title"),
      isReturned: true,
      fields: editFields(words, editing),
      submit: saveForm.press(editing),
    }),
});

const saveForm = action<Editing>({
  name: "playlists.save",
  answer: "update",
  by: "requester",
  row: "playlists.update",
  uses: ["playlists.list"],
  run: (ctx, { id, before }, { fields }) => {
    const changed = Object.entries(before).filter(
      ([name, was]) => fields[name] !== undefined && fields[name] !== was,
    );
    const change: Change = Object.fromEntries(changed.map(([name]) => [name, fields[name]]));
    return edit(ctx, id, change);
  },
});

interface EditOptions extends Change {
  readonly playlist: string;
}

/** Changes what was given; offers the form where nothing was. @throws as `edit` and `offerForm` */
export async function editFromOptions(
  ctx: Ctx,
  { playlist, ...options }: EditOptions,
): Promise<Reply> {
  const { title, description, privacy, podcast, language } = options;
  const change = { title, description, privacy, podcast, language };
  const isNothing = given(change) === undefined && Object.keys(ctx.extra.body).length === 0;
  return isNothing ? offerForm(ctx, playlist) : edit(ctx, playlist, change, ctx.extra);
}

export const editActions = [showEdit, editForm, saveForm] as const;

/** Its card, with a button that opens the form: a form can't wait for the values that it shows. */
async function offerForm(ctx: Ctx, id: string): Promise<Reply> {
  requireMade(id);
  const { words } = ctx;
  const playlist = await readOwn(ctx, id);
  const { snippet, status } = playlist;
  const { buttons: _, ...shown } = cardOf(ctx, playlist);
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
      {
        label: words.say("cards.delete"),
        style: "danger",
        press: presses.playlist.remove(id),
      },
    ],
  });
}

/** A form's field holds less than a description may have; a longer one can't be edited in it. */
const longestField = 4000;

function editFields(words: Words, { before }: Editing): readonly FormField[] {
  const { title, description, privacy, podcast: state } = before;
  return [
    {
      name: "title",
      label: words.say("playlists.form.title"),
      value: title,
      maxLength: playlistText.title,
    },
    ...(description.length > longestField
      ? []
      : [
          {
            name: "description",
            label: words.say("playlists.form.description"),
            style: "paragraph" as const,
            required: false,
            maxLength: longestField,
            value: description,
          },
        ]),
    {
      kind: "select",
      name: "privacy",
      label: words.say("playlists.form.privacy"),
      options: privacyOptions(words, privacy),
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
  ];
}

/**
 * Writes what is to change and shows the playlist as it is then.
 * @throws InputError `nothing_to_change` and what the texts are refused for, before anything is spent
 */
async function edit(ctx: Ctx, id: string, change: Change, extra: Extra = noExtra): Promise<Reply> {
  const { title, description, privacy, language } = change;
  requireMade(id);
  checkTexts(change);
  const known = {
    ...partOf("snippet", { title: title?.trim(), description, defaultLanguage: language }),
    ...partOf("status", { privacyStatus: privacy, podcastStatus: change.podcast }),
  };
  const { body } = withExtra({ body: known }, extra);
  const { signal } = ctx;
  // The row's choices were checked by the options, and the client checks the whole once more.
  const whole = { id, ...body } as never;
  const around = await updateResource(ctx.own, "playlists.update", whole, { signal });
  const { words } = ctx;
  const { text: _, ...drawn } = cardOf(ctx, await readOwn(ctx, id));
  const translations = {
    before: around.before.localizations,
    after: around.after.localizations,
  };
  const fields = [
    ...changedFields(words, playlistSettings(words), around),
    ...changedTranslations(words, translations),
  ];
  const footer = words.say("playlists.edit.saved");
  return {
    ...drawn,
    ...(fields.length === 0 && { text: words.say("common.unchanged") }),
    fields,
    footer,
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
      ({ status }) => named(words, "privacyStatus", status?.privacyStatus),
    ],
    [
      "playlists.form.podcast",
      ({ status }) => named(words, "podcastStatus", status?.podcastStatus),
    ],
  ];
}

/** A part with the fields that were given; a part without any is not written. */
function partOf(part: string, fields: Readonly<Record<string, unknown>>): object {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return given.length === 0 ? {} : { [part]: Object.fromEntries(given) };
}
