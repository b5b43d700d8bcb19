import { ownChannel } from "../access.ts";
import { objectAt, textAt } from "../body.ts";
import type { Call, Handler } from "../call.ts";
import { badBody, forbidden } from "../refusal.ts";
import { readPicture } from "./thumbnails.ts";

/** The stand-in's own: the service names the reasons and not the limits. */
const maxSide = 2_048;

export const watermarks = {
  "watermarks.set": (call) => {
    const { media, body, world } = call;
    const channelId = checkChannel(call);
    if (media === undefined) throw badBody("watermark", "mediaBodyRequired");
    const read = readPicture(media);
    if (read === undefined) throw badBody("watermark", "imageFormatUnsupported");
    if (read.height > maxSide) throw badBody("watermark", "imageTooTall");
    if (read.width > maxSide) throw badBody("watermark", "imageTooWide");
    world.watermarks.set(channelId, {
      picture: read.picture,
      timing: objectAt(body, "timing") ?? {},
      targetChannelId: textAt(body, "targetChannelId"),
    });
    return undefined;
  },
  "watermarks.unset": (call) => {
    call.world.watermarks.delete(checkChannel(call));
    return undefined;
  },
} as const satisfies Record<string, Handler>;

function checkChannel(call: Call): string {
  const { id } = ownChannel(call);
  if (call.query.text("channelId") !== id) throw forbidden("watermark");
  return id;
}
