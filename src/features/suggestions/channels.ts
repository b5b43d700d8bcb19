import { limits } from "../../discord/index.ts";
import { ownerOnlyListIds, type Subscription } from "../../video/index.ts";
import { channelText, readChannelRef, readPlaylistRef } from "../../video-links/index.ts";
import type { FeatureSuggest, SuggestCtx } from "../context/index.ts";
import {
  candidateChoices,
  candidateOrPastedChoices,
  dayName,
  firstItems,
  hasOwnView,
  maySeePrivate,
  privacyName,
  type SuggestionCandidate,
  suggestFor,
} from "./match.ts";

/** The linked channel, and for moderators and above those that it is subscribed to. */
export const channels: FeatureSuggest = async (typed, ctx) => {
  const [own, others] = await Promise.all([ownChannel(ctx), subscribed(typed, ctx)]);
  const found = others.flatMap(({ snippet }): SuggestionCandidate[] => {
    const id = snippet?.resourceId?.channelId;
    return id === undefined ? [] : [{ value: id, title: snippet?.title ?? id }];
  });
  return candidateOrPastedChoices(typed, [...own, ...found], (text) => {
    const ref = readChannelRef(text);
    return ref && channelText(ref);
  });
};

async function ownChannel({
  channelId,
  video,
}: SuggestCtx): Promise<readonly SuggestionCandidate[]> {
  if (channelId === undefined) return [];
  const { items } = await video.call("channels.list", { part: ["snippet"], id: [channelId] });
  const snippet = items[0]?.snippet;
  const title = snippet?.title ?? channelId;
  return [{ value: channelId, title, facts: [snippet?.customUrl], also: [channelId] }];
}

/** What the linked channel is subscribed to; empty for people who may not know. */
async function subscribed(typed: string, ctx: SuggestCtx): Promise<readonly Subscription[]> {
  if (!hasOwnView(ctx)) return [];
  const wanted = { part: ["snippet"], mine: true, order: "alphabetical", maxResults: 50 } as const;
  return firstItems(typed, (pageToken) =>
    ctx.video.call("subscriptions.list", { ...wanted, pageToken }),
  );
}

/** What the linked channel is subscribed to: for moderators and above, because it may be hidden. */
export const subscriptions = suggestFor(hasOwnView, async (ctx, typed) => {
  const found = await subscribed(typed, ctx);
  return found.flatMap(({ id, snippet }) => {
    if (id === undefined) return [];
    const facts = [dayName(ctx, snippet?.publishedAt)];
    const also = [snippet?.resourceId?.channelId];
    return [{ value: id, title: snippet?.title ?? id, facts, also }];
  });
});

/** The channel's membership levels: for moderators and above. */
export const memberLevels = suggestFor(hasOwnView, async (ctx) => {
  const { items } = await ctx.video.call("membershipsLevels.list", { part: ["id", "snippet"] });
  return items.flatMap(({ id, snippet }) =>
    id === undefined ? [] : [{ value: id, title: snippet?.levelDetails?.displayName ?? id }],
  );
});

/** The linked channel's playlists, 50 of them. */
export const ownPlaylists: FeatureSuggest = async (typed, ctx) => {
  return candidateOrPastedChoices(typed, await readPlaylists(ctx), readPlaylistRef);
};

/** The same with YouTube's own lists of the channel, for people who may see them. */
export const playlists: FeatureSuggest = async (typed, ctx) => {
  const own = await readPlaylists(ctx);
  const special = hasOwnView(ctx)
    ? Object.entries(ownerOnlyListIds).map(([list, value]) => ({
        value,
        title: ctx.words.find(`playlists.special.names.${list}`) ?? value,
        facts: [ctx.words.say("playlists.special.about")],
      }))
    : [];
  // After the channel's own playlists, but early enough to be shown.
  const ahead = limits.suggestions - special.length;
  const all = [...own.slice(0, ahead), ...special, ...own.slice(ahead)];
  return candidateOrPastedChoices(typed, all, readPlaylistRef);
};

async function readPlaylists(ctx: SuggestCtx): Promise<readonly SuggestionCandidate[]> {
  const { channelId, words } = ctx;
  if (channelId === undefined) return [];
  const { items } = await ctx.video.call("playlists.list", {
    part: ["snippet", "contentDetails", "status"],
    maxResults: 50,
    ...(hasOwnView(ctx) ? { mine: true } : { channelId }),
  });
  return items.flatMap(({ id, snippet, contentDetails, status }) => {
    const privacy = status?.privacyStatus;
    const isHidden = !maySeePrivate(ctx) && privacy !== undefined && privacy !== "public";
    if (id === undefined || isHidden) return [];
    const count = contentDetails?.itemCount;
    const size = count === undefined ? undefined : words.say("common.videos", { count });
    return [{ value: id, title: snippet?.title ?? id, facts: [privacyName(ctx, privacy), size] }];
  });
}

/** The sections of the linked channel's page, by place, title and kind. */
export const sections: FeatureSuggest = async (typed, ctx) => {
  const { channelId, words } = ctx;
  if (channelId === undefined) return [];
  const which = hasOwnView(ctx) ? { mine: true } : { channelId };
  const { items } = await ctx.video.call("channelSections.list", { part: ["snippet"], ...which });
  const candidates = items.flatMap(({ id, snippet }) => {
    if (id === undefined) return [];
    const type = snippet?.type ?? "";
    const kind = words.find(`choices.sectionType.${type}`) ?? words.find(`choices.type.${type}`);
    const name = snippet?.title || kind || type || id;
    const place = snippet?.position === undefined ? "" : `${snippet.position + 1}. `;
    return [{ value: id, title: `${place}${name}`, facts: [name === kind ? undefined : kind] }];
  });
  return candidateChoices(typed, candidates);
};
