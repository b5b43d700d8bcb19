import {
  type Ctx,
  join,
  md,
  named,
  settingFields,
  type Text,
  translatedInto,
  type Words,
} from "../../../discord/index.ts";
import type { Params, Video } from "../../../video/index.ts";
import { describeVideoSettings, readCategoryNames, videoSettingsParts } from "../settings.ts";
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
} from "./contents.ts";
import type { DetailsFor, DrawDetails, DrawnDetails } from "./drawn.ts";
import { drawFile, drawProcessing, drawSuggestions } from "./owned.ts";

type Part = NonNullable<Params<"videos.list">["part"]>[number];

/** One page of details: the parts that it is made of, and how it is drawn. */
export interface DetailsPage {
  readonly parts: readonly Part[];
  /** Told to the video's owner alone. */
  readonly isOwners?: true;
  /** Shows a category by its name. */
  readonly hasCategories?: true;
  readonly draw: DrawDetails;
}

/** Every part of a video stands on one of these pages. */
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

export type DetailsName = keyof typeof detailsPages;

export const detailsNames = Object.keys(detailsPages) as readonly DetailsName[];

export function detailsPage(name: DetailsName): DetailsPage {
  return detailsPages[name];
}

/** What can be set, and what became of the upload. */
function drawSettings(video: Video, { words, categories }: DetailsFor): DrawnDetails {
  const upload = [
    [
      "cards.upload_status",
      ({ status }: Video) => named(words, "uploadStatus", status?.uploadStatus),
    ],
    ["video-details.localizations", ({ localizations: all }: Video) => translatedInto(words, all)],
    ["video-details.failure", (video: Video) => whyNot(video, words)],
  ] as const;
  // The description is on the page of texts, where there is room for all of it.
  const shown = { ...video, snippet: { ...video.snippet, description: "" } };
  return {
    fields: settingFields(words, [...describeVideoSettings(words, categories), ...upload], shown),
  };
}

function whyNot({ status }: Video, words: Words): string | undefined {
  const why = [status?.failureReason, status?.rejectionReason].filter(
    (reason) => reason !== undefined,
  );
  return why.map((reason) => named(words, "uploadFailure", reason)).join("\n");
}

/** A page of details as lines below each of several videos: `Quality: HD`. */
export async function linesWith(
  ctx: Ctx,
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
