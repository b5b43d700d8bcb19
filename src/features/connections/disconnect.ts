import { ask, compact, notice, type Reply, type Words } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type { CredentialFacts, CredentialKind } from "../../store/index.ts";
import { type Ctx, type CtxFor, findLinkedChannel } from "../context/index.ts";
import { action, option } from "../declarations/index.ts";
import { linkedChannels } from "../suggestions/index.ts";
import { linkedChannelName } from "./link-cards.ts";

export const credentialKinds = [
  "video-key",
  "channel",
  "background-key",
] as const satisfies CredentialKind[];

/** What to disconnect: all credentials of some kinds, or of the linked channels only `channelId`. */
interface DisconnectChoice {
  readonly kinds: readonly CredentialKind[];
  readonly channelId?: string | undefined;
  /** The channels that the question named; one that was linked after it stays. */
  readonly asked?: readonly string[];
}

interface ConnectedCredential extends CredentialFacts {
  readonly label: string;
  /** The title of the only linked channel. If there are several, their labels contain the titles. */
  readonly title?: string | undefined;
}

export const disconnectOptions = {
  what: option.choice({ group: "credential", values: credentialKinds }),
  /** The linked channel's id or name. */
  channel: option.text({ suggest: linkedChannels }),
};

/** Asks about one kind or one channel; without a choice, first what to disconnect. @throws InputError `acting_channel_unknown` */
export async function disconnectChosen(ctx: CtxFor<typeof disconnectOptions>): Promise<Reply> {
  const { what, channel } = ctx.options;
  if (channel === undefined) {
    return what === undefined ? offerAll(ctx) : askToDisconnect(ctx, { kinds: [what] });
  }
  const all = await ctx.credentials.channels();
  const { channelId } = findLinkedChannel(channel, all) ?? {};
  if (channelId === undefined) {
    const linked = all.flatMap((one) => one.name ?? one.channelTitle ?? one.channelId ?? []);
    throw new InputError("no linked channel is called so", {
      code: "acting_channel_unknown",
      facts: { name: channel, linked: ctx.words.list(linked) },
    });
  }
  const chosen = what === undefined || what === "channel" ? [] : [what];
  return askToDisconnect(ctx, { kinds: ["channel", ...chosen], channelId });
}

/** As many as a select holds; the rest can be named with the option. */
const mostOffered = 25;

/** Nothing is chosen at first, so that no single press disconnects everything. */
async function offerAll(ctx: Ctx): Promise<Reply> {
  const { words } = ctx;
  const there = await connectedAmong(ctx, { kinds: credentialKinds });
  if (there.length <= 1) return askToDisconnect(ctx, { kinds: credentialKinds });
  const options = there.slice(0, mostOffered).map(({ kind, channelId, label, title }) => ({
    label: title === undefined ? label : `${label}: ${title}`,
    value: channelId ?? kind,
  }));
  return notice({
    tone: "neutral",
    title: words.say("connect.choose.title"),
    text: words.say("connect.choose.text"),
    selects: [
      {
        placeholder: words.say("connect.choose.placeholder"),
        options,
        max: options.length,
        press: chooseToDisconnect.press(null),
      },
    ],
  });
}

export const chooseToDisconnect = action<null>({
  name: "connect.choose-disconnect",
  rank: "owner",
  run: (ctx, _, { values }) => {
    const channels = values.filter((value) => !credentialKinds.some((kind) => kind === value));
    const kinds = credentialKinds.filter((kind) =>
      kind === "channel" ? channels.length > 0 : values.includes(kind),
    );
    return askToDisconnect(ctx, { kinds, asked: channels });
  },
});

/** Asks first, and says what would be lost. */
export async function askToDisconnect(ctx: Ctx, chosen: DisconnectChoice): Promise<Reply> {
  const { words } = ctx;
  const there = await connectedAmong(ctx, chosen);
  if (there.length === 0) return nothingConnected(words);
  const found = [...new Set(there.map(({ kind }) => kind))];
  const channelIds = there.flatMap(({ channelId }) => channelId ?? []);
  return ask({
    title: words.say("connect.ask.title"),
    text: compact([
      await lossText(ctx, there),
      (await goesOnByKey(ctx, there)) && words.say("connect.ask.watches"),
      ...consequences(there, words),
    ]).join("\n"),
    fields: there.map(({ kind, engine, label, title }) => ({
      name: label,
      value: [
        title,
        words.say("connect.ask.loses", {
          kind: engine === "rembg" ? engine : credentialSelector(kind),
        }),
      ]
        .filter(Boolean)
        .join("\n"),
    })),
    confirm: {
      label: words.say("connect.ask.confirm"),
      style: "danger",
      press: disconnect.press({ ...chosen, kinds: found, asked: channelIds }),
    },
  });
}

/** Whether watches of these channels go on with the server's key. */
async function goesOnByKey(
  { credentials, moderation }: Ctx,
  there: readonly ConnectedCredential[],
): Promise<boolean> {
  if (there.some(({ kind }) => kind === "video-key")) return false;
  const key = await credentials.facts("video-key");
  const watches = key === undefined ? [] : await moderation.watches.all();
  return watches.some(({ source }) => there.some(({ channelId }) => channelId === source));
}

/** What disconnecting means for commands: if another channel stays linked, they act as that one. */
async function lossText(ctx: Ctx, there: readonly ConnectedCredential[]): Promise<string> {
  const { words } = ctx;
  const all = await ctx.credentials.channels();
  const isLost = (one: CredentialFacts | undefined) =>
    there.some(({ channelId }) => channelId !== undefined && channelId === one?.channelId);
  const next = all.find((one) => !isLost(one));
  const isOnlyChannels = there.every(({ kind }) => kind === "channel");
  if (next === undefined || !isOnlyChannels) return words.say("connect.ask.text");
  return words.say("connect.ask.one", {
    isDefault: isLost(all[0]),
    next: linkedChannelName(next, words),
  });
}

export const disconnect = action<DisconnectChoice>({
  name: "connect.disconnect",
  rank: "owner",
  run: async (ctx, chosen) => {
    const { credentials, feeds, words } = ctx;
    const there = await connectedAmong(ctx, chosen);
    const [before] = await credentials.channels();
    const removed: ConnectedCredential[] = [];
    for (const one of there) {
      if (await credentials.remove(one.kind, one.channelId)) removed.push(one);
    }
    if (removed.length === 0) return nothingConnected(words);
    await feeds.pollSoon();
    for (const { channelId, channelTitle, titleReadAt = 0 } of removed) {
      if (channelId === undefined || channelTitle === undefined) continue;
      await ctx.moderation.watches.noteTitle(channelId, channelTitle, titleReadAt);
    }
    await ctx.moderation.watches.pollSoon();
    const [first] = await credentials.channels();
    const isNew = first !== undefined && first.channelId !== before?.channelId;
    return notice({
      tone: "good",
      title: words.say("connect.disconnected.title"),
      text: compact([
        words.say("connect.disconnected.text", {
          what: words.list(removed.map(({ label }) => label)),
        }),
        isNew &&
          words.say("connect.disconnected.default", { name: linkedChannelName(first, words) }),
        ...consequences(removed, words),
      ]).join("\n"),
    });
  },
});

/** The chosen credentials that exist. If there are several channels, each label names its channel. */
async function connectedAmong(
  { credentials, words }: Ctx,
  { kinds: wanted, channelId, asked }: DisconnectChoice,
): Promise<readonly ConnectedCredential[]> {
  const each = await Promise.all(
    wanted.map(async (kind): Promise<readonly ConnectedCredential[]> => {
      const label = words.say(`choices.credential.${kind}`);
      if (kind !== "channel") {
        const facts = await credentials.facts(kind);
        // The operator's is not this server's to disconnect.
        if (facts === undefined || facts.isOperators === true) return [];
        const isRembg = facts.engine === "rembg";
        return [{ ...facts, label: isRembg ? words.say("start.parts.rembg") : label }];
      }
      const all = await credentials.channels();
      const chosen = all.filter(
        (one) =>
          (channelId === undefined || one.channelId === channelId) &&
          (asked === undefined || asked.includes(one.channelId ?? "")),
      );
      return chosen.map((one) => {
        const title = linkedChannelName(one, words);
        if (all.length === 1) return { ...one, label, title };
        return { ...one, label: words.say("linking.channels.which", { label, name: title }) };
      });
    }),
  );
  return each.flat();
}

/** What disconnecting does at Google and remove.bg, and what people have to do there themselves. */
function consequences(there: readonly ConnectedCredential[], words: Words): readonly string[] {
  const isKey = ({ kind, engine }: ConnectedCredential) => kind !== "channel" && engine !== "rembg";
  return [
    ...(there.some(isKey) ? [words.say("connect.ask.keys_stay")] : []),
    ...(there.some(({ kind }) => kind === "channel") ? [words.say("linking.revoked")] : []),
  ];
}

/** The kind's name in the message files, where selectors can't contain hyphens. */
export function credentialSelector(kind: CredentialKind): string {
  return kind.replace("-", "_");
}

function nothingConnected(words: Words): Reply {
  return notice({ tone: "neutral", title: words.say("connect.disconnected.nothing") });
}
