import { type Attachment, ask, card, join, type Reply } from "../../discord/index.ts";
import { setBanner, youtubePages } from "../../video/index.ts";
import type { Ctx } from "../context/index.ts";
import { action } from "../declarations/index.ts";
import {
  describeFitting,
  fitPictureToPlace,
  fittedFile,
  previewFile,
  readShownPicture,
} from "./picture.ts";

const calls = [["channelBanners.insert"], ["channels.list"], ["channels.update"]] as const;

const set = action<null>({
  name: "branding.set-banner",
  isOnce: true,
  method: "channelBanners.insert",
  uses: ["channels.list", "channels.update"],
  run: async (ctx) => {
    const { own, words, signal } = ctx;
    await ctx.afford(calls);
    const title = words.say("branding.banner.setting");
    ctx.progress({ title, done: 0 });
    const media = await readShownPicture(ctx);
    const onProgress = (sent: number, total: number) =>
      // The upload takes most of the time; the settings are read and written after it.
      ctx.progress({ title, done: (0.8 * sent) / Math.max(total, 1) });
    const { channel, url } = await setBanner(own, media, { signal, onProgress });
    const id = channel.id ?? ctx.channelId;
    const shown = channel.brandingSettings?.image?.bannerExternalUrl ?? url;
    return card({
      title: words.say("branding.banner.done"),
      text: words.say("branding.banner.soon"),
      ...(/^https?:/u.test(shown) ? { image: shown } : {}),
      ...(id === undefined
        ? {}
        : { buttons: [{ label: words.say("common.open"), url: youtubePages.channel(id) }] }),
    });
  },
});

/** Shows what the banner will look like and what is cut off, and asks before it is uploaded and set. */
async function askFor(ctx: Ctx, picture: Attachment): Promise<Reply> {
  const { words } = ctx;
  await ctx.afford(calls);
  const placed = await fitPictureToPlace(ctx, picture, "banner");
  const price = await ctx.price(...calls);
  return ask({
    title: words.say("branding.banner.title"),
    text: join([
      ...describeFitting(placed, "banner", words),
      words.say("branding.banner.replaces"),
      price,
    ]),
    preview: await previewFile(ctx, placed.fitted, {
      place: {
        kind: "banner",
        labels: [
          words.say("branding.banner.television"),
          words.say("branding.banner.computer"),
          words.say("branding.banner.phone"),
        ],
      },
      alt: words.say("branding.banner.screens"),
    }),
    carried: fittedFile(placed.fitted, "banner", words.say("branding.banner.alt")),
    confirm: {
      label: words.say("branding.banner.confirm"),
      style: "success",
      press: set.press(null),
    },
  });
}

export const channelBanner = { askFor, actions: [set] } as const;
