import { ownVideo } from "../access.ts";
import { etagOf } from "../answer.ts";
import type { Handler } from "../call.ts";
import { readPicture } from "../pictures.ts";
import { badBody } from "../refusal.ts";
import { videoThumbnails } from "../thumbnails/index.ts";

const kind = "youtube#thumbnailSetResponse";

export const thumbnails = {
  "thumbnails.set": (call) => {
    const { media, query, origin } = call;
    const video = ownVideo(call, query.text("videoId") ?? "", "videoId");
    if (media === undefined) throw badBody("thumbnail", "mediaBodyRequired");
    const read = readPicture(media);
    if (read === undefined) throw badBody("thumbnail", "invalidImage");
    video.thumbnail = read.picture;
    const content = { kind, items: [videoThumbnails(origin, video)] };
    return { kind, etag: etagOf(content), items: content.items };
  },
} as const satisfies Record<string, Handler>;
