import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InputError } from "../../../src/errors.ts";
import { updateResource } from "../../../src/video/index.ts";
import { seed } from "../../support/random.ts";
import { refuse, startRig } from "./rig.ts";

type Fields = Record<string, unknown>;

/** A stand-in for YouTube that replaces each part that an update names, and keeps the others. */
function replacing(
  path: string,
  stored: Fields,
  fail?: (count: number) => ReturnType<typeof refuse>,
) {
  const state = { stored };
  const partsOf = (query: URLSearchParams) => query.get("part")?.split(",") ?? [];
  return {
    state,
    routes: {
      [`GET ${path}`]: ({ query }: { query: URLSearchParams }) => {
        if (query.get("id") !== state.stored.id) return { body: { items: [] } };
        const names = new Set([...partsOf(query), "id"]);
        const shown = Object.entries(state.stored).filter(([name]) => names.has(name));
        return { body: { items: [Object.fromEntries(shown)] } };
      },
      [`PUT ${path}`]: ({
        query,
        json,
        count,
      }: {
        query: URLSearchParams;
        json: Fields;
        count: number;
      }) => {
        const failure = fail?.(count);
        if (failure?.status !== undefined) return failure;
        for (const part of partsOf(query)) {
          const { [part]: _, ...others } = state.stored;
          state.stored = json[part] === undefined ? others : { ...others, [part]: json[part] };
        }
        return { body: { ...state.stored } };
      },
    },
  };
}

const video = {
  id: "v1",
  snippet: {
    title: "Old",
    description: "Kept",
    tags: ["a", "b"],
    categoryId: "22",
    publishedAt: "2026-01-01T00:00:00Z",
    brandNew: { deep: [1] },
  },
  status: { privacyStatus: "unlisted", embeddable: true, license: "youtube" },
  localizations: { de: { title: "Alt", description: "Bleibt" }, fr: { title: "Vieux" } },
};

describe("updateResource", () => {
  it("reads the parts that change, and writes exactly these with all else kept", async () => {
    const { state, routes } = replacing("/videos", video);
    const { client, server, asked } = await startRig(routes);

    const { before, after } = await updateResource(client, "videos.update", {
      id: "v1",
      snippet: { title: "New" },
    });

    expect(state.stored).toEqual({ ...video, snippet: { ...video.snippet, title: "New" } });
    expect(after.snippet?.title).toBe("New");
    expect(before.snippet).toEqual(video.snippet);
    expect(asked()).toEqual(["GET /videos", "PUT /videos"]);
    const [read, write] = server.received.map(({ url }) => url.searchParams.get("part"));
    expect(read).toBe("id,snippet");
    expect(write).toBe("snippet");
  });

  it("sends back what is stored even when the row does not know it, and refuses it from anybody else", async () => {
    const status = { privacyStatus: "unlisted", license: "somethingNewer" };
    const { state, routes } = replacing("/videos", { ...video, status });
    const { client } = await startRig(routes);

    await updateResource(client, "videos.update", { id: "v1", status: { embeddable: false } });
    const other = { ...video, status: { license: "somethingElse" } };
    const refused = updateResource(client, "videos.update", other as never);

    await expect(refused).rejects.toMatchObject({ facts: { parameter: "body.status.license" } });
    expect(state.stored.status).toEqual({ ...status, embeddable: false });
  });

  it("replaces lists whole, clears with null and keeps with undefined", async () => {
    const { state, routes } = replacing("/videos", video);
    const { client } = await startRig(routes);

    await updateResource(client, "videos.update", {
      id: "v1",
      snippet: { tags: ["c"], description: null, title: undefined },
      localizations: { de: { title: "Neu" }, fr: null },
    });

    const { description: _, ...snippet } = video.snippet;
    expect(state.stored.snippet).toEqual({ ...snippet, tags: ["c"] });
    expect(state.stored.localizations).toEqual({ de: { title: "Neu", description: "Bleibt" } });
  });

  it("clears a whole part", async () => {
    const { state, routes } = replacing("/videos", video);
    const { client } = await startRig(routes);

    await updateResource(client, "videos.update", { id: "v1", localizations: null });

    const { localizations: _, ...rest } = video;
    expect(state.stored).toEqual(rest);
  });

  it("reads and writes the part without which the service takes no update", async () => {
    const playlist = {
      id: "p",
      snippet: { title: "T", description: "D" },
      status: { privacyStatus: "public" },
    };
    const { state, routes } = replacing("/playlists", playlist);
    const { client } = await startRig(routes);

    await updateResource(client, "playlists.update", {
      id: "p",
      status: { privacyStatus: "private" },
    });

    expect(state.stored).toEqual({ ...playlist, status: { privacyStatus: "private" } });
  });

  it("moves an item without losing whose it is", async () => {
    const resourceId = { kind: "youtube#video", videoId: "v" };
    const item = {
      id: "i",
      snippet: { playlistId: "p", resourceId, position: 3 },
      contentDetails: { note: "N" },
    };
    const { state, routes } = replacing("/playlistItems", item);
    const { client } = await startRig(routes);

    await updateResource(client, "playlistItems.update", { id: "i", snippet: { position: 0 } });

    expect(state.stored).toEqual({ ...item, snippet: { ...item.snippet, position: 0 } });
  });

  it.each([
    ["videos.update", "/videos", "video_not_found"],
    ["playlists.update", "/playlists", "playlist_not_found"],
    ["playlistItems.update", "/playlistItems", "playlist_item_not_found"],
    ["channelSections.update", "/channelSections", "channel_section_not_found"],
    ["channels.update", "/channels", "channel_not_found"],
  ] as const)("%s writes nothing when the thing is not there", async (method, path, code) => {
    const { routes } = replacing(path, { id: "other" });
    const { client, asked } = await startRig(routes);
    const change = { id: "gone", [path === "/channels" ? "status" : "snippet"]: {} } as never;

    await expect(updateResource(client, method, change)).rejects.toMatchObject({
      code,
      outcome: "nothing",
      facts: { given: "gone" },
    });
    expect(asked()).toEqual([`GET ${path}`]);
  });

  it.each([
    ["the same title", { snippet: { title: video.snippet.title } }],
    [
      "a time in another form",
      { recordingDetails: { recordingDate: "2026-01-31T13:00:00+01:00" } },
    ],
    ["nothing where nothing is", { snippet: { defaultLanguage: null } }],
  ])("sends nothing for %s", async (_, change) => {
    const stored = { ...video, recordingDetails: { recordingDate: "2026-01-31T12:00:00Z" } };
    const { client, asked } = await startRig(replacing("/videos", stored).routes);

    const around = await updateResource(client, "videos.update", { id: "v1", ...change });

    expect(around.after).toBe(around.before);
    expect(asked()).toEqual(["GET /videos"]);
  });

  it("asks for nothing when nothing is to change", async () => {
    const { client, asked } = await startRig({});

    const change = { id: "v1", snippet: undefined };
    await expect(updateResource(client, "videos.update", change)).rejects.toMatchObject({
      code: "nothing_to_change",
    });
    expect(asked()).toEqual([]);
  });

  it.each([
    ["stays while the video stays private", "private", { embeddable: false }, true],
    ["goes when it becomes public", "private", { privacyStatus: "public" }, false],
    ["goes when it becomes unlisted", "private", { privacyStatus: "unlisted" }, false],
    [
      "left over from long ago goes when the video is hidden",
      "public",
      { privacyStatus: "private" },
      false,
    ],
    [
      "that is asked for is sent",
      "public",
      { privacyStatus: "private", publishAt: "2030-01-01T00:00:00Z" },
      true,
    ],
  ] as const)("a time to publish %s", async (_, privacyStatus, status, isThere) => {
    const planned = { privacyStatus, publishAt: "2027-01-01T00:00:00Z", license: "youtube" };
    const { state, routes } = replacing("/videos", { id: "v1", status: planned });
    const { client } = await startRig(routes);

    await updateResource(client, "videos.update", { id: "v1", status });

    expect(Object.hasOwn(state.stored.status as Fields, "publishAt")).toBe(isThere);
    expect(state.stored.status).toMatchObject({ license: "youtube", ...status });
  });

  describe("of a channel", () => {
    const channel = {
      id: "UC1",
      brandingSettings: { channel: { title: "Mine", description: "Old", showBrowseView: true } },
      status: { selfDeclaredMadeForKids: false },
      localizations: { de: { title: "Meins" } },
    };

    it("keeps the title and the fields that nobody asks about", async () => {
      const { state, routes } = replacing("/channels", channel);
      const { client } = await startRig(routes);

      await updateResource(client, "channels.update", {
        id: "UC1",
        brandingSettings: { channel: { description: "New" } },
      });

      expect(state.stored.brandingSettings).toEqual({
        channel: { title: "Mine", description: "New", showBrowseView: true },
      });
    });

    it("keeps the title even when all its neighbours are cleared", async () => {
      const { state, routes } = replacing("/channels", channel);
      const { client } = await startRig(routes);

      await updateResource(client, "channels.update", {
        id: "UC1",
        brandingSettings: { channel: null },
      });

      expect(state.stored.brandingSettings).toEqual({ channel: { title: "Mine" } });
    });

    it("refuses another title before the write", async () => {
      const { client, asked } = await startRig(replacing("/channels", channel).routes);
      // The types have no title here, but a value from elsewhere may.
      const renamed = { title: "Other" } as { description?: string };
      const change = { id: "UC1", brandingSettings: { channel: renamed } };

      const updating = updateResource(client, "channels.update", change);

      await expect(updating).rejects.toMatchObject({ code: "channel_title_update_forbidden" });
      await expect(updating).rejects.toBeInstanceOf(InputError);
      expect(asked()).toEqual(["GET /channels"]);
    });

    const both = {
      id: "UC1",
      brandingSettings: { channel: { description: "New" } },
      status: { selfDeclaredMadeForKids: true },
    };

    it("takes one write for each part", async () => {
      const { state, routes } = replacing("/channels", channel);
      const { client, server } = await startRig(routes);

      const { after } = await updateResource(client, "channels.update", both);

      expect(server.received.map(({ url }) => url.searchParams.get("part"))).toEqual([
        "brandingSettings,id,status",
        "brandingSettings",
        "status",
      ]);
      expect(state.stored.status).toEqual({ selfDeclaredMadeForKids: true });
      expect(after.status).toEqual({ selfDeclaredMadeForKids: true });
    });

    it("says what was changed before a later part failed", async () => {
      const { routes } = replacing("/channels", channel, (count) =>
        count === 1 ? {} : refuse(403, "channelForbidden"),
      );
      const { client } = await startRig(routes);

      await expect(updateResource(client, "channels.update", both)).rejects.toMatchObject({
        code: "channel_forbidden",
        outcome: "part",
        facts: { written: "brandingSettings" },
      });
    });
  });

  it(`erases no field that a change leaves out, whatever is stored (seed ${seed})`, async () => {
    const words = fc.string({ minLength: 1, maxLength: 8 });
    const leaf = fc.oneof(words, fc.integer(), fc.boolean(), fc.array(words, { maxLength: 3 }));
    const name = fc.stringMatching(/^[a-z]{1,6}$/).map((text) => `x_${text}`);
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { depthSize: "small" },
        leaf,
        fc.dictionary(name, tie("tree"), { maxKeys: 4 }),
      ),
    }));
    const part = fc.dictionary(name, tree, { maxKeys: 6 });
    const resource = fc.record({ snippet: part, status: part, recordingDetails: part });
    const holder = { stored: { id: "v1" } as Fields };
    const { state, routes } = replacing("/videos", holder.stored);
    const { client } = await startRig(routes);

    await fc.assert(
      fc.asyncProperty(
        resource,
        resource,
        fc.subarray(["snippet", "status"]),
        async (stored, wanted, names) => {
          const due = { title: "T", categoryId: "1" };
          state.stored = { id: "v1", ...stored, snippet: { ...stored.snippet, ...due } };
          const before = structuredClone(state.stored);
          const change = Object.fromEntries(
            [...names, "recordingDetails" as const].map((key) => [key, wanted[key as "snippet"]]),
          );

          await updateResource(client, "videos.update", { id: "v1", ...change });

          expect(lost(before, state.stored, change)).toEqual([]);
          expect(missing(change, state.stored)).toEqual([]);
        },
      ),
      { seed, numRuns: 60 },
    );
  });
});

const isTree = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Places of `before` that differ afterwards although the change does not name them. */
function lost(before: Fields, after: Fields, change: Fields, at = ""): string[] {
  return Object.entries(before).flatMap(([name, value]) => {
    const place = `${at}.${name}`;
    const changed = change[name];
    if (changed === undefined) return same(value, after[name]) ? [] : [place];
    if (!isTree(value) || !isTree(changed)) return [];
    return isTree(after[name]) ? lost(value, after[name], changed, place) : [place];
  });
}

/** Places that the change names but that were not stored. */
function missing(change: Fields, after: Fields, at = ""): string[] {
  return Object.entries(change).flatMap(([name, value]) => {
    const place = `${at}.${name}`;
    if (!isTree(value)) return same(value, after[name]) ? [] : [place];
    return isTree(after[name]) ? missing(value, after[name], place) : [place];
  });
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
