import {
  action,
  ask,
  type Ctx,
  compact,
  notice,
  type Reply,
  type Words,
} from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type { CredentialFacts, CredentialKind } from "../../store/index.ts";
import { nameOf } from "./asked.ts";

export const kinds = ["video-key", "channel", "background-key"] as const satisfies CredentialKind[];

/** What to disconnect: whole kinds, or a single linked channel where one is named. */
export interface Chosen {
  readonly kinds: readonly CredentialKind[];
  readonly channelId?: string | undefined;
  /** The channels that the question named, so that one linked since then stays. */
  readonly asked?: readonly string[];
}

interface There extends CredentialFacts {
  readonly label: string;
  /** The title of the only channel; several have theirs in their labels. */
  readonly title?: string | undefined;
}

interface DisconnectOptions {
  readonly what?: CredentialKind | undefined;
  /** The linked channel's id or name. */
  readonly channel?: string | undefined;
}

/** Asks about one kind, one channel, or everything. @throws InputError `acting_channel_unknown` */
export async function disconnectChosen(
  ctx: Ctx,
  { what, channel }: DisconnectOptions,
): Promise<Reply> {
  if (channel === undefined) {
    return askToDisconnect(ctx, { kinds: what === undefined ? kinds : [what] });
  }
  const channelId = await channelNamed(ctx, channel);
  const chosen = what === undefined || what === "channel" ? [] : [what];
  return askToDisconnect(ctx, { kinds: ["channel", ...chosen], channelId });
}

/** Asks, and says what would be lost. */
export async function askToDisconnect(ctx: Ctx, chosen: Chosen): Promise<Reply> {
  const { words } = ctx;
  const there = await connected(ctx, chosen);
  if (there.length === 0) return nothingConnected(words);
  const found = [...new Set(there.map(({ kind }) => kind))];
  const asked = there.flatMap(({ channelId }) => channelId ?? []);
  return ask({
    title: words.say("connect.ask.title"),
    text: [await lossOf(ctx, there), ...afterwards(found, words)].join("\n"),
    fields: there.map(({ kind, label, title }) => ({
      name: label,
      value: [title, words.say("connect.ask.loses", { kind: selector(kind) })]
        .filter(Boolean)
        .join("\n"),
    })),
    confirm: {
      label: words.say("connect.ask.confirm"),
      style: "danger",
      press: disconnect.press({ ...chosen, kinds: found, asked }),
    },
  });
}

/** Where other channels stay linked, commands act as one of them. */
async function lossOf(ctx: Ctx, there: readonly There[]): Promise<string> {
  const { words } = ctx;
  const all = await ctx.credentials.channels();
  const isLost = (one: CredentialFacts | undefined) =>
    there.some(({ channelId }) => channelId !== undefined && channelId === one?.channelId);
  const next = all.find((one) => !isLost(one));
  const isOnlyChannels = there.every(({ kind }) => kind === "channel");
  if (next === undefined || !isOnlyChannels) return words.say("connect.ask.text");
  return words.say("connect.ask.one", { isDefault: isLost(all[0]), next: nameOf(next, words) });
}

/** The linked channel of that id, or the only one that is called so. @throws InputError `acting_channel_unknown` */
async function channelNamed(ctx: Ctx, wanted: string): Promise<string> {
  const all = await ctx.credentials.channels();
  const fold = (text: string | undefined) => text?.normalize("NFKC").trim().toLowerCase();
  const called = all.filter((one) =>
    [one.name, one.channelTitle].some((text) => fold(text) === fold(wanted)),
  );
  const found =
    all.find(({ channelId }) => channelId === wanted) ??
    (called.length === 1 ? called[0] : undefined);
  if (found?.channelId !== undefined) return found.channelId;
  const linked = ctx.words.list(
    all.flatMap(({ name, channelTitle, channelId }) => name ?? channelTitle ?? channelId ?? []),
  );
  throw new InputError("no linked channel is called so", {
    code: "acting_channel_unknown",
    facts: { name: wanted, linked },
  });
}

export const disconnect = action<Chosen>({
  name: "connect.disconnect",
  answer: "update",
  by: "requester",
  rank: "owner",
  run: async (ctx, chosen) => {
    const { credentials, words } = ctx;
    const there = await connected(ctx, chosen);
    const [before] = await credentials.channels();
    const removed: There[] = [];
    for (const one of there) {
      if (await credentials.remove(one.kind, one.channelId)) removed.push(one);
    }
    if (removed.length === 0) return nothingConnected(words);
    const found = [...new Set(removed.map(({ kind }) => kind))];
    const [first] = await credentials.channels();
    const isNew = first !== undefined && first.channelId !== before?.channelId;
    return notice({
      tone: "good",
      title: words.say("connect.disconnected.title"),
      text: compact([
        words.say("connect.disconnected.text", {
          what: words.list(removed.map(({ label }) => label)),
        }),
        isNew && words.say("connect.disconnected.default", { name: nameOf(first, words) }),
        ...afterwards(found, words),
      ]).join("\n"),
    });
  },
});

/** One entry for each credential; several channels are told apart by their names. */
async function connected(
  { credentials, words }: Ctx,
  { kinds: wanted, channelId, asked }: Chosen,
): Promise<readonly There[]> {
  const each = await Promise.all(
    wanted.map(async (kind): Promise<readonly There[]> => {
      const label = words.say(`choices.credential.${kind}`);
      if (kind !== "channel") {
        const facts = await credentials.facts(kind);
        return facts === undefined ? [] : [{ ...facts, label }];
      }
      const all = await credentials.channels();
      const chosen = all.filter(
        (one) =>
          (channelId === undefined || one.channelId === channelId) &&
          (asked === undefined || asked.includes(one.channelId ?? "")),
      );
      return chosen.map((one) => {
        const title = nameOf(one, words);
        if (all.length === 1) return { ...one, label, title };
        return { ...one, label: words.say("linking.channels.which", { label, name: title }) };
      });
    }),
  );
  return each.flat();
}

/** What happens at the services, and what is left to the person. */
function afterwards(kinds: readonly CredentialKind[], words: Words): readonly string[] {
  return [
    ...(kinds.some((kind) => kind !== "channel") ? [words.say("connect.ask.keys_stay")] : []),
    ...(kinds.includes("channel") ? [words.say("linking.revoked")] : []),
  ];
}

/** Message selectors can't contain hyphens. */
export function selector(kind: CredentialKind): string {
  return kind.replace("-", "_");
}

function nothingConnected(words: Words): Reply {
  return notice({ tone: "info", title: words.say("connect.disconnected.nothing") });
}
