import {
  type Button,
  type CardField,
  card,
  channelMention,
  compact,
  join,
  md,
  mention,
  quotaBar,
  type Reply,
  reaches,
  type Text,
  time,
} from "../../discord/index.ts";
import { timeZoneTitle } from "../../language/index.ts";
import type { WatchStatus } from "../../moderation/index.ts";
import type { CredentialFacts } from "../../store/index.ts";
import type { Ctx } from "../context/index.ts";
import { openZoneForm } from "../time-zone/index.ts";
import { describeQuotaPart, projectBuckets } from "../usage/index.ts";
import { offerWatchHere, showAllWatches } from "../watches/index.ts";
import { describeChannelLink, describeLinkProblem, staleTitlesMs } from "./channels.ts";
import { enterKey, type KeyKind } from "./keys.ts";
import { reconnectAction } from "./link.ts";
import { linkedChannelName } from "./link-cards.ts";
import { describeMappedRoles, localTime, noticesHere } from "./settings.ts";

/** One part of the setup: whether it works, and what to press where it does not. */
interface Part {
  /** `half`: it works, but something is not set or ends soon. */
  readonly state: "works" | "half" | "missing";
  readonly name: string;
  readonly about: Text;
  readonly gap?: Button | false;
}

const lights = { works: "🟢", half: "🟡", missing: "🔴" } as const;

/** The most buttons of one row. */
const mostGaps = 5;

/** Each part of the setup with a light, what is left of each budget today, and a button for each gap that the person may close. */
export async function showConnectionStatus(ctx: Ctx): Promise<Reply> {
  const { words } = ctx;
  const [key, channels, image, comments] = await Promise.all([
    keyPart(ctx, "video-key"),
    channelParts(ctx),
    keyPart(ctx, "background-key"),
    commentPart(ctx),
  ]);
  const parts = [key, ...channels, image, comments, placePart(ctx), noticesPart(ctx)];
  const gaps = parts.map(({ gap }) => gap);
  return card({
    title: words.say("connect.status.title"),
    text: join(parts.map(({ state, name, about }) => md`${lights[state]} **${name}** · ${about}`)),
    fields: [
      ...(await unitsLeft(ctx)),
      {
        name: words.say("connect.status.roles"),
        value: describeMappedRoles(ctx.settings.roles, words),
      },
    ],
    buttons: compact(gaps).slice(0, mostGaps),
    footer: words.say("connect.status.footer"),
  });
}

async function keyPart(ctx: Ctx, kind: KeyKind): Promise<Part> {
  const { words, rank } = ctx;
  const facts = await ctx.credentials.facts(kind);
  const isRembg = facts?.engine === "rembg";
  const name = words.say(isRembg ? "start.parts.rembg" : `start.parts.${kind}`);
  if (facts === undefined) {
    return {
      state: "missing",
      name,
      about: words.say("start.missing"),
      gap: reaches(rank, "owner") && {
        label: words.say(`start.connect.${kind}`),
        style: "primary",
        press: enterKey.press(kind),
      },
    };
  }
  if (facts.isOperators === true) {
    return { state: "works", name, about: words.say("connect.status.rembg_operators") };
  }
  const about = words.md("connect.status.present", {
    person: mention(facts.addedBy),
    at: time(new Date(facts.addedAt)),
  });
  if (kind === "video-key") return { state: "works", name, about };
  if (isRembg) return rembgPart(ctx, { name, about, address: facts.address });
  const { text, isEmpty } = await balance(ctx);
  return { state: isEmpty ? "half" : "works", name, about: md`${about} · ${text}` };
}

/** Whether the server's rembg answers. */
async function rembgPart(
  ctx: Ctx,
  {
    name,
    about,
    address = "",
  }: Pick<Part, "name" | "about"> & { readonly address?: string | undefined },
): Promise<Part> {
  const { words, signal } = ctx;
  const where = words.md("connect.status.rembg", { host: URL.parse(address)?.host ?? "" });
  try {
    await ctx.background.probe({ signal });
    return { state: "works", name, about: md`${about} · ${where}` };
  } catch (error) {
    ctx.log.warn("the engine of a server did not answer", { error });
    const untold = words.say("connect.status.untold");
    return { state: "half", name, about: md`${about} · ${where} · ${untold}` };
  }
}

/** The credits that are left. If they can't be read, the rest of the card is shown anyway. */
async function balance(ctx: Ctx): Promise<{ readonly text: Text; readonly isEmpty: boolean }> {
  const { words } = ctx;
  try {
    const { credits, api } = await ctx.background.account({ signal: ctx.signal });
    const [total, calls] = [credits.total, api.freeCalls];
    return {
      text: words.say("connect.status.balance", { credits: total, calls }),
      isEmpty: total === 0 && calls === 0,
    };
  } catch (error) {
    ctx.log.warn("the credit balance could not be read", { error });
    return { text: words.say("connect.status.untold"), isEmpty: true };
  }
}

/** A single channel with its permissions, or several with one line each: `/connect channels` has their details. */
async function channelParts(ctx: Ctx): Promise<readonly Part[]> {
  const { words, rank } = ctx;
  const all = await ctx.credentials.freshChannels(staleTitlesMs, ctx.signal);
  if (all.length > 0) {
    const isOnly = all.length === 1;
    return all.map((one, index) => channelPart(ctx, one, { isOnly, isDefault: index === 0 }));
  }
  return [
    {
      state: "missing",
      name: words.say("start.parts.channel"),
      about: words.say("start.missing"),
      gap: reaches(rank, "owner") && {
        label: words.say("common.link_channel"),
        style: "primary",
        press: reconnectAction.press({}),
      },
    },
  ];
}

function channelPart(
  ctx: Ctx,
  one: CredentialFacts,
  { isOnly, isDefault }: { readonly isOnly: boolean; readonly isDefault: boolean },
): Part {
  const { words, rank, now } = ctx;
  const { brokenAt, endsAt } = one;
  const isOver = brokenAt !== undefined || (endsAt !== undefined && endsAt <= now());
  const problem = describeLinkProblem(one, ctx);
  const title = linkedChannelName(one, words);
  const about = isOnly
    ? describeChannelLink(one, ctx)
    : join([isDefault && words.say("connect.status.default"), ...problem], " · ");
  const { channelId } = one;
  return {
    state: isOver ? "missing" : problem.length > 0 ? "half" : "works",
    name: isOnly ? words.say("start.parts.channel") : title,
    about,
    gap: isOver &&
      reaches(rank, "owner") &&
      channelId !== undefined && {
        label: isOnly
          ? words.say("common.reconnect")
          : words.say("linking.status.reconnect", { channel: title }),
        style: "primary",
        press: reconnectAction.press({ channelId }),
      },
  };
}

/** The watches of held comments. */
async function commentPart(ctx: Ctx): Promise<Part> {
  const { words, moderation, rank } = ctx;
  const name = words.say("connect.status.comments");
  const watches = await moderation.watches.all();
  if (watches.length === 0) {
    return {
      state: "missing",
      name,
      about: words.say("connect.status.unwatched"),
      gap: ctx.has("channel") &&
        reaches(rank, "manager") && {
          label: words.say("watch.here.button"),
          press: offerWatchHere.press(null),
        },
    };
  }
  const states = await Promise.all(watches.map(({ id }) => moderation.watches.status(id)));
  // What reads with the key works, as far as a key can.
  const isByKey = (each: WatchStatus | undefined) => each?.isByKey === true;
  const troublesOf = (each: WatchStatus | undefined) =>
    Object.keys(each?.troubles ?? {}).filter((code) => !(isByKey(each) && code === "link_missing"));
  const troubled = states.filter((each) => troublesOf(each).length > 0).length;
  const byKey = states.filter(isByKey).length;
  const paused = watches.filter((each) => each.paused !== undefined).length;
  return {
    state: troubled > 0 ? "missing" : paused + byKey > 0 ? "half" : "works",
    name,
    about: join(
      compact<Text>([
        words.say("connect.status.watches", { count: watches.length, troubled, paused }),
        byKey > 0 && words.say("connect.status.by_key", { count: byKey }),
      ]),
      " · ",
    ),
    gap: troubled + paused + byKey > 0 && {
      label: words.say("connect.status.show_watches"),
      press: showAllWatches.press(null),
    },
  };
}

function placePart(ctx: Ctx): Part {
  const { settings, words, rank } = ctx;
  return {
    state: settings.timeZone === undefined ? "half" : "works",
    name: words.say("connect.status.place"),
    about: words.md("connect.status.place_text", {
      country:
        settings.region === undefined
          ? words.say("connect.region.none")
          : words.country(settings.region),
      zone: timeZoneTitle(settings.timeZone ?? "UTC"),
      time: localTime(ctx),
    }),
    gap: settings.timeZone === undefined &&
      reaches(rank, "owner") && {
        label: words.say("connect.zone.set"),
        press: openZoneForm.press(null),
      },
  };
}

function noticesPart(ctx: Ctx): Part {
  const { settings, words, rank } = ctx;
  const { noticeChannelId } = settings;
  const name = words.say("linking.notices.title");
  if (noticeChannelId !== undefined) {
    return { state: "works", name, about: channelMention(noticeChannelId) };
  }
  return {
    state: "half",
    name,
    about: words.say("connect.status.no_notices"),
    gap: reaches(rank, "owner") && {
      label: words.say("linking.notices.here"),
      press: noticesHere.press(null),
    },
  };
}

/** How much quota each project has left. If a count can't be read, the rest of the card is shown anyway. */
async function unitsLeft(ctx: Ctx): Promise<readonly CardField[]> {
  const kinds = ["video-key", "channel"] as const;
  const fields = kinds.map(async (kind): Promise<readonly CardField[]> => {
    try {
      const left = await ctx.left(kind);
      if (left === undefined) return [];
      const lines = projectBuckets[kind].map((bucket) => {
        const { left: rest, limit } = left[bucket].share ?? left[bucket];
        const shown = ctx.words.say("connect.status.left", { bucket, left: rest, limit });
        return md`${quotaBar(rest, limit)} ${shown}`;
      });
      const back = ctx.words.md("connect.status.resets", { at: time(left.units.resetsAt) });
      const name = ctx.words.say("connect.status.today", { kind });
      const shared = describeQuotaPart(left.units, ctx.words);
      const project = ctx.words.say("usage.project", { kind: kind.replace("-", "_") });
      return [
        { name, value: join([...lines, back]), inline: true },
        ...(shared.length === 0 ? [] : [{ name: project, value: join(shared) }]),
      ];
    } catch (error) {
      ctx.log.warn("the units left could not be read", { error });
      return [];
    }
  });
  return (await Promise.all(fields)).flat();
}
