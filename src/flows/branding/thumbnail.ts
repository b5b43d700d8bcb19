import {
  type Attachment,
  action,
  ask,
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
import {
  isShortVideo,
  type Method,
  playerBounds,
  shortVideoParts,
  type Video,
} from "../../video/index.ts";
import { plainAttachment } from "../plain-attachment.ts";
import {
  fileOf,
  fittedLines,
  type mediaOf,
  type PlacedPicture,
  pictureGone,
  placePicture,
  shownPicture,
} from "./picture.ts";
import { frameSelect, framesFor, isFrame, type ThumbnailProposal } from "./thumbnail-frames.ts";

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
    return askFor(ctx, id, picture);
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

/** Fits the picture anew for the frame that was chosen. */
const reframe = action<ThumbnailProposal>({
  name: "branding.frame-thumbnail",
  answer: "update",
  by: "requester",
  row: "thumbnails.set",
  run: (ctx, proposal, { values: [value] }) =>
    question(ctx, { ...proposal, frame: isFrame(value) ? value : proposal.frame }),
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

/**
 * Shows the thumbnail as it will be, with the other ways it can lie in its frame, and asks before it is set. What can't
 * be a thumbnail is refused before a unit is spent.
 * @throws InputError as `Images.fit`; AccessError `not_own_video`
 */
async function askFor(ctx: Ctx<unknown>, id: string, picture: Attachment): Promise<Reply> {
  const placed = await placePicture(ctx, picture, "thumbnail");
  const video = await ownVideo(ctx, id);
  if (video === undefined) return gone("video", ctx.words);
  const frames = framesFor(placed, { isShort: isShortVideo(video) });
  const title = cut(video.snippet?.title ?? id, 120);
  const [frame] = frames;
  const setting = { id, title, extra: ctx.extra };
  const proposal = { ...setting, picture: plainAttachment(picture), frame, frames };
  return question(ctx, proposal, frame === "thumbnail" ? placed : undefined);
}

async function question(
  ctx: Ctx<unknown>,
  proposal: ThumbnailProposal,
  ready?: PlacedPicture,
): Promise<Reply> {
  const { words } = ctx;
  const { id, title, extra, frame, picture } = proposal;
  const placed = ready ?? (await placePicture(ctx, picture, frame));
  const price = await ctx.price(["thumbnails.set"]);
  const lines = fittedLines(placed, frame, words);
  return ask({
    title: words.say("thumbnails.video.ask", { title }),
    text: join([...lines, words.say("branding.thumbnail.replaces"), price], "\n"),
    preview: fileOf(placed.fitted, "thumbnail", words.say("branding.thumbnail.alt", { title })),
    selects: frameSelect(proposal, words, reframe.press),
    confirm: {
      label: words.say("branding.thumbnail.confirm"),
      style: "success",
      press: setShown.press({ id, title, extra }),
    },
  });
}

async function set(
  ctx: Ctx<unknown>,
  { id, title, extra }: Setting,
  media: ReturnType<typeof mediaOf>,
): Promise<Reply> {
  const { words, signal } = ctx;
  const given = withExtra({ videoId: id, media }, extra);
  await ctx.own.call("thumbnails.set", given, { signal });
  return card({
    title: words.say("branding.thumbnail.done"),
    url: pages.video(id),
    text: link(cut(title, 100), pages.video(id)),
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
  const wanted = { part: ["snippet", ...shortVideoParts], id: [id], ...playerBounds } as const;
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
  askFor,
  /** Of a question that shows the picture. */
  confirm: (id: string, title: string) => setShown.press({ id, title, extra: noExtra }),
  actions: [openForm, fromForm, reframe, setShown],
} as const;
