import { describe, expect, it } from "vitest";
import {
  comparedHandle,
  parseYouTubeLink,
} from "../../../src/moderation/rules/links/youtube-links.ts";
import { createTextForms } from "../../../src/moderation/rules/text/text-forms.ts";
import {
  channelAddresses,
  channelId,
  handles,
  listId,
  nothing,
  playlistAddresses,
  redirects,
  videoAddresses,
  videoId,
  wrapped,
  wrappings,
} from "../../video-links/link-shapes.ts";

/** What the links of a comment lead to. */
const placesIn = (text: string) => createTextForms(text).links().map(parseYouTubeLink);

describe("parseYouTubeLink", () => {
  it.each(videoAddresses)("reads the video in %s", (text) => {
    expect(placesIn(text)).toEqual([{ kind: "video", id: videoId }]);
  });

  it.each(wrappings.flatMap(([name, wrap]) => wrapped.map((text) => [name, wrap(text)] as const)))(
    "reads the video of an address with %s: %s",
    (_, text) => {
      expect(placesIn(text)).toContainEqual({ kind: "video", id: videoId });
    },
  );

  it.each(playlistAddresses)("reads the playlist in %s", (text) => {
    expect(placesIn(text)).toEqual([{ kind: "playlist", id: listId }]);
  });

  it.each(channelAddresses)("reads the channel in %s", (text) => {
    expect(placesIn(text)).toEqual([{ kind: "channel", id: channelId }]);
  });

  it.each(handles)("reads the handle %s as YouTube writes it", (handle) => {
    const place = { kind: "handle", id: comparedHandle(handle) };

    expect(placesIn(`https://www.youtube.com/${handle}`)).toEqual([place]);
    expect(placesIn(`https://www.youtube.com/${encodeURIComponent(handle)}/videos`)).toEqual([
      place,
    ]);
  });

  it.each([
    `https://www.youtube.com/watch?v=aaaaaaaaaaa&v=bbbbbbbbbbb&list=${listId}`,
    `https://www.youtube.com/watch?v=aaaaaaaaaaa&vi=${videoId}&list=${listId}`,
    `https://www.youtube.com/watch?v=aaaaaaaaaaa#v=${videoId}&list=${listId}`,
    `https://www.youtube.com/watch_videos?video_ids=${videoId},aaaaaaaaaaa&list=${listId}`,
    `https://www.youtube.com/playlist?list=${listId}&list=PLaaaaaaaaaaaaaaaa`,
    `https://www.youtube.com/feeds/videos.xml?channel_id=${channelId}&channel_id=UC${"a".repeat(22)}`,
    `https://www.youtube.com/attribution_link?u=/watch?v=${videoId}&u=https://evil.example`,
  ])("reads nothing in %s, which names several", (text) => {
    expect(placesIn(text)).not.toEqual([]);
    expect(placesIn(text).filter((place) => place !== undefined)).toEqual([]);
  });

  it("takes the name of an old address for the handle that YouTube gave to its channel", () => {
    const place = [{ kind: "handle", id: "@greenroom" }];

    expect(placesIn("https://www.youtube.com/c/GreenRoom")).toEqual(place);
    expect(placesIn("https://www.youtube.com/GreenRoom/about")).toEqual(place);
    expect(placesIn("https://www.youtube.com/user/GreenRoom")).toEqual(place);
  });

  it.each([
    "https://www.youtube.com/@spam?v=dQw4w9WgXcQ",
    `https://www.youtube.com/@spam?list=${listId}`,
    `https://www.youtube.com/@spam#p/u/1/${videoId}`,
    `https://www.youtube.com/redirect?q=https://evil.example&list=${listId}&v=${videoId}`,
    `https://www.youtube.com/oembed?url=https://evil.example&v=${videoId}`,
    `https://www.youtube.com/embed/videoseries?list=PLaaaaaaaaaaaaaaaaaaaa&v=${videoId}`,
    `https://www.youtube.com/embed/live_stream?channel=UC${"a".repeat(22)}&v=${videoId}`,
    `https://www.youtube.com/watch?v=${videoId}&v=aaaaaaaaaaa`,
    `https://www.youtube.com/watch/aaaaaaaaaaa?v=${videoId}`,
    `https://www.youtube.com/watch_videos?video_ids=${videoId},aaaaaaaaaaa`,
    `https://www.youtube.com/shorts/aaaaaaaaaaa?v=${videoId}`,
    `https://www.youtube.com/attribution_link?u=https://evil.example/watch?v=${videoId}`,
    `https://www.youtube.com/attribution_link?u=/redirect?q=https://evil.example&v=${videoId}`,
    `https://www.youtube.com/attribution_link?v=${videoId}&u=/watch?v=aaaaaaaaaaa`,
  ])("does not take %s for a link to what it only names", (text) => {
    const own = [
      { kind: "video", id: videoId },
      { kind: "playlist", id: listId },
    ];
    const found = placesIn(text);

    expect(found).toHaveLength(1);
    for (const place of own) expect(found).not.toContainEqual(place);
  });

  it.each(redirects)("takes %j for no link to the video", (text) => {
    expect(placesIn(text)).not.toContainEqual({ kind: "video", id: videoId });
  });

  it.each(nothing)("takes %j for no place on YouTube", (text) => {
    expect(placesIn(text).filter((place) => place !== undefined)).toEqual([]);
  });
});
