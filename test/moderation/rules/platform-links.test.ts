import { describe, expect, it } from "vitest";
import {
  comparedHandle,
  platformLinkOf,
} from "../../../src/moderation/rules/links/platform-links.ts";
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
const placesIn = (text: string) => createTextForms(text).links().map(platformLinkOf);

describe("platformLinkOf", () => {
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

  it.each(handles)("reads the handle %s as the service writes it", (handle) => {
    const place = { kind: "handle", id: comparedHandle(handle) };

    expect(placesIn(`https://www.youtube.com/${handle}`)).toEqual([place]);
    expect(placesIn(`https://www.youtube.com/${encodeURIComponent(handle)}/videos`)).toEqual([
      place,
    ]);
  });

  it("takes the name of an old address for the handle that YouTube gave to its channel", () => {
    const place = [{ kind: "handle", id: "@greenroom" }];

    expect(placesIn("https://www.youtube.com/c/GreenRoom")).toEqual(place);
    expect(placesIn("https://www.youtube.com/GreenRoom/about")).toEqual(place);
    expect(placesIn("https://www.youtube.com/user/GreenRoom")).toEqual([undefined]);
  });

  it.each([...redirects, ...nothing])("takes %j for no place on YouTube", (text) => {
    expect(placesIn(text).filter((place) => place !== undefined)).toEqual([]);
  });
});
