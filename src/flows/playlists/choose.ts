import {
  action,
  actionFor,
  adviceOf,
  type Button,
  type Ctx,
  compact,
  form,
  inShort,
  join,
  limits,
  named,
  notice,
  presses,
  type Reply,
  type Select,
  type SelectOption,
  type Words,
} from "../../discord/index.ts";
import { BotError, InputError } from "../../errors.ts";
import { ownersLists, type Playlist } from "../../video/index.ts";
import { add, addNow, addUnasked, unitsFor } from "./add.ts";
import { create, newFields, readNew } from "./create.ts";
import { mostAtOnce, videoTitles } from "./entries.ts";
import { group, lines, videoLine } from "./lines.ts";
import { specialName } from "./special.ts";

/** Videos for a playlist that is still to be chosen. */
export interface Choosing {
  readonly ids: readonly string[];
  /** Tokens of the pages of playlists up to the one that is shown; the first page has none. */
  readonly tokens?: readonly string[];
}

const specials = ["watchLater", "likes", "watchHistory"] as const;

/** Out of a select's 25, so that the service's own lists fit below the channel's. */
const playlistsShown = limits.select.options - specials.length;

const uses = ["channels.list", "playlists.list", "playlistItems.list", "videos.list"] as const;

export const choose = actionFor(presses.video.addToPlaylist, {
  answer: "private",
  by: "anyone",
  row: "playlistItems.insert",
  uses,
  run: (ctx, choosing) => chooser(ctx, choosing),
});

const turn = action<Choosing>({
  name: "playlists.choose-turn",
  answer: "update",
  by: "requester",
  row: "playlistItems.insert",
  uses,
  run: (ctx, choosing) => chooser(ctx, choosing),
});

const chosen = action<Choosing>({
  name: "playlists.chosen",
  answer: "update",
  by: "requester",
  isOnce: true,
  row: "playlistItems.insert",
  uses,
  run: (ctx, { ids }, { values }) => add(ctx, { playlistId: values[0] ?? "", videos: ids }),
});

const newForm = action<Choosing>({
  name: "playlists.new-form",
  answer: "form",
  by: "requester",
  row: "playlists.insert",
  form: ({ words }, { ids }) =>
    form({
      title: words.say("playlists.new.title"),
      isReturned: true,
      intro: words.md("playlists.new.intro", { count: ids.length, units: unitsFor(ids.length) }),
      fields: newFields(words),
      submit: createWith.press({ ids }),
    }),
});

const createWith = action<Choosing>({
  name: "playlists.create-with",
  answer: "update",
  by: "requester",
  isOnce: true,
  row: "playlists.insert",
  uses: [...uses, "playlistItems.insert"],
  run: async (ctx, { ids }, { fields }) => {
    await ctx.afford([["playlists.insert"], ["playlistItems.insert", ids.length]]);
    const playlist = await create(ctx, readNew(fields));
    return fill(ctx, playlist, ids);
  },
});

export const chooseActions = [choose, turn, chosen, newForm, createWith] as const;

/**
 * Asks into which of the channel's playlists some videos should go.
 * @throws InputError `no_video_links` when there are none, `videos_gone` when none of them is there
 */
export async function chooser(ctx: Ctx, { ids, tokens = [] }: Choosing): Promise<Reply> {
  if (ids.length === 0) {
    throw new InputError("the message links to no video", {
      code: "no_video_links",
    });
  }
  const some = ids.slice(0, mostAtOnce);
  const titles = await videoTitles(ctx, some);
  const known = some.filter((id) => titles.has(id));
  if (known.length === 0) {
    throw new InputError("none of the videos is there", {
      code: "videos_gone",
      facts: { count: some.length },
    });
  }
  const { items, nextPageToken } = await playlistsAt(ctx, tokens.at(-1));
  const { words } = ctx;
  const missing = some.filter((id) => !titles.has(id));
  const left = ids.length - some.length;
  return notice({
    tone: "info",
    title: words.say("playlists.choose.title", { count: known.length }),
    text: join(
      [
        lines(
          known.map((id) => videoLine({ id, title: titles.get(id) ?? id })),
          words,
        ),
        ...group(
          words.say("playlists.add.unknown", { count: missing.length }),
          missing.map((id) => videoLine({ id, title: id })),
          words,
        ),
        left > 0 && words.say("playlists.choose.cut", { most: mostAtOnce, cut: left }),
        items.length === 0 && words.say("playlists.choose.none"),
      ],
      "\n\n",
    ),
    selects: selectsOf({ playlists: items, isFirst: tokens.length === 0, ids: known }, words),
    buttons: [
      ...turns({ ids: some, tokens }, nextPageToken, words),
      { label: words.say("playlists.choose.new"), press: newForm.press({ ids: known }) },
    ],
  });
}

interface Offered {
  readonly playlists: readonly Playlist[];
  readonly isFirst: boolean;
  readonly ids: readonly string[];
}

/** None where the service sends an empty page. */
function selectsOf({ playlists, isFirst, ids }: Offered, words: Words): readonly Select[] {
  const kept = isFirst ? specials : [];
  const options = [
    ...playlists.map((playlist) => optionOf(playlist, words)),
    ...kept.map((list) => specialOption(list, words)),
  ];
  if (options.length === 0) return [];
  const placeholder = words.say("playlists.choose.placeholder");
  return [{ placeholder, options, press: chosen.press({ ids }) }];
}

/** Previous and Next, where there are such pages. */
function turns({ ids, tokens = [] }: Choosing, next: string | undefined, words: Words): Button[] {
  const to = (tokens: readonly string[]) => turn.press({ ids, tokens });
  return compact([
    tokens.length > 0 && { label: words.say("common.previous"), press: to(tokens.slice(0, -1)) },
    next !== undefined && { label: words.say("common.next"), press: to([...tokens, next]) },
  ]);
}

function playlistsAt(ctx: Ctx, pageToken: string | undefined) {
  const wanted = {
    part: ["snippet", "contentDetails", "status"],
    mine: true,
    maxResults: playlistsShown,
    ...(pageToken === undefined ? {} : { pageToken }),
  } as const;
  return ctx.own.call("playlists.list", wanted, { signal: ctx.signal });
}

function optionOf({ id = "", ...playlist }: Playlist, words: Words): SelectOption {
  const { snippet, contentDetails, status } = playlist;
  const facts = [
    words.say("common.videos", { count: contentDetails?.itemCount ?? 0 }),
    named(words, "privacyStatus", status?.privacyStatus),
  ];
  return {
    label: snippet?.title || words.say("common.untitled"),
    value: id,
    description: facts.filter(Boolean).join(" · "),
  };
}

function specialOption(list: (typeof specials)[number], words: Words): SelectOption {
  return {
    label: specialName(list, words),
    value: ownersLists[list],
    description: words.say("playlists.special.about"),
  };
}

/** Says that the new playlist exists even where adding the videos failed. */
async function fill(ctx: Ctx, playlist: Playlist, ids: readonly string[]): Promise<Reply> {
  const { id = "", snippet } = playlist;
  const adding = { playlistId: id, videos: ids };
  try {
    return await addUnasked(ctx, adding);
  } catch (error) {
    if (!(error instanceof BotError)) throw error;
    const { words } = ctx;
    return notice({
      tone: "warning",
      title: words.say("playlists.new.empty", { playlist: snippet?.title ?? "" }),
      text: join([inShort(error, words), adviceOf(error, words)]),
      buttons: [
        { label: words.say("playlists.new.again"), press: addNow.press(adding) },
        { label: words.say("cards.details"), press: presses.playlist.details(id) },
      ],
    });
  }
}
