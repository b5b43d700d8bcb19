import { describe, expect, it } from "vitest";
import { addChannelSection, findSpecialList, specialPlaylists } from "../../../src/video/index.ts";
import { startRig } from "./rig.ts";

const sections = (count: number) => ({
  body: { items: Array.from({ length: count }, (_, at) => ({ id: `s${at}` })) },
});

function channelWith(brandingSettings: unknown) {
  return () => ({ body: { items: [{ id: "UC1", brandingSettings }] } });
}

describe("addChannelSection", () => {
  const section = { snippet: { type: "recentUploads" } } as const;
  const insert = {
    "POST /channelSections": ({ json }: { json: object }) => ({ body: { id: "new", ...json } }),
  };

  it.each([
    ["visible", { channel: { showBrowseView: true } }, { isVisible: true }],
    ["hidden", { channel: { showBrowseView: false } }, { isVisible: false }],
    ["hidden", { channel: {} }, { isVisible: false }],
    ["hidden", undefined, { isVisible: false }],
  ])("adds one and says that it is %s with %j", async (_, settings, expected) => {
    const { client, server, asked } = await startRig({
      "GET /channelSections": () => sections(9),
      "GET /channels": channelWith(settings),
      ...insert,
    });

    const added = await addChannelSection(client, section);

    expect(added).toEqual({ section: { id: "new", ...section }, ...expected });
    expect(asked()).toEqual(["GET /channelSections", "GET /channels", "POST /channelSections"]);
    expect(server.received[2]?.url.searchParams.get("part")).toBe("snippet");
  });

  it("writes what the section shows too", async () => {
    const { client, server } = await startRig({
      "GET /channelSections": () => sections(0),
      "GET /channels": channelWith({}),
      ...insert,
    });

    await addChannelSection(client, {
      snippet: { type: "singlePlaylist" },
      contentDetails: { playlists: ["PL1"] },
    });

    expect(server.received[2]?.url.searchParams.get("part")).toBe("contentDetails,snippet");
  });

  it("refuses the 11th before anything is spent on it", async () => {
    const { client, asked } = await startRig({ "GET /channelSections": () => sections(10) });

    await expect(addChannelSection(client, section)).rejects.toMatchObject({
      kind: "input",
      code: "max_channel_section_exceeded",
      outcome: "nothing",
    });
    expect(asked()).toEqual(["GET /channelSections"]);
  });
});

describe("specialPlaylists", () => {
  const related = { uploads: "UU1", likes: "LL1", watchHistory: "HL", watchLater: "" };
  const channel = (relatedPlaylists: unknown) => () => ({
    body: { items: [{ id: "UC1", contentDetails: { relatedPlaylists } }] },
  });

  it("returns those that the channel names, and leaves out the others", async () => {
    const { client, server } = await startRig({ "GET /channels": channel(related) });

    const mine = await specialPlaylists(client);

    expect(mine).toEqual({ uploads: "UU1", likes: "LL1", watchHistory: "HL" });
    expect(server.received[0]?.url.searchParams.get("mine")).toBe("true");
  });

  it("says that there is no such channel", async () => {
    const { client } = await startRig({ "GET /channels": () => ({ body: {} }) });

    await expect(specialPlaylists(client)).rejects.toMatchObject({ code: "channel_not_found" });
  });
});

describe("findSpecialList", () => {
  it.each([
    ["WL", "watchLater"],
    ["HL", "watchHistory"],
    ["LLaaaaaaaaaaaaaaaaaaaaaa", "likes"],
    ["UUaaaaaaaaaaaaaaaaaaaaaa", "uploads"],
    ["PLaaaaaaaaaaaaaaaaaaaaaa", undefined],
  ])("takes %s for %s", (id, list) => {
    expect(findSpecialList(id)).toBe(list);
  });
});
