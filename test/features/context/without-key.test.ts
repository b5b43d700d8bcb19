import { beforeAll, describe, expect, it } from "vitest";
import { createVideoClient, type VideoClient } from "../../../src/video/index.ts";
import { fetchBytes, isEphemeral, textOf } from "../../support/stage.ts";
import { useStage } from "../../support/use-stage.ts";

/** A client that reads as the channel itself. */
let truth: VideoClient;
let own: string;

const { stage, as, owner } = useStage();
beforeAll(async () => {
  const { oauth, video, user } = stage.sandbox;
  own = video.ownChannelId;
  const { accessToken } = oauth.mint({ channelId: own });
  truth = createVideoClient({ baseUrl: video.url, token: accessToken });
  const asked = await owner.run("connect disconnect", { what: "video-key" });
  await user("owner").click(asked, "Disconnect");
});

async function read(path: string, options: Record<string, string>, who: "member" | "owner") {
  const message = await as(who).run(path, options);
  const files = await Promise.all(message.attachments.map(({ url }) => fetchBytes(url)));
  return [textOf(message), ...files.map(String)].join("\n");
}

interface Act {
  readonly snippet: { readonly type: string };
}

describe.each(["member", "owner"] as const)(
  "with a channel and no key, a public answer to the %s",
  (who) => {
    it("reveals nothing of what the channel likes", async () => {
      const mine = await truth.call("activities.list", {
        part: ["snippet"],
        mine: true,
        maxResults: 50,
      });
      expect(mine.items.map(({ snippet }) => snippet?.type)).toContain("like");

      const json = await read("activity", { channel: own, output: "json" }, who);
      const acts = JSON.parse(json.slice(json.indexOf("["))) as Act[];

      expect(new Set(acts.map(({ snippet }) => snippet.type))).toEqual(
        new Set(["upload", "playlistItem"]),
      );
    });

    it("reveals no comments of a private video", async () => {
      const { items } = await truth.call("playlistItems.list", {
        part: ["contentDetails", "status"],
        playlistId: own.replace("UC", "UU"),
        maxResults: 50,
      });
      const open = items.filter(({ status }) => status?.privacyStatus === "public");
      const id = open.at(who === "member" ? 2 : 3)?.contentDetails?.videoId ?? "";
      const [video] = (await truth.call("videos.list", { part: ["status"], id: [id] })).items;
      const said = stage.sandbox.video.addComment({ videoId: id, text: `Words for ${who} only` });
      expect(await read("comments list", { video: id }, who)).toContain(`Words for ${who}`);
      const privacyStatus = "private";
      await truth.call("videos.update", {
        part: ["status"],
        body: { id, status: { ...video?.status, privacyStatus } },
      });

      const wanted = [{ channel: own }, { comment: said.id }, { search: `Words for ${who} only` }];
      for (const options of wanted as Record<string, string>[]) {
        expect(await read("comments list", { ...options, output: "json" }, who)).not.toContain(
          '"Words for',
        );
      }
      expect(await read("comments replies", { comment: said.id }, who)).not.toContain("Words for");
    });

    it("refuses the channel's own subscriptions, which may be private", async () => {
      for (const output of ["list", "csv", "raw"]) {
        expect(await read("subscriptions list", { channel: own, output }, who)).toContain(
          "These subscriptions are private.",
        );
      }
    });

    it("shows of the channel what everybody sees", async () => {
      const raw = await read(
        "channels show",
        { channel: own, output: "raw", extra: "part=contentDetails,status" },
        who,
      );

      expect(raw).toContain('"uploads"');
      expect(raw).not.toMatch(/"likes"|watchHistory|watchLater|selfDeclaredMadeForKids/u);
    });
  },
);

describe("with a channel and no key, what is asked for by ids", () => {
  const answer = (path: string, options: Record<string, string>, who: "member" | "owner") =>
    as(who).run(path, options);

  async function privateEntry() {
    const { id: playlistId = "" } = await truth.call("playlists.insert", {
      part: ["snippet", "status"],
      body: { snippet: { title: "Nobody's business" }, status: { privacyStatus: "private" } },
    });
    const { items } = await truth.call("videos.list", { part: ["status"], myRating: "like" });
    const open = items.find(({ status }) => status?.privacyStatus === "public");
    const resourceId = { kind: "youtube#video", videoId: open?.id ?? "" };
    return truth.call("playlistItems.insert", {
      part: ["snippet"],
      body: { snippet: { playlistId, resourceId } },
    });
  }

  it("shows public videos in a private playlist to the channel's people alone", async () => {
    const { id: entries = "", snippet } = await privateEntry();

    const toMember = await answer("playlists entries", { entries }, "member");
    const toOwner = await answer("playlists entries", { entries }, "owner");

    expect(textOf(toMember)).toContain("None of these entries was found");
    expect(isEphemeral(toOwner)).toBe(true);
    expect(textOf(toOwner)).toContain(snippet?.title);
  });

  it.each(["LL", "WL", "HL"])("shows no entry of %s", async (playlistId) => {
    const wanted = { part: ["snippet"], playlistId } as const;
    const [entry] = (await truth.call("playlistItems.list", wanted)).items;

    const toMember = await answer("playlists entries", { entries: entry?.id ?? "" }, "member");

    expect(entry).toBeDefined();
    expect(textOf(toMember)).toContain("None of these entries was found");
  });

  it("shows entries of public playlists to everybody", async () => {
    const playlistId = own.replace("UC", "UU");
    const wanted = { part: ["snippet", "status"], playlistId, maxResults: 50 } as const;
    const { items } = await truth.call("playlistItems.list", wanted);
    const open = items.filter(({ status }) => status?.privacyStatus === "public").slice(0, 2);

    const entries = open.map(({ id }) => id).join(" ");
    const toMember = await answer("playlists entries", { entries }, "member");

    expect(isEphemeral(toMember)).toBe(false);
    expect(textOf(toMember)).toContain(open[0]?.snippet?.title);
    expect(textOf(toMember)).not.toContain("ot found");
  });

  it("shows the channel's own subscriptions to its people alone", async () => {
    const wanted = { part: ["snippet"], mine: true } as const;
    const [mine] = (await truth.call("subscriptions.list", wanted)).items;
    const subscriptions = mine?.id ?? "";

    const toMember = await answer("subscriptions list", { subscriptions }, "member");
    const toOwner = await answer("subscriptions list", { subscriptions }, "owner");

    expect(textOf(toMember)).toContain("None of these subscriptions was found");
    expect(isEphemeral(toOwner)).toBe(true);
    expect(textOf(toOwner)).toContain(mine?.snippet?.title);
  });
});
