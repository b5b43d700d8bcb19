import { gone, type Reply } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import { addChannelSection, updateResource } from "../../video/index.ts";
import { type BeforeAndAfter, changedFields } from "../cards/index.ts";
import { showSections } from "../channels/index.ts";
import type { Ctx, CtxFor } from "../context/index.ts";
import { option } from "../declarations/index.ts";
import { givenFields } from "../options/index.ts";
import { channels, ownPlaylists, sections } from "../suggestions/index.ts";
import {
  type NamedSection,
  readSection,
  readSectionChannelIds,
  readSectionNames,
  requirePublicPlaylists,
  sectionCard,
  sectionSettings,
} from "./named-section.ts";

/** A section as it would be after the call. */
interface SectionPlan {
  readonly type: string;
  readonly title?: string | undefined;
  readonly playlists?: readonly string[] | undefined;
  /** Only the number of channels matters here. */
  readonly channels?: readonly unknown[] | undefined;
}

/** What a kind of section shows; undefined if YouTube chooses that itself. */
function contentFor(type: string): "playlists" | "channels" | undefined {
  if (type === "singlePlaylist" || type === "multiplePlaylists") return "playlists";
  return type === "multipleChannels" ? "channels" : undefined;
}

/** Kinds that YouTube manages itself. */
const fixed: ReadonlySet<string> = new Set(["postedVideos", "postedPlaylists"]);

/**
 * Refuses what YouTube would refuse, before it costs anything. @throws InputError with YouTube's own reasons
 * as codes
 */
function checkSection(plan: SectionPlan): void {
  const code = findSectionError(plan);
  if (code === undefined) return;
  throw new InputError(`section ${plan.type}: ${code}`, { code });
}

function findSectionError(plan: SectionPlan) {
  const { type, title, playlists = [], channels = [] } = plan;
  const content = contentFor(type);
  if (fixed.has(type)) return "not_editable";
  if (content !== "playlists" && playlists.length > 0) return "playlists_not_expected";
  if (content !== "channels" && channels.length > 0) return "channels_not_expected";
  if (content === "playlists" && playlists.length === 0) return "playlists_needed";
  if (content === "channels" && channels.length === 0) return "channels_needed";
  if (type === "singlePlaylist" && playlists.length > 1) return "one_playlist_needed";
  return type.startsWith("multiple") && !title ? "title_required" : undefined;
}

const sectionOptions = {
  title: option.field("channelSections.insert", "snippet.title"),
  /** From 1. */
  position: option.integer({ min: 1, max: 10, covers: "snippet.position" }),
  playlists: option.playlists({ covers: "contentDetails.playlists", suggest: ownPlaylists }),
  channels: option.channels({ covers: "contentDetails.channels", suggest: channels }),
};

export const addSectionOptions = {
  type: option.field("channelSections.insert", "snippet.type", {
    required: true,
    group: "sectionType",
  }),
  ...sectionOptions,
};

/** What is absent stays as it is. */
export const changeSectionOptions = {
  section: option.id({ of: "section", covers: "id", required: true, suggest: sections }),
  type: option.field("channelSections.update", "snippet.type", { group: "sectionType" }),
  ...sectionOptions,
};

/** @throws InputError as `checkSection`, before any call; what YouTube refuses */
export async function addSection(ctx: CtxFor<typeof addSectionOptions>): Promise<Reply> {
  const { type, title, position, playlists, channels } = ctx.options;
  checkSection({ type, title, playlists, channels });
  const [ids] = await Promise.all([
    readSectionChannelIds(ctx, channels),
    requirePublicPlaylists(ctx, playlists),
  ]);
  const contentDetails = givenFields({ playlists, channels: ids });
  // People count from 1, YouTube from 0.
  const plan = {
    snippet: { type, ...givenFields({ title, position: position && position - 1 }) },
    ...(contentDetails && { contentDetails }),
  };
  const { own, signal, words } = ctx;
  const { section, isVisible } = await addChannelSection(own, plan, { signal });
  const [found] = await readSectionNames([section], ctx);
  const headline = words.say("channels.add_section.done");
  const drawn = sectionCard(found ?? { section, names: new Map() }, headline, words);
  const id = section.snippet?.channelId ?? ctx.channelId;
  if (isVisible || id === undefined) return drawn;
  return {
    ...drawn,
    footer: words.say("channels.add_section.hidden"),
    buttons: [{ label: words.say("channels.add_section.show"), press: showSections.press({ id }) }],
  };
}

/** @throws InputError as `checkSection`, before the write; what YouTube refuses */
export async function changeSection(ctx: CtxFor<typeof changeSectionOptions>): Promise<Reply> {
  const { section: id, type, title, position, playlists, channels } = ctx.options;
  const before = await readSection(ctx, id);
  if (before === undefined) return gone("section", ctx.words);
  const kind = type ?? before.snippet?.type ?? "";
  const content = contentFor(kind);
  const contents = before.contentDetails ?? {};
  checkSection({
    type: kind,
    title: title ?? before.snippet?.title,
    playlists: playlists ?? (content === "playlists" ? contents.playlists : undefined),
    channels: channels ?? (content === "channels" ? contents.channels : undefined),
  });
  const [ids] = await Promise.all([
    readSectionChannelIds(ctx, channels),
    requirePublicPlaylists(ctx, playlists),
  ]);
  const snippet = givenFields({ type, title, position: position && position - 1 });
  // What the old kind showed is removed if the new kind shows something else.
  const contentDetails = givenFields({
    playlists: content !== "playlists" && contents.playlists?.length ? null : playlists,
    channels: content !== "channels" && contents.channels?.length ? null : ids,
  });
  const change = { id, ...(snippet && { snippet }), ...(contentDetails && { contentDetails }) };
  const { own, signal } = ctx;
  const around = await updateResource(own, "channelSections.update", change, { signal });
  if (around.after === around.before) return drawChange(ctx, { before, after: before });
  // A part that was written and is missing from the answer is empty now. The other parts did not change.
  const written = {
    ...(snippet && { snippet: {} }),
    ...(contentDetails && { contentDetails: {} }),
  };
  const after = { ...before, ...written, ...around.after };
  return drawChange(ctx, { before, after });
}

/** Reads the titles of both states at once. */
async function drawChange(
  ctx: Ctx,
  { before, after }: BeforeAndAfter<NamedSection["section"]>,
): Promise<Reply> {
  const { words } = ctx;
  const [was, is] = await readSectionNames([before, after], ctx);
  if (was === undefined || is === undefined) return gone("section", words);
  const around = { before: was, after: is };
  const isSame = after === before;
  const title = words.say(isSame ? "videos.edit.nothing" : "channels.edit_section.done");
  return {
    ...sectionCard(is, title, words),
    ...(isSame && { text: words.say("common.same") }),
    fields: changedFields(words, sectionSettings(words), around),
  };
}
