import { dimensionsOf } from "../../dimensions.ts";
import { ownVideo } from "../access.ts";
import { etagOf } from "../answer.ts";
import type { Handler, UploadedMedia } from "../call.ts";
import { badBody } from "../refusal.ts";
import { videoThumbnails } from "../thumbnails/index.ts";
import type { Picture } from "../world/index.ts";

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

/** A picture with its size, as its first bytes tell. */
interface ReadPicture {
  readonly picture: Picture;
  readonly width: number;
  readonly height: number;
}

/** A JPEG or PNG, whatever its declared type; undefined for anything else. */
export function readPicture({ bytes, hash }: UploadedMedia): ReadPicture | undefined {
  if (bytes === undefined) return undefined;
  const read = dimensionsOf(bytes);
  if (read === undefined) return undefined;
  const { type, width, height } = read;
  if (type !== "image/png" && type !== "image/jpeg") return undefined;
  return { picture: { type, bytes, hash }, width, height };
}
