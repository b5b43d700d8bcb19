import { isVisible } from "../access.ts";
import { toList } from "../answer.ts";
import type { Call, Handler } from "../call.ts";
import { tokenNeeded } from "../credentials.ts";
import { readLanguage, readRegion } from "../locale.ts";
import { paginate } from "../paginate.ts";
import { badParameter, Refusal } from "../refusal.ts";
import { categories, type Video } from "../world/index.ts";
import { kind, ownerParts, toVideo } from "./video-parts.ts";

export const videos = {
  "videos.list": (call) => {
    readLanguage(call);
    const found = find(call);
    checkOwnerParts(found, call);
    const resource = (video: Video): object => toVideo(call, video);
    if (call.query.has("id")) {
      const pageInfo = { totalResults: found.length, resultsPerPage: found.length };
      return toList(`${kind}ListResponse`, found.map(resource), { pageInfo });
    }
    const { things, envelope } = paginate(call, found, {
      belongsTo: `videos ${call.query.chosenBy}`,
      idOf: ({ id }) => id,
    });
    return toList(`${kind}ListResponse`, things.map(resource), envelope);
  },
} as const satisfies Record<string, Handler>;

function find(call: Call): Video[] {
  const { query, world, viewer } = call;
  if (query.has("id")) {
    return query
      .list("id")
      .map((id) => world.videos.get(id))
      .filter((video) => video !== undefined)
      .filter((video) => isVisible(video, call));
  }
  if (query.has("chart")) return mostPopular(call);
  if (viewer === undefined) throw tokenNeeded();
  const rated = query.text("myRating") === "like" ? world.likes : world.dislikes;
  return (rated.get(viewer) ?? [])
    .map((id) => world.videos.get(id))
    .filter((video) => video !== undefined)
    .filter((video) => isVisible(video, call));
}

/** What is watched most for its age, as far as it can be watched in the region. */
function mostPopular(call: Call): Video[] {
  const { query, world, now } = call;
  const region = readRegion(call) ?? "US";
  const category = query.text("videoCategoryId") ?? "0";
  if (category !== "0" && !categories.some(({ id }) => id === category)) {
    throw badParameter("videoCategoryId", "The chart is not available.", "videoChartNotFound");
  }
  const heat = ({ views, publishedAt }: Video): number => views / (now - publishedAt + 86_400_000);
  return [...world.videos.values()]
    .filter(
      ({ privacy, live, audience }) =>
        privacy === "public" && live !== "upcoming" && audience !== "mature",
    )
    .filter(({ categoryId }) => category === "0" || categoryId === category)
    .filter(({ blockedIn }) => !blockedIn.includes(region))
    .sort((one, other) => heat(other) - heat(one));
}

function checkOwnerParts(found: readonly Video[], { query, viewer }: Call): void {
  const asks = query.list("part").some((part) => ownerParts.includes(part));
  if (!asks || (viewer !== undefined && found.every(({ channelId }) => channelId === viewer)))
    return;
  throw new Refusal(403, {
    reason: "forbidden",
    message: "The request cannot access owner-only parts of this video.",
    domain: "youtube.video",
    place: { location: "part", locationType: "parameter" },
  });
}
