import { action, type Ctx, form, gone, type Reply, withExtra } from "../../discord/index.ts";
import { updateResource } from "../../video/index.ts";
import { given } from "../options/index.ts";
import { ownChannelId } from "./find.ts";
import {
  changedCard,
  changedSettings,
  settingsCard,
  settingsFields,
  settingsParts,
  type TextSettings,
  textSettings,
} from "./settings.ts";

interface Editing {
  readonly id: string;
  readonly before: TextSettings;
}

const editForm = action<Editing>({
  name: "channels.edit-form",
  answer: "form",
  by: "requester",
  row: "channels.update",
  form: ({ words }, editing) =>
    form({
      title: words.say("channels.edit.form"),
      isReturned: true,
      fields: settingsFields(editing.before, words),
      submit: saveForm.press(editing),
    }),
});

const saveForm = action<Editing>({
  name: "channels.save-settings",
  answer: "private",
  by: "requester",
  row: "channels.update",
  uses: ["channels.list"],
  run: (ctx, { id, before }, { fields }) => {
    const channel = changedSettings(before, fields);
    const hasChanges = Object.keys(channel).length > 0;
    return save(ctx, { id, ...(hasChanges && { brandingSettings: { channel } }) });
  },
});

/** Without the page that shows them, sections are for nobody (specification, section 4). */
export const showSections = action<{ readonly id: string }>({
  name: "channels.show-all-sections",
  answer: "private",
  by: "requester",
  row: "channels.update",
  uses: ["channels.list"],
  run: (ctx, { id }) => save(ctx, { id, brandingSettings: { channel: { showBrowseView: true } } }),
});

interface ChannelChange {
  readonly description?: string | undefined;
  readonly keywords?: string | undefined;
  readonly country?: string | undefined;
  readonly language?: string | undefined;
  readonly trailer?: string | undefined;
  readonly made_for_kids?: boolean | undefined;
  readonly show_sections?: boolean | undefined;
}

/** Changes the linked channel's settings; shows them where nothing was given. */
async function edit(ctx: Ctx, wanted: ChannelChange): Promise<Reply> {
  const { description, keywords, country, language, trailer, ...flags } = wanted;
  const id = await ownChannelId(ctx);
  const channel = given({
    description,
    keywords,
    country,
    defaultLanguage: language,
    unsubscribedTrailer: trailer,
    showBrowseView: flags.show_sections,
  });
  const status = given({ selfDeclaredMadeForKids: flags.made_for_kids });
  const isBare = Object.keys(ctx.extra.body).length === 0;
  if (channel === undefined && status === undefined && isBare) return showSettings(ctx, id);
  return save(ctx, {
    id,
    ...(channel && { brandingSettings: { channel } }),
    ...(status && { status }),
  });
}

/** The current settings, with a button that opens the form. */
async function showSettings(ctx: Ctx, id: string): Promise<Reply> {
  const wanted = { part: settingsParts, id: [id] };
  const { items } = await ctx.own.call("channels.list", wanted, { signal: ctx.signal });
  const [channel] = items ?? [];
  if (channel === undefined) return gone("channel", ctx.words);
  const { words } = ctx;
  return {
    ...settingsCard(channel, words.say("channels.settings.title"), words),
    footer: words.say("channels.edit.name_stays"),
    buttons: [
      {
        label: words.say("cards.edit"),
        style: "primary",
        press: editForm.press({ id, before: textSettings(channel) }),
      },
    ],
  };
}

type Change = Parameters<typeof updateResource<"channels.update">>[2];

/** Writes the change, and shows the values before and after. */
async function save(ctx: Ctx, change: Change): Promise<Reply> {
  const { body = change } = withExtra({ body: change }, ctx.extra);
  const { signal } = ctx;
  const around = await updateResource(ctx.own, "channels.update", body, { signal });
  return changedCard(around, ctx.words.say("channels.edit.done"), ctx.words);
}

export const channelSettings = {
  edit,
  actions: [editForm, saveForm, showSections],
} as const;
