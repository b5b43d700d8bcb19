/**
 * Longest that something of the video service's is kept without having been read again. Its developer policies are said to
 * set this limit (facts/video-api-notes.md, 11, marked as unread); it is our rule either way.
 */
export const platformDataMs = 30 * 24 * 3_600_000;
