import {
  type Button,
  compact,
  describeAdvice,
  describeFailureShortly,
  form,
  join,
  limits,
  notice,
  type Reply,
  type Select,
  type TargetMessage,
  typedText,
  type Words,
} from "../../discord/index.ts";
import { BotError, InputError } from "../../errors.ts";
import { firstFilled, ownerOnlyListIds, type Playlist } from "../../video/index.ts";
import { videosIn } from "../../video-links/index.ts";
import { presses, valueName } from "../cards/index.ts";
import type { Ctx } from "../context/index.ts";
import { action, actionFor } from "../declarations/index.ts";
import { type BatchPage, pagesBeside, pagesIn } from "../lists/index.ts";
import { addVideos, addVideosNow, addVideosUnasked, countNewPlaylistUnits } from "./add.ts";
import { createPlaylist, newPlaylistFields, readNewPlaylist } from "./create.ts";
import { maxEntriesAtOnce, readVideoTitles } from "./entries.ts";
import { specialListName } from "./special-list.ts";
import { formatGroup, formatLines, formatVideoLine } from "./video-lines.ts";

/** Videos for which a playlist is being chosen. */
interface PlaylistChoice {
  readonly ids: readonly string[];
  /** The tokens of all batches of playlists up to the shown one; the first batch has none. */
  readonly tokens?: readonly string[];
  /** Which page of the batch; its last page where it has fewer. */
  readonly chunk?: number;
}

const specials = ["watchLater", "likes", "watchHistory"] as const;

/** Less than a select's 25 options, so that YouTube's own lists fit below the channel's. */
const playlistsShown = limits.select.options - specials.length;
/** Playlists of one call: docs/services/youtube.md#lists-and-pages */
const playlistsAtOnce = 50;

const uses = ["channels.list", "playlists.list", "playlistItems.list", "videos.list"] as const;

const choose = actionFor(presses.video.addToPlaylist, {
  method: "playlistItems.insert",
  uses,
  run: askForPlaylist,
});

const turn = action<PlaylistChoice>({
  name: "playlists.choose-turn",
  turnsPage: true,
  method: "playlistItems.insert",
  uses,
  run: askForPlaylist,
});

const chosen = action<PlaylistChoice>({
  name: "playlists.chosen",
  isOnce: true,
  method: "playlistItems.insert",
  uses,
  run: (ctx, { ids }, { values }) => addVideos(ctx, { playlistId: values[0] ?? "", videos: ids }),
});

const newForm = action<PlaylistChoice>({
  name: "playlists.new-form",
  answer: "form",
  method: "playlists.insert",
  form: ({ words }, { ids }) =>
    form({
      title: words.say("playlists.new.title"),
      isReturned: true,
      intro: words.md("playlists.new.intro", {
        count: ids.length,
        units: countNewPlaylistUnits(ids.length),
      }),
      fields: newPlaylistFields(words),
      submit: createWith.press({ ids }),
    }),
});

const createWith = action<PlaylistChoice>({
  name: "playlists.create-with",
  isOnce: true,
  method: "playlists.insert",
  uses: [...uses, "playlistItems.insert"],
  run: async (ctx, { ids }, { fields }) => {
    await ctx.afford([["playlists.insert"], ["playlistItems.insert", ids.length]]);
    const { id = "", snippet } = await createPlaylist(ctx, readNewPlaylist(fields));
    const adding = { playlistId: id, videos: ids };
    try {
      return await addVideosUnasked(ctx, adding);
    } catch (error) {
      if (!(error instanceof BotError)) throw error;
      // The new playlist exists all the same.
      const { words } = ctx;
      return notice({
        tone: "warning",
        title: words.say("playlists.new.empty", { playlist: snippet?.title ?? "" }),
        text: join([describeFailureShortly(error, words), describeAdvice(error, words)]),
        buttons: [
          { label: words.say("playlists.new.again"), press: addVideosNow.press(adding) },
          { label: words.say("cards.details"), press: presses.playlist.details(id) },
        ],
      });
    }
  },
});

export const choosePlaylistActions = [choose, turn, chosen, newForm, createWith] as const;

/**
 * Asks for the playlist of the channel to which the videos should be added.
 * @throws InputError `no_video_links` if there are none, `videos_gone` if none of them exists
 */
export async function askForPlaylist(
  ctx: Ctx,
  { ids, tokens = [], chunk: wanted = 0 }: PlaylistChoice,
): Promise<Reply> {
  if (ids.length === 0) {
    throw new InputError("the message links to no video", { code: "no_video_links" });
  }
  const some = ids.slice(0, maxEntriesAtOnce);
  const titles = await readVideoTitles(ctx, some);
  const known = some.filter((id) => titles.has(id));
  if (known.length === 0) {
    throw new InputError("none of the videos is there", {
      code: "videos_gone",
      facts: { count: some.length, given: typedText(some.join(", ")) },
    });
  }
  const part = ["snippet", "contentDetails", "status"] as const;
  const mine = { part, mine: true, maxResults: playlistsAtOnce };
  const { items, nextPageToken } = await firstFilled(
    (pageToken) => ctx.own.call("playlists.list", { ...mine, pageToken }, { signal: ctx.signal }),
    tokens.at(-1),
  );
  const pages = pagesIn(items.length, playlistsShown);
  const chunk = Math.min(wanted, pages - 1);
  const shown = items.slice(chunk * playlistsShown, (chunk + 1) * playlistsShown);
  const isFirst = tokens.length === 0 && chunk === 0;
  const { words } = ctx;
  const missing = some.filter((id) => !titles.has(id));
  const left = ids.length - some.length;
  return notice({
    tone: "neutral",
    title: words.say("playlists.choose.title", { count: known.length }),
    text: join(
      [
        formatLines(
          known.map((id) => formatVideoLine({ id, title: titles.get(id) ?? id })),
          words,
        ),
        ...formatGroup(
          words.say("playlists.add.unknown", { count: missing.length }),
          missing.map((id) => formatVideoLine({ id, title: id })),
          words,
        ),
        left > 0 && words.say("playlists.choose.cut", { most: maxEntriesAtOnce, cut: left }),
        items.length === 0 && words.say("playlists.choose.none"),
      ],
      "\n\n",
    ),
    selects: playlistSelects({ playlists: shown, isFirst, ids: known }, words),
    buttons: [
      ...turns({ ids: some, tokens, chunk }, { pages, nextPageToken }, words),
      { label: words.say("playlists.choose.new"), press: newForm.press({ ids: known }) },
    ],
  });
}

interface OfferedPlaylists {
  readonly playlists: readonly Playlist[];
  readonly isFirst: boolean;
  readonly ids: readonly string[];
}

/** No select if YouTube sends an empty page. */
function playlistSelects(
  { playlists, isFirst, ids }: OfferedPlaylists,
  words: Words,
): readonly Select[] {
  const kept = isFirst ? specials : [];
  const options = [
    ...playlists.map(({ id = "", snippet, contentDetails, status }) => {
      const facts = [
        words.say("common.videos", { count: contentDetails?.itemCount ?? 0 }),
        valueName(words, "privacyStatus", status?.privacyStatus),
      ];
      const label = snippet?.title || words.say("common.untitled");
      return { label, value: id, description: facts.filter(Boolean).join(" · ") };
    }),
    ...kept.map((list) => ({
      label: specialListName(list, words),
      value: ownerOnlyListIds[list],
      description: words.say("playlists.special.about"),
    })),
  ];
  if (options.length === 0) return [];
  const placeholder = words.say("playlists.choose.placeholder");
  return [{ placeholder, options, press: chosen.press({ ids }) }];
}

/** The buttons “Previous” and “Next”, if there are such pages. */
function turns(
  { ids, tokens, chunk }: Required<PlaylistChoice>,
  batch: { readonly pages: number; readonly nextPageToken?: string | undefined },
  words: Words,
): Button[] {
  const { before, after } = pagesBeside({ tokens: [null, ...tokens], chunk }, batch);
  const turnTo = (page: BatchPage) =>
    turn.press({ ids, ...page, tokens: page.tokens.filter((token) => token !== null) });
  return compact([
    before && { label: words.say("common.previous"), press: turnTo(before) },
    after && { label: words.say("common.next"), press: turnTo(after) },
  ]);
}

/**
 * All videos that a message links to, in order and without duplicates: in its text, its embeds, and its components,
 * such as our own lists and the buttons of our cards.
 */
export function videosInMessage(message: Pick<TargetMessage, "content" | "embeds" | "components">) {
  const texts = [
    message.content,
    ...(message.embeds ?? []).flatMap((embed: unknown) => {
      const { type, url } = (embed ?? {}) as { readonly type?: unknown; readonly url?: unknown };
      if (type === undefined || type === "rich") return textsIn(embed);
      // The preview of a link may contain other links of its page, which nobody posted.
      return typeof url === "string" ? [url] : [];
    }),
    ...textsIn(message.components),
  ];
  return [...new Set(texts.flatMap(videosIn))];
}

/** Every text in a part of a message, in order. */
function textsIn(part: unknown): readonly string[] {
  if (typeof part === "string") return [part];
  if (typeof part !== "object" || part === null) return [];
  return Object.values(part).flatMap(textsIn);
}
