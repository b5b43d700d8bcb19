import type { Playlist } from "./types.ts";

/** An uploaded image. */
export interface Picture {
  readonly type: string;
  readonly bytes: Uint8Array;
  /** Hexadecimal SHA-256. */
  readonly hash: string;
}

export type CaptionFormat = "sbv" | "scc" | "srt" | "ttml" | "vtt";

export interface CaptionTrack {
  readonly id: string;
  readonly videoId: string;
  readonly language: string;
  readonly name: string;
  /** `ASR` is made by the service. */
  readonly trackKind: "standard" | "ASR" | "forced";
  isDraft: boolean;
  updatedAt: number;
  /** What was uploaded, as it came; undefined for tracks of the world, whose text is made when asked for. */
  bytes: Uint8Array | undefined;
  /** Undefined when the file could not be read. */
  format: CaptionFormat | undefined;
}

/** A shelf on a channel's page; its place is its index in the channel's list. */
export interface Section {
  readonly id: string;
  readonly channelId: string;
  readonly type: string;
  readonly title: string | undefined;
  readonly playlists: readonly string[] | undefined;
  readonly channels: readonly string[] | undefined;
}

interface Watermark {
  readonly picture: Picture;
  readonly timing: Readonly<Record<string, unknown>>;
  readonly targetChannelId: string | undefined;
}

interface AbuseReport {
  readonly channelId: string;
  readonly videoId: string;
  readonly reasonId: string;
  readonly secondaryReasonId: string | undefined;
}

/** What belongs to videos and channels; the methods that write change it. */
export interface Things {
  readonly captions: Map<string, CaptionTrack>;
  /** By channel, in order. */
  readonly sections: Map<string, Section[]>;
  /** Uploaded banners by id. */
  readonly banners: Map<string, Picture & { readonly channelId: string }>;
  /** By channel. */
  readonly watermarks: Map<string, Watermark>;
  /** Disliked videos by channel, newest first. */
  readonly dislikes: Map<string, string[]>;
  /** Watch history and watch later of every channel, by list id. */
  readonly specials: Map<string, Playlist>;
  readonly reports: AbuseReport[];
  /** How many ids were minted since the start. */
  minted: number;
}

export function noThings(): Things {
  return {
    captions: new Map(),
    sections: new Map(),
    banners: new Map(),
    watermarks: new Map(),
    dislikes: new Map(),
    specials: new Map(),
    reports: [],
    minted: 0,
  };
}
