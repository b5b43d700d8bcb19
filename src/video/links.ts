/** Addresses of YouTube's own pages, built from ids only. */
export const youtubePages = {
  video: (id: string) => `https://www.youtube.com/watch?v=${encodeURIComponent(id)}`,
  playlist: (id: string) => `https://www.youtube.com/playlist?list=${encodeURIComponent(id)}`,
  watchHistory: "https://www.youtube.com/feed/history",
  channel: (id: string) => `https://www.youtube.com/channel/${encodeURIComponent(id)}`,
  /** The video's page with that comment on top. */
  comment: (videoId: string, id: string) =>
    `https://www.youtube.com/watch?v=${encodeURIComponent(videoId)}&lc=${encodeURIComponent(id)}`,
  /** YouTube Studio, for people who may manage the channel: all comments of a video, or of a channel. */
  studioVideo: (id: string) =>
    `https://studio.youtube.com/video/${encodeURIComponent(id)}/comments`,
  studioChannel: (id: string) =>
    `https://studio.youtube.com/channel/${encodeURIComponent(id)}/comments`,
} as const;
