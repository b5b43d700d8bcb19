import {
  type Attachment,
  action,
  type Ctx,
  card,
  cut,
  type Extra,
  form,
  gone,
  join,
  link,
  noExtra,
  pages,
  type Reply,
  withExtra,
} from "../../discord/index.ts";
import { AccessError } from "../../errors.ts";
import type { Method, Video } from "../../video/index.ts";
import { fittedLines, mediaOf, pictureGone, placePicture, shownPicture } from "./picture.ts";

interface OfVideo {
  readonly id: string;
}

interface Setting extends OfVideo {
  readonly title: string;
  readonly extra: Extra;
}

const uses: readonly Method[] = ["videos.list"];

const fromForm = action<OfVideo>({
  name: "branding.thumbnail-from-form",
  answer: "private",
  by: "requester",
  row: "thumbnails.set",
  uses,
  run: (ctx, { id }, { files }) => {
    const [picture] = files.picture ?? [];
    if (picture === undefined) throw pictureGone();
    return setFrom(ctx, id, picture);
  },
});

const openForm = action<OfVideo>({
  name: "branding.thumbnail-form",
  answer: "form",
  by: "anyone",
  row: "thumbnails.set",
  form: ({ words }, { id }) =>
    form({
      title: words.say("branding.thumbnail.form"),
      fields: [
        {
          kind: "files",
          name: "picture",
          label: words.say("branding.thumbnail.picture"),
          description: words.say("branding.thumbnail.wanted"),
        },
      ],
      submit: fromForm.press({ id }),
    }),
});

/** Sets the picture that a question showed. */
const setShown = action<Setting>({
  name: "branding.set-thumbnail",
  answer: "update",
  by: "requester",
  isOnce: true,
  row: "thumbnails.set",
  run: async (ctx, setting) => set(ctx, setting, await shownPicture(ctx)),
});

/** Fits the picture and sets it. @throws InputError as `Images.fit`; AccessError `not_own_video` */
async function setFrom(ctx: Ctx<unknown>, id: string, picture: Attachment): Promise<Reply> {
  const placed = await placePicture(ctx, picture, "thumbnail");
  const video = await ownVideo(ctx, id);
  if (video === undefined) return gone("video", ctx.words);
  const title = video.snippet?.title ?? id;
  const lines = fittedLines(placed, "thumbnail", ctx.words);
  return set(ctx, { id, title, extra: ctx.extra }, mediaOf(placed.fitted), lines);
}

async function set(
  ctx: Ctx<unknown>,
  { id, title, extra }: Setting,
  media: ReturnType<typeof mediaOf>,
  lines: readonly string[] = [],
): Promise<Reply> {
  const { words, signal } = ctx;
  const given = withExtra({ videoId: id, media }, extra);
  await ctx.own.call("thumbnails.set", given, { signal });
  return card({
    title: words.say("branding.thumbnail.done"),
    url: pages.video(id),
    text: join([link(cut(title, 100), pages.video(id)), ...lines], "\n"),
    // The picture itself: the service's address stays the same, and what it showed before is still kept everywhere.
    preview: {
      name: media.type === "image/png" ? "thumbnail.png" : "thumbnail.jpg",
      data: media.data,
      alt: words.say("common.thumbnail_of", { title: cut(title, 100) }),
    },
    buttons: [{ label: words.say("common.open"), url: pages.video(id) }],
  });
}

/** One unit tells whose video it is, where the refusal would cost fifty. @throws AccessError `not_own_video` */
export async function ownVideo(ctx: Ctx<unknown>, id: string): Promise<Video | undefined> {
  const wanted = { part: ["snippet"], id: [id] } as const;
  const { items } = await ctx.own.call("videos.list", wanted, { signal: ctx.signal });
  const [video] = items ?? [];
  const owner = video?.snippet?.channelId;
  if (owner === undefined || ctx.channelId === undefined || owner === ctx.channelId) return video;
  throw new AccessError("the video belongs to another channel", {
    code: "not_own_video",
    hint: "That video belongs to another channel. Choose one of the linked channel.",
  });
}

export const thumbnail = {
  setFrom,
  /** Of a question that shows the picture. */
  confirm: (id: string, title: string) => setShown.press({ id, title, extra: noExtra }),
  actions: [openForm, fromForm, setShown],
} as const;
