import { type FeedPlace, placeFor, releaseKinds } from "../../announcements/index.ts";
import { type OptionsOf, typedText } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import { locales } from "../../language/index.ts";
import type { Ctx, SuggestCtx } from "../context/index.ts";
import { option } from "../declarations/index.ts";
import { forumTags } from "../suggestions/index.ts";
import { maxTemplateChars } from "./template.ts";

/** The channels that the other options name, or else that of the chosen kind so far. */
async function chosenChannels({ others, feeds }: SuggestCtx): Promise<readonly string[]> {
  const { uploads, live, premieres, shorts, channel, kind, feed: wanted } = others;
  // Where a feed is added, `channel` is the one at YouTube.
  const chosen = kind === undefined ? [uploads, live, premieres, shorts] : [channel];
  const ids = chosen.filter((id) => id !== undefined);
  if (ids.length > 0) return [...new Set(ids)];
  const feed = (await feeds()).find(({ id }, _, { length }) => id === wanted || length === 1);
  const place = feed && releaseKinds.find((one) => one === kind);
  const channelId = place && placeFor(feed.places, place)?.channelId;
  return channelId === undefined ? [] : [channelId];
}

/** How releases are announced in a place. */
export const placeOptions = {
  role: option.pingRole({}),
  template: option.text({ max: maxTemplateChars }),
  language: option.choice({ group: "announce_language", values: locales }),
  publish: option.flag({}),
  thread: option.flag({}),
  tags: option.words({ max: 200, suggest: forumTags(chosenChannels) }),
};

export type PlaceStyle = OptionsOf<typeof placeOptions>;

/** What a place's channel can do. Undefined: nobody knows. */
interface PlaceChannel {
  readonly id: string;
  readonly name: string;
  readonly isForum: boolean;
  readonly isAnnouncement: boolean | undefined;
  readonly mayOpenThreads: boolean | undefined;
}

/** Discord allows five on a post, and one is named after the kind of release. */
const maxTags = 4;

/**
 * The style as it is stored, for places in these channels. What only some of them can do is done there; what none can is refused.
 * @throws InputError `feed_not_publishable`, `feed_thread_in_forum`, `feed_thread_forbidden`, `feed_no_forum`,
 * `feed_tags_many`, `feed_tag_unknown`
 */
export async function readStyles(
  ctx: Pick<Ctx, "serverChannels">,
  channels: readonly PlaceChannel[],
  { role, template, language, publish, thread, tags }: PlaceStyle,
): Promise<readonly Partial<FeedPlace>[]> {
  const [first] = channels;
  const channel = first?.name ?? "";
  const none = (can: (one: PlaceChannel) => boolean) => first !== undefined && !channels.some(can);
  if (publish === true && none(({ isAnnouncement }) => isAnnouncement !== false)) {
    throw refused("feed_not_publishable", { channel, option: "publish" });
  }
  if (thread === true && none(({ isForum }) => !isForum)) {
    throw refused("feed_thread_in_forum", { channel, option: "thread" });
  }
  const closed = channels.find((one) => !one.isForum && one.mayOpenThreads === false);
  if (thread === true && closed !== undefined) {
    throw refused("feed_thread_forbidden", { channel: closed.name, option: "thread" });
  }
  if (tags !== undefined && none(({ isForum }) => isForum)) {
    throw refused("feed_no_forum", { channel, option: "tags" });
  }
  if (tags !== undefined && tags.length > maxTags) {
    throw new InputError("too many tags", {
      code: "feed_tags_many",
      facts: { option: "tags", count: tags.length, most: maxTags },
    });
  }
  return Promise.all(
    channels.map(async ({ id, isForum, isAnnouncement }) => ({
      ...(role !== undefined && { roleId: role }),
      ...(template !== undefined && { template }),
      ...(language !== undefined && { locale: language }),
      ...(publish !== undefined && {
        isPublished: (publish && isAnnouncement !== false) || undefined,
      }),
      ...(thread !== undefined && { hasThread: (thread && !isForum) || undefined }),
      ...(tags !== undefined && isForum && { tagIds: await readTags(ctx, id, tags) }),
    })),
  );
}

/** Ids of a forum's tags, by their names in any case. */
async function readTags(
  { serverChannels }: Pick<Ctx, "serverChannels">,
  channelId: string,
  names: readonly string[],
): Promise<readonly string[]> {
  const { tags = [] } = await serverChannels.read(channelId);
  return names.map((name) => {
    const found = tags.find((tag) => tag.id === name || folded(tag.name) === folded(name));
    if (found !== undefined) return found.id;
    throw new InputError("the forum has no such tag", {
      code: "feed_tag_unknown",
      facts: {
        given: typedText(name),
        hasTags: tags.length > 0,
        known: tags.map((tag) => tag.name).join(", "),
      },
    });
  });
}

function folded(text: string): string {
  return text.normalize("NFKC").trim().toLowerCase();
}

/** The channel of a place that was chosen earlier. */
export async function channelOf(
  { serverChannels }: Pick<Ctx, "serverChannels">,
  { channelId: id, isForum }: FeedPlace,
): Promise<PlaceChannel> {
  const { name = "?", isAnnouncement } = await serverChannels.read(id);
  return { id, name, isForum: isForum === true, isAnnouncement, mayOpenThreads: undefined };
}

function refused(
  code: "feed_not_publishable" | "feed_thread_in_forum" | "feed_thread_forbidden" | "feed_no_forum",
  facts: { readonly channel: string; readonly option: string },
): InputError {
  return new InputError(`not in #${facts.channel}: ${code}`, { code, facts });
}
