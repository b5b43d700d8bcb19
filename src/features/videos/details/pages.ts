import { join, md, type Text } from "../../../discord/index.ts";
import type { MethodParams, Video } from "../../../video/index.ts";
import { settingFields, translationLanguages, valueName } from "../../cards/index.ts";
import type { Ctx } from "../../context/index.ts";
import { describeVideoSettings, readCategoryNames, videoSettingsParts } from "../settings.ts";
import type { DetailsContext, DrawDetails, DrawnDetails } from "./details-page.ts";
import { drawFile, drawProcessing, drawSuggestions } from "./owners-pages.ts";
import {
  drawContents,
  drawLive,
  drawLocalizations,
  drawNumbers,
  drawPictures,
  drawPlayer,
  drawPromotion,
  drawRecording,
  drawTexts,
  drawTopics,
} from "./public-pages.ts";

type VideoPart = NonNullable<MethodParams<"videos.list">["part"]>[number];

/** A kind of page: the parts that it needs, and how it is drawn. */
export interface DetailsPage {
  readonly parts: readonly VideoPart[];
  /** Only the video's owner can see it. */
  readonly isOwners?: true;
  /** It shows the name of the category, which has to be read. */
  readonly hasCategories?: true;
  readonly draw: DrawDetails;
}

/** Every part of a video is on one of these pages. */
export const detailsPages = {
  texts: { parts: ["snippet"], hasCategories: true, draw: drawTexts },
  settings: { parts: videoSettingsParts, hasCategories: true, draw: drawSettings },
  content: { parts: ["contentDetails"], draw: drawContents },
  numbers: { parts: ["statistics"], draw: drawNumbers },
  live: { parts: ["liveStreamingDetails"], draw: drawLive },
  player: { parts: ["player"], draw: drawPlayer },
  topics: { parts: ["topicDetails"], draw: drawTopics },
  recording: { parts: ["recordingDetails"], draw: drawRecording },
  localizations: { parts: ["localizations"], draw: drawLocalizations },
  promotion: { parts: ["paidProductPlacementDetails", "brandPartner"], draw: drawPromotion },
  pictures: { parts: ["snippet"], draw: drawPictures },
  file: { parts: ["fileDetails"], isOwners: true, draw: drawFile },
  processing: { parts: ["processingDetails"], isOwners: true, draw: drawProcessing },
  suggestions: {
    parts: ["suggestions"],
    isOwners: true,
    hasCategories: true,
    draw: drawSuggestions,
  },
} as const satisfies Readonly<Record<string, DetailsPage>>;

export type DetailsPageName = keyof typeof detailsPages;

export const detailsPageNames = Object.keys(detailsPages) as readonly DetailsPageName[];

export function findDetailsPage(name: DetailsPageName): DetailsPage {
  return detailsPages[name];
}

/** The settings, and what happened to the upload. */
function drawSettings(video: Video, { words, categories }: DetailsContext): DrawnDetails {
  const upload = [
    [
      "cards.upload_status",
      ({ status }: Video) => valueName(words, "uploadStatus", status?.uploadStatus),
    ],
    [
      "video-details.localizations",
      ({ localizations: all }: Video) => translationLanguages(words, all),
    ],
    [
      "video-details.failure",
      ({ status }: Video) =>
        [status?.failureReason, status?.rejectionReason]
          .filter((reason) => reason !== undefined)
          .map((reason) => valueName(words, "uploadFailure", reason))
          .join("\n"),
    ],
  ] as const;
  // The description is on the page of texts, where there is room for all of it.
  const shown = { ...video, snippet: { ...video.snippet, description: "" } };
  return {
    fields: settingFields(words, [...describeVideoSettings(words, categories), ...upload], shown),
  };
}

/** Draws a page of details as lines below each video of a list: `Quality: HD`. */
export async function drawDetailsAsLines(
  ctx: Ctx,
  name: DetailsPageName,
): Promise<(video: Video) => readonly Text[]> {
  const page = findDetailsPage(name);
  const categories = page.hasCategories ? await readCategoryNames(ctx) : new Map();
  const { words } = ctx;
  return (video) => {
    const { text, fields } = page.draw(video, { words, categories });
    const lines = fields.map(({ name, value }) => md`${name}: ${value}`);
    const paragraphs = [...lines, ...(text ? [text] : [])];
    return paragraphs.length === 0 ? [join([words.say("video-details.empty")], "")] : paragraphs;
  };
}
