import { type Ctx, join, md, type Text } from "../../../discord/index.ts";
import type { Video } from "../../../video/index.ts";
import { readCategoryNames } from "../settings.ts";
import { type DetailsName, detailsPage } from "./pages.ts";

/** A page of details as lines below each of several videos: `Quality: HD`. */
export async function linesWith(
  ctx: Ctx<unknown>,
  name: DetailsName,
): Promise<(video: Video) => readonly Text[]> {
  const page = detailsPage(name);
  const categories = page.hasCategories ? await readCategoryNames(ctx) : new Map();
  const { words } = ctx;
  return (video) => {
    const { text, fields } = page.draw(video, { words, categories });
    const lines = fields.map(({ name, value }) => md`${name}: ${value}`);
    const said = [...lines, ...(text ? [text] : [])];
    return said.length === 0 ? [join([words.say("video-details.empty")], "")] : said;
  };
}
