import {
  buckets,
  type Ctx,
  card,
  type Field,
  join,
  link,
  md,
  mention,
  pages,
  type Reply,
  type Text,
  time,
  type Words,
} from "../../discord/index.ts";
import type { CredentialFacts, CredentialKind } from "../../store/index.ts";
import { mappedRoles } from "./roles.ts";

const ways = {
  "video-key": "connect key",
  channel: "connect channel",
  "background-key": "connect background-key",
} as const satisfies Record<CredentialKind, string>;

/** What is connected, by whom, what it may do, and what is left of it today. */
export async function connectionStatus(ctx: Ctx<unknown>): Promise<Reply> {
  const { words } = ctx;
  const [key, channel, image] = await Promise.all([
    ctx.credentials.facts("video-key"),
    ctx.credentials.facts("channel"),
    ctx.credentials.facts("background-key"),
  ]);
  return card({
    title: words.say("connect.status.title"),
    fields: [
      { name: words.say("choices.credential.video-key"), value: stateOf(key, "video-key", words) },
      { name: words.say("choices.credential.channel"), value: channelState(channel, words) },
      ...(await unitsLeft(ctx)),
      {
        name: words.say("choices.credential.background-key"),
        value: stateOf(image, "background-key", words),
      },
      ...(image === undefined
        ? []
        : [{ name: words.say("connect.status.credits"), value: await balance(ctx) }]),
      { name: words.say("connect.status.place"), value: placeOf(ctx) },
      { name: words.say("connect.status.roles"), value: mappedRoles(ctx.settings.roles, words) },
    ],
    footer: words.say("connect.status.footer"),
  });
}

function stateOf(facts: CredentialFacts | undefined, kind: CredentialKind, words: Words): Text {
  if (facts === undefined)
    return words.md("connect.status.absent", { command: words.command(ways[kind]) });
  const at = time(new Date(facts.addedAt));
  return words.md("connect.status.present", { person: mention(facts.addedBy), at });
}

/** What is said already when one of these is. */
const contained: Readonly<Record<string, readonly string[]>> = {
  youtube: ["youtube.force-ssl"],
  "youtube.readonly": ["youtube.force-ssl", "youtube"],
  "youtube.upload": ["youtube.force-ssl", "youtube"],
};

function channelState(facts: CredentialFacts | undefined, words: Words): Text {
  const state = stateOf(facts, "channel", words);
  if (facts === undefined) return state;
  const { channelId, channelTitle, scopes = [] } = facts;
  const title = channelTitle ?? channelId ?? words.say("common.untitled");
  const name = channelId === undefined ? title : link(title, pages.channel(channelId));
  const telling = scopes.filter((scope) => !contained[scope]?.some((one) => scopes.includes(one)));
  const may = telling.map((scope) => md`- ${scopeName(scope, words)}`);
  return join([md`**${name}**`, state, ...may], "\n");
}

/** A dot would end a message's key, and two of the service's names have some. */
function scopeName(scope: string, words: Words): string {
  return words.find(`choices.scope.${scope.replaceAll(".", "-")}`) ?? scope;
}

/** Of each project that calls are charged to; a count that can't be had hides nothing else. */
async function unitsLeft(ctx: Ctx<unknown>): Promise<readonly Field[]> {
  const kinds = ["video-key", "channel"] as const;
  const fields = kinds.map(async (kind): Promise<readonly Field[]> => {
    try {
      const left = await ctx.left(kind);
      if (left === undefined) return [];
      const lines = buckets.map((bucket) =>
        ctx.words.say("connect.status.left", {
          bucket,
          left: left[bucket].left,
          limit: left[bucket].limit,
        }),
      );
      const back = ctx.words.md("connect.status.resets", { at: time(left.units.resetsAt) });
      const name = ctx.words.say("connect.status.today", { kind });
      return [{ name, value: join([...lines, back], "\n"), inline: true }];
    } catch (error) {
      ctx.log.warn("no units", { error });
      return [];
    }
  });
  return (await Promise.all(fields)).flat();
}

/** A balance that can't be had must not hide the rest of the card. */
async function balance(ctx: Ctx<unknown>): Promise<Text> {
  try {
    const { credits, api } = await ctx.background.account({ signal: ctx.signal });
    return ctx.words.say("connect.status.balance", {
      credits: credits.total,
      calls: api.freeCalls,
    });
  } catch (error) {
    ctx.log.warn("no balance", { error });
    return ctx.words.say("connect.status.untold");
  }
}

function placeOf(ctx: Ctx<unknown>): Text {
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

/** What clocks show there now. */
export function localTime({
  now,
  settings,
  words,
}: Pick<Ctx<unknown>, "now" | "settings" | "words">) {
  const timeZone = settings.timeZone ?? "UTC";
  return new Intl.DateTimeFormat(words.tag, {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone,
  }).format(now());
}
