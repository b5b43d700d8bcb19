import { form, gone, type Reply } from "../../discord/index.ts";
import { updateResource } from "../../video/index.ts";
import type { Ctx, CtxFor } from "../context/index.ts";
import { action, coveredParams } from "../declarations/index.ts";
import { withExtra } from "../extra/index.ts";
import { requireOwnChannelId } from "./find.ts";
import {
  type ChannelTextSettings,
  changedChannelCard,
  channelEditOptions,
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
  method: "channels.update",
  uses: ["channels.list"],
  run: (ctx, { id, before }, { fields }) => {
    return save(ctx, { id, ...readChangedChannelSettings(before, fields) });
  },
});

/** Visitors see no sections while the page that shows them is off: docs/services/youtube.md#channel-sections */
export const showSections = action<{ readonly id: string }>({
  name: "channels.show-all-sections",
  answer: "private",
  method: "channels.update",
  uses: ["channels.list"],
  run: (ctx, { id }) => save(ctx, { id, brandingSettings: { channel: { showBrowseView: true } } }),
});

/** Changes the linked channel's settings; shows them if no option was given. */
async function edit(ctx: CtxFor<typeof channelEditOptions>): Promise<Reply> {
  const id = await requireOwnChannelId(ctx);
  const { body } = coveredParams("channels.update", channelEditOptions, ctx.options);
  const isBare = Object.keys({ ...body, ...ctx.extra.body }).length === 0;
  return isBare ? showSettings(ctx, id) : save(ctx, { id, ...body });
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
  options: channelEditOptions,
  edit,
  actions: [editForm, saveForm, showSections],
} as const;
