import {
  type Button,
  type CardField,
  card,
  form,
  join,
  link,
  md,
  mention,
  type Reply,
  type Text,
  time,
  type Words,
} from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import { isWeekOld, permissionsGivenBy } from "../../oauth/index.ts";
import type { CredentialFacts } from "../../store/index.ts";
import { youtubePages } from "../../video/index.ts";
import type { Ctx } from "../context/index.ts";
import { action, type FeatureAction } from "../declarations/index.ts";
import { askToDisconnect } from "./disconnect.ts";
import { maxChannelNameChars, reconnectAction } from "./link.ts";
import { describePermissions, describeTokenEnd, linkedChannelName } from "./link-cards.ts";

/** Titles may be stored for 30 days (docs/services/youtube.md#stored-data); after a day they are read again. */
export const staleTitlesMs = 24 * 3_600_000;

interface ChannelButtonState {
  readonly channelId: string;
}

/** The linked channels, and what can be done with each. */
export async function showLinkedChannels(ctx: Ctx): Promise<Reply> {
  const { words } = ctx;
  const all = await ctx.credentials.freshChannels(staleTitlesMs, ctx.signal);
  const link: Button = {
    label: words.say("common.link_channel"),
    style: all.length === 0 ? "primary" : "secondary",
    press: reconnectAction.press({}),
  };
  if (all.length === 0) {
    return card({
      title: words.say("linking.channels.title"),
      text: words.say("linking.channels.none"),
      buttons: [link],
    });
  }
  const [only] = all.length === 1 ? all : [];
  const options = all.flatMap((one, index) => {
    const description = index === 0 ? words.say("linking.channels.is_default") : undefined;
    const { channelId: value } = one;
    return value === undefined
      ? []
      : [{ label: linkedChannelName(one, words), value, description }];
  });
  return card({
    title: words.say("linking.channels.title"),
    fields: all.map((one, index) => channelField(one, { isDefault: index === 0, ctx })),
    selects:
      only === undefined
        ? [{ placeholder: words.say("linking.channels.manage"), options, press: show.press(null) }]
        : undefined,
    buttons: [...(only === undefined ? [] : channelButtons(only, words)), link],
    footer: words.say("linking.channels.footer", { option: words.option("as") }),
  });
}

function channelField(
  one: CredentialFacts,
  { isDefault, ctx }: { readonly isDefault: boolean; readonly ctx: Ctx },
): CardField {
  const { words } = ctx;
  const name = linkedChannelName(one, words);
  const heading = isDefault ? words.say("linking.channels.default", { name }) : name;
  return { name: heading, value: describeChannelLink(one, ctx) };
}

/** A channel's title and state, who linked it when, and what the bot may do with it. */
export function describeChannelLink(
  one: CredentialFacts,
  { words, now }: Pick<Ctx, "words" | "now">,
): Text {
  const { channelId, channelTitle, scopes, addedBy, addedAt } = one;
  const title = channelTitle ?? channelId ?? words.say("common.untitled");
  return join([
    md`**${channelId === undefined ? title : link(title, youtubePages.channel(channelId))}**`,
    ...describeLinkProblem(one, { words, now }),
    words.md("connect.status.present", { person: mention(addedBy), at: time(new Date(addedAt)) }),
    scopes !== undefined && describePermissions(permissionsGivenBy(scopes), words),
  ]);
}

/** What is wrong with a link, or when it ends; empty for a link that works and does not expire. */
export function describeLinkProblem(
  one: CredentialFacts,
  { words, now }: Pick<Ctx, "words" | "now">,
): readonly Text[] {
  const { brokenAt, endsAt } = one;
  if (brokenAt !== undefined) {
    const key = isWeekOld(one, brokenAt) ? "linking.state.week" : "linking.state.broken";
    return [words.md(key, { at: time(new Date(brokenAt)) })];
  }
  if (endsAt === undefined) return [];
  const at = new Date(endsAt);
  return [
    endsAt <= now()
      ? words.md("linking.state.over", { at: time(at) })
      : describeTokenEnd(at, words),
  ];
}

function channelButtons(one: CredentialFacts, words: Words): readonly Button[] {
  const { channelId } = one;
  if (channelId === undefined) return [];
  return [
    {
      label: words.say("linking.channels.rename"),
      press: askName.press({ channelId, ...(one.name !== undefined && { name: one.name }) }),
    },
    {
      label: words.say("common.reconnect"),
      style: one.brokenAt === undefined ? "secondary" : "primary",
      press: reconnectAction.press({ channelId }),
    },
    {
      label: words.say("linking.channels.disconnect"),
      style: "danger",
      press: askRemoval.press({ channelId }),
    },
  ];
}

const owners = { by: "requester", rank: "owner" } as const;

const makeDefault = action<ChannelButtonState>({
  ...owners,
  name: "connect.make-default",
  run: async (ctx, { channelId }) => {
    if (!(await ctx.credentials.chooseDefault(channelId))) throw notLinked();
    return showLinkedChannels(ctx);
  },
});

/** Shows one of several channels, with its buttons. */
const show = action<null>({
  ...owners,
  name: "connect.show-channel",
  run: async (ctx, _state, { values: [channelId = ""] }) => {
    const { words } = ctx;
    const all = await ctx.credentials.channels();
    const index = all.findIndex((one) => one.channelId === channelId);
    const one = all[index];
    if (one === undefined) throw notLinked();
    const back: Button = { label: words.say("linking.channels.back"), press: list.press(null) };
    const choose: Button = {
      label: words.say("linking.channels.choose"),
      style: "primary",
      press: makeDefault.press({ channelId }),
    };
    return card({
      title: words.say("linking.channels.title"),
      fields: [channelField(one, { isDefault: index === 0, ctx })],
      buttons: [...(index === 0 ? [] : [choose]), ...channelButtons(one, words), back],
    });
  },
});

const list = action<null>({
  ...owners,
  name: "connect.list-channels",
  run: showLinkedChannels,
});

const askName = action<ChannelButtonState & { readonly name?: string }>({
  ...owners,
  name: "connect.ask-name",
  answer: "form",
  form: ({ words }, { channelId, name }) =>
    form({
      title: words.say("linking.rename.title"),
      fields: [
        {
          name: "name",
          label: words.say("linking.rename.label"),
          description: words.say("linking.rename.about"),
          required: false,
          maxLength: maxChannelNameChars,
          value: name,
        },
      ],
      submit: rename.press({ channelId }),
      isReturned: true,
    }),
});

const rename = action<ChannelButtonState>({
  ...owners,
  name: "connect.rename",
  run: async (ctx, { channelId }, { fields }) => {
    const name = fields.name?.trim().replace(/\s+/gu, " ") || undefined;
    const all = await ctx.credentials.channels();
    // Channels are chosen by their names, so no two share one.
    const folded = name?.normalize("NFKC").toLowerCase();
    const isTaken = all.some(
      (one) =>
        one.channelId !== channelId && linkedChannelName(one, ctx.words).toLowerCase() === folded,
    );
    if (name !== undefined && isTaken) {
      throw new InputError("another linked channel is called so", {
        code: "channel_name_taken",
        facts: { name },
      });
    }
    if (!(await ctx.credentials.changeChannel(channelId, { name }))) throw notLinked();
    return showLinkedChannels(ctx);
  },
});

const askRemoval = action<ChannelButtonState>({
  ...owners,
  name: "connect.ask-disconnect",
  answer: "private",
  run: (ctx, { channelId }) => askToDisconnect(ctx, { kinds: ["channel"], channelId }),
});

function notLinked(): InputError {
  return new InputError("the channel is not linked any more", { code: "acting_channel_gone" });
}

export const linkedChannelActions: readonly FeatureAction<never>[] = [
  makeDefault,
  show,
  list,
  askName,
  rename,
  askRemoval,
];
