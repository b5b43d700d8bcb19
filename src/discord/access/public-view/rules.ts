import { AccessError } from "../../../errors.ts";
import { type Method, specialListOf } from "../../../video/index.ts";
import { onlyPublished } from "./conversation.ts";
import { withoutOwnersDetails, withoutOwnFields } from "./owners-fields.ts";
import { isShown, type Page, type Seeing, type Thing } from "./seeing.ts";

type Asked = Readonly<Record<string, unknown>>;

/** How a list that tells its owner more is cut to what everybody sees. */
export interface Rule {
  /** Whether all of it is the owner's alone. */
  readonly isClosed?: (params: Asked, seeing: Seeing) => Promise<boolean>;
  /** What is asked in its place, so that the answer tells what may be shown. */
  readonly asked?: (params: Asked) => Asked;
  readonly shown: (page: Page, seeing: Seeing, params: Asked) => Page | Promise<Page>;
}

const byStatus: Rule = {
  asked: (params) => withParts(params, ["status"]),
  shown: (page) => kept(page, isShown),
};

export const rules: Readonly<Partial<Record<Method, Rule>>> = {
  "videos.list": {
    ...byStatus,
    shown: (page) => {
      const { items, ...rest } = kept(page, isShown);
      return { ...rest, ...(items && { items: items.map(withoutOwnersDetails) }) };
    },
  },
  "playlists.list": byStatus,
  "playlistItems.list": {
    asked: (params) => withParts(params, isById(params) ? ["status", "snippet"] : ["status"]),
    isClosed: isClosedPlaylist,
    shown: onlyPublicEntries,
  },
  "channels.list": {
    shown: (page) => ({ ...page, ...(page.items && { items: page.items.map(withoutOwnFields) }) }),
  },
  "comments.list": { shown: onlyPublished },
  "commentThreads.list": { shown: onlyPublished },
  "activities.list": { shown: onlyPublicActs },
  "subscriptions.list": {
    asked: (params) => (isById(params) ? withParts(params, ["snippet"]) : params),
    isClosed: refuseOwn,
    shown: withoutOwnSubscriptions,
  },
};

function withParts(params: Asked, needed: readonly string[]): Asked {
  const { part = [] } = params as { readonly part?: readonly string[] };
  return { ...params, part: [...new Set([...part, ...needed])] };
}

function isById(params: Asked): boolean {
  return params.id !== undefined;
}

function kept(page: Page, isKept: (thing: Thing) => boolean): Page {
  return page.items === undefined ? page : { ...page, items: page.items.filter(isKept) };
}

/** Of a private playlist even public videos are not told: that they stand in it is private. */
async function isClosedPlaylist(params: Asked, seeing: Seeing): Promise<boolean> {
  const { playlistId } = params as { readonly playlistId?: string };
  if (playlistId === undefined) return false;
  return isOwnersAlone(playlistId) || seeing.isPrivatePlaylist(playlistId);
}

/** Likes, history and Watch later; their lists do not always say that they are private. */
function isOwnersAlone(playlistId: string): boolean {
  const list = specialListOf(playlistId);
  return list !== undefined && list !== "uploads";
}

/** By its own id an entry comes without a word about its playlist, which is asked for then. */
async function onlyPublicEntries(page: Page, seeing: Seeing, params: Asked): Promise<Page> {
  const shown = kept(page, isShown);
  if (!isById(params)) return shown;
  const listOf = ({ snippet }: Thing) => snippet?.playlistId ?? "";
  const lists = (shown.items ?? []).map(listOf).filter((id) => id !== "" && !isOwnersAlone(id));
  const open = await seeing.shown("playlists.list", lists);
  return kept(shown, (entry) => open.has(listOf(entry)));
}

/** What anybody sees of a channel; what it likes, rates and follows is for its owner. */
const publicActs: ReadonlySet<string | undefined> = new Set(["upload", "playlistItem"]);

async function onlyPublicActs(page: Page, { shown }: Seeing): Promise<Page> {
  const { items = [] } = kept(page, ({ snippet }) => publicActs.has(snippet?.type));
  const [videos, playlists] = await Promise.all([
    shown("videos.list", items.flatMap(videoOf)),
    shown("playlists.list", items.flatMap(playlistOf)),
  ]);
  return kept({ ...page, items }, (act) => {
    return (
      videoOf(act).every((id) => videos.has(id)) && playlistOf(act).every((id) => playlists.has(id))
    );
  });
}

interface Act {
  readonly upload?: { readonly videoId?: string };
  readonly playlistItem?: {
    readonly playlistId?: string;
    readonly resourceId?: { readonly videoId?: string };
  };
}

function videoOf({ contentDetails }: Thing): readonly string[] {
  const { upload, playlistItem } = (contentDetails ?? {}) as Act;
  return [upload?.videoId, playlistItem?.resourceId?.videoId].filter((id) => id !== undefined);
}

function playlistOf({ contentDetails }: Thing): readonly string[] {
  const { playlistItem } = (contentDetails ?? {}) as Act;
  return playlistItem?.playlistId === undefined ? [] : [playlistItem.playlistId];
}

/**
 * The channel's token sees its subscriptions whether they are private or not, and the answer does not tell which. By
 * their ids they are left out instead.
 */
async function refuseOwn(params: Asked, { ownId }: Seeing): Promise<boolean> {
  const { channelId } = params as { readonly channelId?: string };
  if (ownId !== undefined && channelId !== ownId) return false;
  throw new AccessError("whether the channel's subscriptions are public is not known", {
    code: "subscriptions_private",
  });
}

function withoutOwnSubscriptions(page: Page, { ownId }: Seeing, params: Asked): Page {
  if (!isById(params)) return page;
  return kept(
    page,
    ({ snippet }) => snippet?.channelId !== undefined && snippet.channelId !== ownId,
  );
}
