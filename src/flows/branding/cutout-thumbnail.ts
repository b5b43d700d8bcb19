import {
  type Attachment,
  action,
  ask,
  type Ctx,
  colors,
  cut,
  type Files,
  files,
  form,
  gone,
  join,
  named,
  option,
  type Reply,
  reaches,
  type Select,
  videoOf,
} from "../../discord/index.ts";
import type { Method } from "../../video/index.ts";
import { fileOf, fittedLines, pictureGone, placePicture } from "./picture.ts";
import { ownVideo, thumbnail } from "./thumbnail.ts";

interface Chosen {
  readonly color: string;
}

const uses: readonly Method[] = ["channels.list", "playlistItems.list", "videos.list"];
const row = "thumbnails.set";

/** Where a thumbnail made of a cut-out begins: which video, on which colour. */
const begin = action<null>({
  name: "background.thumbnail",
  answer: "private",
  by: "anyone",
  row,
  uses,
  run: async (ctx, _, { values }) => {
    const at = Number(values[0] ?? 0);
    return chooser(ctx, ctx.attachments[at], { color: colors.white });
  },
});

const recolor = action<Chosen>({
  name: "background.thumbnail-color",
  answer: "update",
  by: "requester",
  row,
  uses,
  run: (ctx, before, { values }) =>
    chooser(ctx, ctx.attachments[0], { color: values[0] ?? before.color }),
});

const pick = action<Chosen>({
  name: "background.thumbnail-for",
  answer: "private",
  by: "requester",
  row,
  uses,
  run: (ctx, { color }, { values }) => askFor(ctx, values[0] ?? "", color),
});

const linked = action<Chosen>({
  name: "background.thumbnail-linked",
  answer: "private",
  by: "requester",
  row,
  uses,
  run: (ctx, { color }, { fields }) => {
    const id = option.video({ required: true }).parse(fields.video ?? "", "video");
    return askFor(ctx, id, color);
  },
});

const openLink = action<Chosen>({
  name: "background.thumbnail-link",
  answer: "form",
  by: "requester",
  row,
  form: ({ words }, chosen) =>
    form({
      title: words.say("background.thumbnail.form"),
      fields: [{ name: "video", label: words.say("background.thumbnail.link"), maxLength: 200 }],
      submit: linked.press(chosen),
    }),
});

/** Carries the cut-out itself, so that a video and a colour can be chosen whenever. */
async function chooser(
  ctx: Ctx<unknown>,
  picture: Attachment | undefined,
  chosen: Chosen,
): Promise<Reply> {
  if (picture === undefined) throw pictureGone();
  const { words } = ctx;
  const [data, videos] = await Promise.all([ctx.fetchAttachment(picture), newestVideos(ctx)]);
  const select: readonly Select[] =
    videos.length === 0
      ? []
      : [
          {
            placeholder: words.say("background.thumbnail.which"),
            options: videos,
            press: pick.press(chosen),
          },
        ];
  return files({
    title: words.say("background.thumbnail.title"),
    text: words.say("background.thumbnail.text"),
    files: [{ name: picture.filename, data }],
    selects: [
      ...select,
      {
        placeholder: words.say("background.thumbnail.color"),
        options: Object.entries(colors).map(([name, value]) => ({
          label: named(words, "color", name) ?? name,
          value,
          isDefault: value === chosen.color,
        })),
        press: recolor.press(chosen),
      },
    ],
    buttons: [{ label: words.say("background.thumbnail.other"), press: openLink.press(chosen) }],
  });
}

/** The newest 25 of the linked channel. */
async function newestVideos({ own, signal, words }: Ctx<unknown>) {
  const wanted = { part: ["contentDetails"], mine: true } as const;
  const { items } = await own.call("channels.list", wanted, { signal });
  const playlistId = items[0]?.contentDetails?.relatedPlaylists?.uploads;
  if (playlistId === undefined) return [];
  const part = ["snippet", "contentDetails", "status"] as const;
  const found = await own.call(
    "playlistItems.list",
    { part, playlistId, maxResults: 25 },
    { signal },
  );
  return found.items.flatMap(({ snippet, contentDetails, status }) => {
    const value = contentDetails?.videoId ?? snippet?.resourceId?.videoId;
    if (value === undefined || videoOf(value) === undefined) return [];
    const privacy = named(words, "privacyStatus", status?.privacyStatus);
    const label = snippet?.title || value;
    return [{ label, value, ...(privacy === undefined ? {} : { description: privacy }) }];
  });
}

/** Lays the cut-out onto the colour and asks before it is set. */
async function askFor(ctx: Ctx<unknown>, id: string, background: string): Promise<Reply> {
  const { words } = ctx;
  const [picture] = ctx.attachments;
  if (picture === undefined) throw pictureGone();
  const wishes = { shape: "magnify", format: "jpeg", background } as const;
  const placed = await placePicture(ctx, picture, "thumbnail", wishes);
  const video = await ownVideo(ctx, id);
  if (video === undefined) return gone("video", words);
  const title = video.snippet?.title ?? id;
  return ask({
    title: words.say("background.thumbnail.ask", { title: cut(title, 120) }),
    text: join(
      [
        ...fittedLines(placed, "thumbnail", words),
        words.say("branding.thumbnail.replaces"),
        await ctx.price(row),
      ],
      "\n",
    ),
    preview: fileOf(
      placed.fitted,
      "thumbnail",
      words.say("branding.thumbnail.alt", { title: cut(title, 120) }),
    ),
    confirm: {
      label: words.say("branding.thumbnail.confirm"),
      style: "success",
      press: thumbnail.confirm(id, title),
    },
  });
}

/** Results with a way on to a thumbnail, for those who may set one. */
function offer(ctx: Ctx<unknown>, results: Files): Files {
  if (!reaches(ctx.rank, "manager") || !ctx.has("channel")) return results;
  const { words } = ctx;
  const label = words.say("background.thumbnail.use");
  const press = begin.press(null);
  if (results.files.length === 1) return { ...results, buttons: [{ label, press }] };
  const options = results.files.map(({ name }, at) => ({ label: name, value: `${at}` }));
  return { ...results, selects: [{ placeholder: label, options, press }] };
}

export const thumbnailOfCutout = {
  offer,
  actions: [begin, recolor, pick, linked, openLink],
} as const;
