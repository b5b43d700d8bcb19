import {
  type AnnouncedChannel,
  type Feed,
  maxFeeds,
  releaseKinds,
} from "../../announcements/index.ts";
import {
  type Attachment,
  ask,
  cut,
  describeFailureInLine,
  join,
  notice,
  type Reply,
  typedText,
} from "../../discord/index.ts";
import { BotError, InputError } from "../../errors.ts";
import type { Channel } from "../../video/index.ts";
import { type ChannelRef, channelText } from "../../video-links/index.ts";
import { concernsWholeBatch, isRefusedForGood } from "../batches/index.ts";
import { channelFilter } from "../channels/index.ts";
import type { Ctx, CtxFor } from "../context/index.ts";
import { action, option } from "../declarations/index.ts";
import { describePlaces } from "./list.ts";
import { placeOptions } from "./places.ts";
import { previewCalls, templatePreview } from "./preview.ts";
import {
  type ChannelList,
  decodeList,
  maxListBytes,
  readChannelList,
} from "./read-channel-list.ts";
import { choosePlaces, placeChannels, uploadsOf } from "./set-up.ts";

export const importFeedOptions = {
  channels: option.text({}),
  file: option.attachment({}),
  ...placeChannels,
  ...placeOptions,
};

/** What is still to be done; stored with the button. */
interface ImportPlan {
  readonly refs: readonly ChannelRef[];
  readonly places: AnnouncedChannel["places"];
}

/** docs/services/youtube.md#ids-of-one-call */
const idsOfOneCall = 50;

/**
 * Asks before it announces the channels of a list. Nothing is read from YouTube before the answer, because each handle costs a unit.
 * @throws InputError `import_empty`, what reading the list and choosing places throw
 */
export async function askImport(ctx: CtxFor<typeof importFeedOptions>): Promise<Reply> {
  const { words, options } = ctx;
  const { places } = await choosePlaces(ctx, options);
  const typed = options.channels && (await readChannelList(options.channels, "channels"));
  const attached = options.file && (await readFile(ctx, options.file));
  const lists = [typed, attached].filter((one) => typeof one === "object");
  if (lists.length === 0) {
    throw new InputError("neither a text nor a file", {
      code: "import_empty",
      facts: { option: "channels" },
    });
  }
  const known = new Map((await ctx.feeds.all()).map((feed) => [feed.source, feed]));
  const all = new Map(lists.flatMap((one) => one.refs).map((ref) => [channelText(ref), ref]));
  const unread = lists.flatMap((one) => one.unread);
  const titles = new Map(lists.flatMap((one) => [...(one.titles ?? [])]));
  const nameOf = (ref: ChannelRef) => ("id" in ref && titles.get(ref.id)) || channelText(ref);
  const wanted = [...all.values()].filter((ref) => !("id" in ref && known.has(ref.id)));
  const refs = wanted.slice(0, Math.max(0, maxFeeds - known.size));
  const lines = [
    all.size > wanted.length &&
      words.say("announce.import.known", { count: all.size - wanted.length }),
    wanted.length > refs.length &&
      words.md("announce.import.over", { count: wanted.length - refs.length, most: maxFeeds }),
    unread.length > 0 &&
      words.md("announce.import.unread", { count: unread.length, names: named(unread) }),
  ];
  if (refs.length === 0) {
    return notice({
      tone: "neutral",
      title: words.say("announce.import.nothing"),
      text: join(lines),
    });
  }
  const handles = refs.filter((ref) => !("id" in ref)).length;
  return ask({
    title: words.say("announce.import.ask", { count: refs.length }),
    text: join([
      named(refs.map(nameOf)),
      ...describePlaces({ places }, words),
      ...lines,
      handles > 0 && words.say("announce.import.handles", { count: handles }),
      await ctx.price(
        ["channels.list", callsFor(refs)],
        ...(options.template === undefined ? [] : previewCalls),
      ),
      words.md("announce.import.checks", { list: words.mention("announce list") }),
    ]),
    confirm: {
      label: words.say("announce.import.press"),
      press: importNow.press({ refs, places }),
    },
  });
}

/** @throws InputError `import_too_large`, and what reading it throws */
async function readFile(ctx: Ctx, file: Attachment): Promise<ChannelList> {
  const name = typedText(file.filename);
  const bytes = file.size <= maxListBytes ? await ctx.fetchAttachment(file) : undefined;
  if (bytes !== undefined && bytes.byteLength <= maxListBytes) {
    return readChannelList(decodeList(bytes, name), name);
  }
  throw new InputError("the list is too large", {
    code: "import_too_large",
    facts: { name, most: Math.round(maxListBytes / 1024) },
  });
}

/** Ids are read fifty at a time, handles one by one. */
function callsFor(refs: readonly ChannelRef[]): number {
  const ids = refs.filter((ref) => "id" in ref).length;
  return Math.ceil(ids / idsOfOneCall) + refs.length - ids;
}

const importNow = action<ImportPlan>({
  name: "announce.import-now",
  isOnce: true,
  rank: "manager",
  answer: "private",
  uses: ["channels.list", "playlistItems.list", "videos.list"],
  run: (ctx, plan) => ctx.feeds.during(() => importChannels(ctx, plan)),
});

export const importFeedActions = [importNow] as const;

interface ImportResult {
  readonly added: Feed[];
  /** Channels that were announced already. */
  readonly known: string[];
  /** What names no channel. */
  readonly absent: string[];
}

/**
 * Adds the channels, each by itself: what is added stays, whatever happens to the rest. Where it can't go on, a button goes on
 * with what is left; after a crash the same list can be handed over again, because channels that are there are left alone.
 */
async function importChannels(ctx: Ctx, { refs, places }: ImportPlan): Promise<Reply> {
  await ctx.afford([["channels.list", callsFor(refs)]]);
  const result: ImportResult = { added: [], known: [], absent: [] };
  const known = new Set((await ctx.feeds.all()).map(({ source }) => source));
  let rest = refs;
  let failure: BotError | undefined;
  const ids = refs.filter((ref) => "id" in ref);
  const groups = [
    ...chunks(ids, idsOfOneCall),
    ...refs.filter((ref) => !("id" in ref)).map((ref) => [ref]),
  ];
  for (const group of groups) {
    try {
      const found = await readChannels(ctx, group);
      for (const ref of group) {
        const channel = found.find((one) => matches(one, ref, group));
        await addChannel(ctx, { ref, channel, places, known, result });
        rest = rest.filter((one) => one !== ref);
      }
    } catch (error) {
      if (!(error instanceof BotError)) throw error;
      const [only] = group;
      if (group.length === 1 && only !== undefined && isRefusedForGood(error, isAboutAll)) {
        result.absent.push(channelText(only));
        rest = rest.filter((one) => one !== only);
        continue;
      }
      failure = error;
      break;
    }
    ctx.progress({
      title: ctx.words.say("announce.import.progress", { count: refs.length }),
      done: 1 - rest.length / refs.length,
    });
  }
  return describeResult(ctx, result, { refs: rest, places, failure });
}

function isAboutAll(error: BotError): boolean {
  return error.code === "too_many_feeds" || concernsWholeBatch(error);
}

async function readChannels(ctx: Ctx, group: readonly ChannelRef[]): Promise<readonly Channel[]> {
  const [first] = group;
  if (first === undefined) return [];
  const ids = group.flatMap((ref) => ("id" in ref ? ref.id : []));
  const filter = ids.length > 0 ? { id: ids } : channelFilter(ctx, first);
  const wanted = { part: ["snippet", "contentDetails"] as const, ...filter };
  const { items } = await ctx.video.call("channels.list", wanted, { signal: ctx.signal });
  return items ?? [];
}

function matches({ id }: Channel, ref: ChannelRef, group: readonly ChannelRef[]): boolean {
  return "id" in ref ? id === ref.id : group.length === 1;
}

interface ChannelToAdd {
  readonly ref: ChannelRef;
  readonly channel: Channel | undefined;
  readonly places: AnnouncedChannel["places"];
  readonly known: Set<string>;
  readonly result: ImportResult;
}

async function addChannel(
  ctx: Ctx,
  { ref, channel, places, known, result }: ChannelToAdd,
): Promise<void> {
  const source = channel?.id;
  if (channel === undefined || source === undefined) {
    result.absent.push(channelText(ref));
    return;
  }
  const title = channel.snippet?.title ?? source;
  if (known.has(source)) {
    result.known.push(title);
    return;
  }
  const uploads = uploadsOf(channel, source);
  result.added.push(await ctx.feeds.put({ source, title, uploads, places }, ctx.userId));
  known.add(source);
}

async function describeResult(
  ctx: Ctx,
  { added, known, absent }: ImportResult,
  { refs, places, failure }: ImportPlan & { readonly failure: BotError | undefined },
): Promise<Reply> {
  const { words } = ctx;
  const [first] = added;
  // All places have the same text, so any kind will do for the preview.
  const kind = releaseKinds.find((one) => places[one]?.template !== undefined);
  return notice({
    tone: failure !== undefined ? "warning" : "good",
    title: words.say("announce.import.done", { count: added.length }),
    text: join([
      added.length > 0 && named(added.map(({ title }) => title)),
      added.length > 0 && words.md("announce.added.text", { test: words.mention("announce test") }),
      known.length > 0 && words.say("announce.import.known", { count: known.length }),
      absent.length > 0 &&
        words.md("announce.import.absent", { count: absent.length, names: named(absent) }),
      failure !== undefined && words.say("announce.import.stopped", { count: refs.length }),
      failure !== undefined && describeFailureInLine(failure, words),
      first !== undefined && kind !== undefined && (await templatePreview(ctx, first, kind)),
    ]),
    ...(refs.length > 0 && {
      buttons: [
        { label: words.say("announce.import.go_on"), press: importNow.press({ refs, places }) },
      ],
    }),
  });
}

const maxNamed = 10;

/** The first of them. */
function named(names: readonly string[]): string {
  const shown = names.slice(0, maxNamed).map((name) => cut(name, 60));
  return [...shown, ...(names.length > maxNamed ? ["…"] : [])].join(", ");
}

function chunks<T>(all: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
}
