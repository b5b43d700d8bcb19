import type { ChannelSection } from "../resources/index.ts";
import type { CallOptions, Params, VideoClient } from "../types.ts";
import { refusal } from "./refusal.ts";

/** Sections that a channel has at most (specification, section 8). */
const maxChannelSections = 10;

type NewSection = Params<"channelSections.insert">["body"];

interface SectionAdded {
  readonly section: ChannelSection;
  /** Whether visitors see it: the channel's browse view has to be on (specification, section 4, rule 5). */
  readonly isVisible: boolean;
}

/**
 * Adds a section to the token's channel and says whether anybody will see it. Costs two reads and a write.
 * @throws InputError `max_channel_section_exceeded` before the write when the channel has all its sections; what `call`
 * throws.
 */
export async function addChannelSection(
  client: VideoClient,
  section: NewSection,
  options: CallOptions = {},
): Promise<SectionAdded> {
  const method = "channelSections.insert";
  const { items } = await client.call(
    "channelSections.list",
    { part: ["id"], mine: true },
    options,
  );
  if (items.length >= maxChannelSections) {
    const foreseen = { reason: "maxChannelSectionExceeded", status: 400, method } as const;
    throw refusal("the channel has all its sections", {
      ...foreseen,
      facts: { sections: items.length },
    });
  }
  const isVisible = await hasBrowseView(client, options);
  const part =
    section.contentDetails === undefined
      ? (["snippet"] as const)
      : (["snippet", "contentDetails"] as const);
  const added = await client.call(method, { part, body: section }, options);
  return { section: added, isVisible };
}

/** Asked before the write, so that a failure here leaves nothing half done. */
async function hasBrowseView(client: VideoClient, options: CallOptions): Promise<boolean> {
  const { items } = await client.call(
    "channels.list",
    { part: ["brandingSettings"], mine: true },
    options,
  );
  return items[0]?.brandingSettings?.channel?.showBrowseView === true;
}
