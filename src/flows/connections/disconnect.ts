import { action, ask, type Ctx, notice, type Reply, type Words } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type { CredentialFacts, CredentialKind } from "../../store/index.ts";
import { compact } from "../compact.ts";
import { nameOf } from "./asked.ts";

export const kinds = ["video-key", "channel", "background-key"] as const satisfies CredentialKind[];

/** What is to be disconnected: whole kinds, and of the linked channels one alone where it is named. */
export interface Chosen {
  readonly kinds: readonly CredentialKind[];
  readonly channelId?: string | undefined;
  /** Of the channels that were named in the question: one that was linked since stays. */
  readonly asked?: readonly string[];
}

interface There extends CredentialFacts {
  readonly label: string;
  /** Of the only channel; several have it in their labels. */
  readonly title?: string | undefined;
}

/** Asks, naming what is lost. */
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

/** Where other channels stay, commands go on as one of them. */
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
export async function channelNamed(ctx: Ctx, wanted: string): Promise<string> {
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
    hint: `No linked channel is called “${wanted}”. Linked here: ${linked}.`,
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

/** One entry a credential; several channels are told apart by their names. */
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

/** What happens at the services, and what does not. */
function afterwards(kinds: readonly CredentialKind[], words: Words): readonly string[] {
  return [
    ...(kinds.some((kind) => kind !== "channel") ? [words.say("connect.ask.keys_stay")] : []),
    ...(kinds.includes("channel") ? [words.say("linking.revoked")] : []),
  ];
}

/** Messages choose by names without hyphens. */
export function selector(kind: CredentialKind): string {
  return kind.replace("-", "_");
}

function nothingConnected(words: Words): Reply {
  return notice({ tone: "info", title: words.say("connect.disconnected.nothing") });
}
