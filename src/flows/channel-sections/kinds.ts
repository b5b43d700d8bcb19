import type { FieldType } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";

export type SectionType = FieldType<"channelSections.insert", "snippet.type">;

/** A section as somebody wants it. */
export interface SectionPlan {
  readonly type: string;
  readonly title?: string | undefined;
  readonly playlists?: readonly string[] | undefined;
  /** Their number matters here, not which. */
  readonly channels?: readonly unknown[] | undefined;
}

/** What a kind of section shows beside what the service finds by itself. */
export function contentOf(type: string): "playlists" | "channels" | undefined {
  if (type === "singlePlaylist" || type === "multiplePlaylists") return "playlists";
  return type === "multipleChannels" ? "channels" : undefined;
}

/** Kept by the service itself. */
const fixed: ReadonlySet<string> = new Set(["postedVideos", "postedPlaylists"]);

const hints = {
  not_editable: "The service keeps this kind of section itself. Choose another one.",
  title_required: "A section of several playlists or channels needs a title. Give it one.",
  playlists_needed: "This kind of section shows playlists. Name them.",
  channels_needed: "This kind of section shows channels. Name them.",
  one_playlist_needed: "This kind of section shows one playlist. Name exactly one.",
  playlists_not_expected: "This kind of section shows no playlists. Leave them out.",
  channels_not_expected: "This kind of section shows no channels. Leave them out.",
} as const;

/** Refuses what the service would refuse, before it costs. @throws InputError with the service's own reasons as codes */
export function checkSection(plan: SectionPlan): void {
  const code = faultOf(plan);
  if (code === undefined) return;
  throw new InputError(`section ${plan.type}: ${code}`, { code, hint: hints[code] });
}

function faultOf(plan: SectionPlan): keyof typeof hints | undefined {
  const { type, title, playlists = [], channels = [] } = plan;
  const content = contentOf(type);
  if (fixed.has(type)) return "not_editable";
  if (content !== "playlists" && playlists.length > 0) return "playlists_not_expected";
  if (content !== "channels" && channels.length > 0) return "channels_not_expected";
  if (content === "playlists" && playlists.length === 0) return "playlists_needed";
  if (content === "channels" && channels.length === 0) return "channels_needed";
  if (type === "singlePlaylist" && playlists.length > 1) return "one_playlist_needed";
  return type.startsWith("multiple") && !title ? "title_required" : undefined;
}
