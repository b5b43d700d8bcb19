import { AccessError } from "../../errors.ts";
import { findSpecialList, type Method, methods, needsToken } from "../../video/index.ts";
import type { LooseParams, Middleware } from "./middleware.ts";
import {
  createPublicLookups,
  type ItemsPage,
  isPubliclyListed,
  type ListedItem,
  onlyPublished,
  type PublicLookups,
  withoutOwnersDetails,
  withoutOwnFields,
} from "./public-items.ts";

/**
 * For a linked channel's calls whose answers everybody reads: what only its owner can see is left out.
 * @throws AccessError `subscriptions_private`
 */
export function showPublicView(ownId: string | undefined): Middleware {
  return async (call, next) => {
    const { method, params, page } = call;
    const rule = rules[method];
    if (rule === undefined) return next(call);
    const lookups = createPublicLookups(next, ownId);
    // A list that is closed has no later pages.
    if (page !== "later" && (await rule.isClosed?.(params, lookups))) return { items: [] };
    const byId = isById(params) ? (rule.partsById ?? []) : [];
    const needed = [...(rule.parts ?? []), ...byId];
    const { part = [] } = params as { readonly part?: readonly string[] };
    const withParts = { ...params, part: [...new Set([...part, ...needed])] };
    const answer = await next({ ...call, params: needed.length === 0 ? params : withParts });
    return rule.publicPart(answer as ItemsPage, lookups, params);
  };
}

/**
 * Refuses calls that need the linked channel's consent, because their results may not be in a public answer. Only for servers
 * that have a channel: without one, the video client's own failure says that one is needed.
 * @throws AccessError `owners_view`
 */
export const refuseConsentCalls: Middleware = async (call, next) => {
  const { method, params } = call;
  if (!needsToken(methods[method], params)) return next(call);
  throw new AccessError(`${method}: an answer for everybody may not hold the channel's own view`, {
    code: "owners_view",
    facts: { method },
  });
};

/** How a list that shows its owner more is reduced to what everybody can see. */
interface PublicRule {
  /** Whether all of it is only for the owner. */
  readonly isClosed?: (params: LooseParams, lookups: PublicLookups) => Promise<boolean>;
  /** The parts that `publicPart` needs. */
  readonly parts?: readonly string[];
  /** The parts that it also needs where the call names ids. */
  readonly partsById?: readonly string[];
  readonly publicPart: (
    page: ItemsPage,
    lookups: PublicLookups,
    params: LooseParams,
  ) => ItemsPage | Promise<ItemsPage>;
}

const byStatus: PublicRule = {
  parts: ["status"],
  publicPart: (page) => filterItems(page, isPubliclyListed),
};

const rules: Readonly<Partial<Record<Method, PublicRule>>> = {
  "videos.list": {
    ...byStatus,
    publicPart: (page) => {
      const { items, ...rest } = filterItems(page, isPubliclyListed);
      return { ...rest, ...(items && { items: items.map(withoutOwnersDetails) }) };
    },
  },
  "playlists.list": byStatus,
  "playlistItems.list": {
    parts: ["status"],
    partsById: ["snippet"],
    isClosed: isClosedPlaylist,
    publicPart: onlyPublicEntries,
  },
  "channels.list": {
    publicPart: (page) => ({
      ...page,
      ...(page.items && { items: page.items.map(withoutOwnFields) }),
    }),
  },
  "comments.list": { publicPart: onlyPublished },
  "commentThreads.list": { publicPart: onlyPublished },
  "activities.list": { publicPart: onlyPublicActivities },
  "subscriptions.list": {
    partsById: ["snippet"],
    isClosed: refuseOwn,
    publicPart: withoutOwnSubscriptions,
  },
};

function isById(params: LooseParams): boolean {
  return params.id !== undefined;
}

function filterItems(page: ItemsPage, isKept: (item: ListedItem) => boolean): ItemsPage {
  return page.items === undefined ? page : { ...page, items: page.items.filter(isKept) };
}

/** Not even the public videos of a private playlist are shown: that they are in it is private. */
async function isClosedPlaylist(params: LooseParams, lookups: PublicLookups): Promise<boolean> {
  const { playlistId } = params as { readonly playlistId?: string };
  if (playlistId === undefined) return false;
  return isOwnersAlone(playlistId) || lookups.isPrivatePlaylist(playlistId);
}

/** Likes, history and Watch later, which do not always say that they are private. */
function isOwnersAlone(playlistId: string): boolean {
  const list = findSpecialList(playlistId);
  return list !== undefined && list !== "uploads";
}

/** An entry that was read by its own id does not say whether its playlist is public, so that is looked up. */
async function onlyPublicEntries(
  page: ItemsPage,
  lookups: PublicLookups,
  params: LooseParams,
): Promise<ItemsPage> {
  const shown = filterItems(page, isPubliclyListed);
  if (!isById(params)) return shown;
  const listOf = ({ snippet }: ListedItem) => snippet?.playlistId ?? "";
  const lists = (shown.items ?? []).map(listOf).filter((id) => id !== "" && !isOwnersAlone(id));
  const open = await lookups.publicIds("playlists.list", lists);
  return filterItems(shown, (entry) => open.has(listOf(entry)));
}

/** The activities of a channel that are public; what it likes, rates and follows is for its owner. */
const publicTypes: ReadonlySet<string | undefined> = new Set(["upload", "playlistItem"]);

async function onlyPublicActivities(
  page: ItemsPage,
  { publicIds }: PublicLookups,
): Promise<ItemsPage> {
  const { items = [] } = filterItems(page, ({ snippet }) => publicTypes.has(snippet?.type));
  const [videos, playlists] = await Promise.all([
    publicIds("videos.list", items.flatMap(videoIds)),
    publicIds("playlists.list", items.flatMap(playlistIds)),
  ]);
  return filterItems(
    { ...page, items },
    (item) =>
      videoIds(item).every((id) => videos.has(id)) &&
      playlistIds(item).every((id) => playlists.has(id)),
  );
}

interface ActivityDetails {
  readonly upload?: { readonly videoId?: string };
  readonly playlistItem?: {
    readonly playlistId?: string;
    readonly resourceId?: { readonly videoId?: string };
  };
}

function videoIds({ contentDetails }: ListedItem): readonly string[] {
  const { upload, playlistItem } = (contentDetails ?? {}) as ActivityDetails;
  return [upload?.videoId, playlistItem?.resourceId?.videoId].filter((id) => id !== undefined);
}

function playlistIds({ contentDetails }: ListedItem): readonly string[] {
  const { playlistItem } = (contentDetails ?? {}) as ActivityDetails;
  return playlistItem?.playlistId === undefined ? [] : [playlistItem.playlistId];
}

/**
 * The channel's token sees its subscriptions whether they are private or not, and the answer does not say which they
 * are. When they are read by id, they are left out instead.
 */
async function refuseOwn(params: LooseParams, { ownId }: PublicLookups): Promise<boolean> {
  const { channelId } = params as { readonly channelId?: string };
  if (ownId !== undefined && channelId !== ownId) return false;
  throw new AccessError("whether the channel's subscriptions are public is not known", {
    code: "subscriptions_private",
  });
}

function withoutOwnSubscriptions(
  page: ItemsPage,
  { ownId }: PublicLookups,
  params: LooseParams,
): ItemsPage {
  if (!isById(params)) return page;
  return filterItems(page, ({ snippet: { channelId } = {} }) => {
    return channelId !== undefined && channelId !== ownId;
  });
}
