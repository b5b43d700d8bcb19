import {
  type Button,
  type CardField,
  card,
  channelMention,
  compact,
  join,
  md,
  mention,
  type Reply,
  reaches,
  type Text,
  time,
  type Words,
} from "../../discord/index.ts";
import type { CredentialFacts, CredentialKind } from "../../store/index.ts";
import { type Ctx, videoBuckets } from "../context/index.ts";
import { describeChannelLink, describeLinkTrouble, isLinkOver, staleTitlesMs } from "./channels.ts";
import { reconnectAction } from "./link.ts";
import { linkedChannelName } from "./link-cards.ts";
import { describeMappedRoles, localTime } from "./settings.ts";

const connectCommands = {
  "video-key": "connect key",
  channel: "connect channel",
  "background-key": "connect background-key",
} as const satisfies Record<CredentialKind, string>;

/** What is connected, by whom, what the bot may do with it, and how much quota is left today. */
export async function showConnectionStatus(ctx: Ctx): Promise<Reply> {
  const { words } = ctx;
  const [key, channels, image] = await Promise.all([
    ctx.credentials.facts("video-key"),
    ctx.credentials.freshChannels(staleTitlesMs, ctx.signal),
    ctx.credentials.facts("background-key"),
  ]);
  return card({
    title: words.say("connect.status.title"),
    fields: compact([
      { name: words.say("choices.credential.video-key"), value: stateOf(key, "video-key", words) },
      { name: words.say("choices.credential.channel"), value: channelsState(channels, ctx) },
      ...(await unitsLeft(ctx)),
      {
        name: words.say("choices.credential.background-key"),
        value: stateOf(image, "background-key", words),
      },
      image !== undefined && {
        name: words.say("connect.status.credits"),
        value: await balanceText(ctx),
      },
      { name: words.say("connect.status.place"), value: placeOf(ctx) },
      {
        name: words.say("connect.status.roles"),
        value: describeMappedRoles(ctx.settings.roles, words),
      },
      ...noticesOf(ctx),
    ]),
    buttons: [...linkButton(channels, ctx), ...reconnectButtons(channels, ctx)],
    footer: words.say("connect.status.footer"),
  });
}

function stateOf(facts: CredentialFacts | undefined, kind: CredentialKind, words: Words): Text {
  if (facts === undefined)
    return words.md("connect.status.absent", { command: words.command(connectCommands[kind]) });
  const at = time(new Date(facts.addedAt));
  return words.md("connect.status.present", { person: mention(facts.addedBy), at });
}

/** A single channel in full, or several with one line each: `/connect channels` has their details. */
function channelsState(all: readonly CredentialFacts[], ctx: Ctx): Text {
  const { words } = ctx;
  const [first, ...others] = all;
  if (first === undefined) return stateOf(undefined, "channel", words);
  if (others.length === 0) return describeChannelLink(first, ctx);
  return join([
    ...all.map((one, index) => lineOf(one, { isDefault: index === 0, ctx })),
    words.md("linking.status.more", { command: words.command("connect channels") }),
  ]);
}

function lineOf(
  one: CredentialFacts,
  { isDefault, ctx }: { readonly isDefault: boolean; readonly ctx: Ctx },
): Text {
  const { words } = ctx;
  const name = linkedChannelName(one, words);
  const heading = isDefault ? words.say("linking.channels.default", { name }) : name;
  return join([md`**${heading}**`, ...describeLinkTrouble(one, ctx)]);
}

function noticesOf({ settings, words }: Ctx): readonly CardField[] {
  const { noticeChannelId } = settings;
  if (noticeChannelId === undefined) return [];
  return [{ name: words.say("linking.notices.title"), value: channelMention(noticeChannelId) }];
}

function linkButton(all: readonly CredentialFacts[], ctx: Ctx): readonly Button[] {
  if (all.length > 0 || !reaches(ctx.rank, "owner")) return [];
  const label = ctx.words.say("common.link_channel");
  return [{ label, style: "primary", press: reconnectAction.press({}) }];
}

/** Buttons for the first broken links; only owners can press them. */
function reconnectButtons(all: readonly CredentialFacts[], ctx: Ctx): readonly Button[] {
  if (!reaches(ctx.rank, "owner")) return [];
  const broken = all.filter((one) => isLinkOver(one, ctx.now()));
  return broken.slice(0, maxButtons).flatMap((one): readonly Button[] => {
    const { channelId } = one;
    if (channelId === undefined) return [];
    const label =
      all.length === 1
        ? ctx.words.say("common.reconnect")
        : ctx.words.say("linking.status.reconnect", { channel: linkedChannelName(one, ctx.words) });
    return [{ label, style: "primary", press: reconnectAction.press({ channelId }) }];
  });
}

const maxButtons = 5;

/** How much quota each project has left. If a count can't be read, the rest of the card is shown anyway. */
async function unitsLeft(ctx: Ctx): Promise<readonly CardField[]> {
  const kinds = ["video-key", "channel"] as const;
  const fields = kinds.map(async (kind): Promise<readonly CardField[]> => {
    try {
      const left = await ctx.left(kind);
      if (left === undefined) return [];
      const lines = videoBuckets.map((bucket) =>
        ctx.words.say("connect.status.left", {
          bucket,
          left: left[bucket].left,
          limit: left[bucket].limit,
        }),
      );
      const back = ctx.words.md("connect.status.resets", { at: time(left.units.resetsAt) });
      const name = ctx.words.say("connect.status.today", { kind });
      return [{ name, value: join([...lines, back]), inline: true }];
    } catch (error) {
      ctx.log.warn("the units left could not be read", { error });
      return [];
    }
  });
  return (await Promise.all(fields)).flat();
}

/** The credits that are left. If they can't be read, the rest of the card is shown anyway. */
async function balanceText(ctx: Ctx): Promise<Text> {
  try {
    const { credits, api } = await ctx.background.account({ signal: ctx.signal });
    return ctx.words.say("connect.status.balance", {
      credits: credits.total,
      calls: api.freeCalls,
    });
  } catch (error) {
    ctx.log.warn("the credit balance could not be read", { error });
    return ctx.words.say("connect.status.untold");
  }
}

function placeOf(ctx: Ctx): Text {
  const { settings, words } = ctx;
  return words.md("connect.status.place_text", {
    country:
      settings.region === undefined
        ? words.say("connect.region.none")
        : words.country(settings.region),
    zone: (settings.timeZone ?? "UTC").replaceAll("_", " "),
    time: localTime(ctx),
  });
}
