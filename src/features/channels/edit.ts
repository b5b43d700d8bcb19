import { form, gone, type Reply } from "../../discord/index.ts";
import { updateResource } from "../../video/index.ts";
import type { Ctx } from "../context/index.ts";
import { action } from "../declarations/index.ts";
import { withExtra } from "../extra/index.ts";
import { givenFields } from "../options/index.ts";
import { requireOwnChannelId } from "./find.ts";
import {
  type ChannelTextSettings,
  changedChannelCard,
  channelSettingsCard,
  channelSettingsFields,
  channelSettingsParts,
  readChangedChannelSettings,
  readChannelTextSettings,
} from "./settings.ts";

interface ChannelEdit {
  readonly id: string;
  readonly before: ChannelTextSettings;
}

const editForm = action<ChannelEdit>({
  name: "channels.edit-form",
  answer: "form",
  by: "requester",
  method: "channels.update",
  form: ({ words }, state) =>
    form({
      title: words.say("channels.edit.form"),
      isReturned: true,
      fields: channelSettingsFields(state.before, words),
      submit: saveForm.press(state),
    }),
});

const saveForm = action<ChannelEdit>({
  name: "channels.save-settings",
  answer: "private",
  by: "requester",
  method: "channels.update",
  uses: ["channels.list"],
  run: (ctx, { id, before }, { fields }) => {
    const channel = readChangedChannelSettings(before, fields);
    const hasChanges = Object.keys(channel).length > 0;
    return save(ctx, { id, ...(hasChanges && { brandingSettings: { channel } }) });
  },
});

/** Visitors see no sections while the page that shows them is off: docs/services/youtube.md#channel-sections */
export const showSections = action<{ readonly id: string }>({
  name: "channels.show-all-sections",
  answer: "private",
  by: "requester",
  method: "channels.update",
  uses: ["channels.list"],
  run: (ctx, { id }) => save(ctx, { id, brandingSettings: { channel: { showBrowseView: true } } }),
});

interface ChannelEditOptions {
  readonly description?: string | undefined;
  readonly keywords?: string | undefined;
  readonly country?: string | undefined;
  readonly language?: string | undefined;
  readonly trailer?: string | undefined;
  readonly made_for_kids?: boolean | undefined;
  readonly show_sections?: boolean | undefined;
}

/** Changes the linked channel's settings; shows them if no option was given. */
async function edit(ctx: Ctx, wanted: ChannelEditOptions): Promise<Reply> {
  const { description, keywords, country, language, trailer, ...flags } = wanted;
  const id = await requireOwnChannelId(ctx);
  const channel = givenFields({
    description,
    keywords,
    country,
    defaultLanguage: language,
    unsubscribedTrailer: trailer,
    showBrowseView: flags.show_sections,
  });
  const status = givenFields({ selfDeclaredMadeForKids: flags.made_for_kids });
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
  const wanted = { part: channelSettingsParts, id: [id] };
  const { items } = await ctx.own.call("channels.list", wanted, { signal: ctx.signal });
  const [channel] = items ?? [];
  if (channel === undefined) return gone("channel", ctx.words);
  const { words } = ctx;
  return {
    ...channelSettingsCard(channel, words.say("channels.settings.title"), words),
    footer: words.say("channels.edit.name_stays"),
    buttons: [
      {
        label: words.say("cards.edit"),
        style: "primary",
        press: editForm.press({ id, before: readChannelTextSettings(channel) }),
      },
    ],
  };
}

type ChannelUpdate = Parameters<typeof updateResource<"channels.update">>[2];

/** Writes the change and shows the values before and after. */
async function save(ctx: Ctx, change: ChannelUpdate): Promise<Reply> {
  const { body = change } = withExtra({ body: change }, ctx.extra);
  const { signal } = ctx;
  const around = await updateResource(ctx.own, "channels.update", body, { signal });
  return changedChannelCard(around, ctx.words.say("channels.edit.done"), ctx.words);
}

export const channelSettingsFlow = {
  edit,
  actions: [editForm, saveForm, showSections],
} as const;
