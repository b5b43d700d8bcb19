import type { ChannelSection } from "../resources/index.ts";
import type { MethodParams, VideoCallOptions, VideoClient } from "../types.ts";
import { foreseenError } from "./rule-errors.ts";

/** https://developers.google.com/youtube/v3/docs/channelSections/insert */
const maxChannelSections = 10;

type NewSection = MethodParams<"channelSections.insert">["body"];

interface AddedSection {
  readonly section: ChannelSection;
  /** Whether visitors see it: only while the channel's browse view is on. */
  readonly isVisible: boolean;
}

/**
 * Adds a section to the token's channel and says whether visitors will see it. Costs two reads and a write.
 * @throws InputError `max_channel_section_exceeded` before the write when the channel has no room for another section;
 * what `call` throws.
 */
export async function addChannelSection(
  client: VideoClient,
  section: NewSection,
  options: VideoCallOptions = {},
): Promise<AddedSection> {
  const method = "channelSections.insert";
  const { items } = await client.call(
    "channelSections.list",
    { part: ["id"], mine: true },
    options,
  );
  if (items.length >= maxChannelSections) {
    const refused = { reason: "maxChannelSectionExceeded", status: 400, method } as const;
    throw foreseenError("the channel has all its sections", {
      ...refused,
      facts: { sections: items.length },
    });
  }
  // Read before the write, so that a failure here leaves nothing half done.
  const read = { part: ["brandingSettings"], mine: true } as const;
  const [channel] = (await client.call("channels.list", read, options)).items;
  const part =
    section.contentDetails === undefined
      ? (["snippet"] as const)
      : (["snippet", "contentDetails"] as const);
  const added = await client.call(method, { part, body: section }, options);
  const isVisible = channel?.brandingSettings?.channel?.showBrowseView === true;
  return { section: added, isVisible };
}
