import { actionFor, browse, type Ctx, presses, type Reply, reaches } from "../../discord/index.ts";
import { captionsItem } from "./draw.ts";
import { videoWithCaptions } from "./find.ts";

interface OfVideo {
  readonly id: string;
  readonly title?: string | undefined;
}

const ofVideo = browse<"captions.list", OfVideo>({
  name: "captions.list",
  row: "captions.list",
  params: ({ id }) => ({ part: ["snippet"], videoId: id }),
  title: ({ title = "" }, words) => words.say("captions.list.title", { title }),
  item: (one, { words, ctx }) =>
    captionsItem(one, { words, isManager: reaches(ctx.rank, "manager") }),
  empty: (words) => words.say("captions.list.empty"),
  columns: {
    id: ({ id }) => id,
    language: ({ snippet }) => snippet?.language,
    name: ({ snippet }) => snippet?.name,
    kind: ({ snippet }) => snippet?.trackKind,
    draft: ({ snippet }) => snippet?.isDraft,
    status: ({ snippet }) => snippet?.status,
    failure: ({ snippet }) => snippet?.failureReason,
    updated: ({ snippet }) => snippet?.lastUpdated,
  },
});

const listOf = actionFor(presses.video.captions, {
  answer: "private",
  by: "anyone",
  row: "captions.list",
  uses: ["videos.list"],
  run: async (ctx, { id, title }) =>
    title === undefined ? openList(ctx, id) : ofVideo.open(ctx, { id, title }),
});

/** @throws as `videoWithCaptions` */
export async function openList(ctx: Ctx, videoId: string): Promise<Reply> {
  const { id = videoId, snippet } = await videoWithCaptions(ctx, videoId);
  return ofVideo.open(ctx, { id, title: snippet?.title });
}

export const listActions = [...ofVideo.actions, listOf] as const;
