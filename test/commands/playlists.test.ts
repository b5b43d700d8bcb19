import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { asMessage, isEphemeral, openStage, type Stage, textOf } from "../support/stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

const ask = async (path: string, options: Readonly<Record<string, string>>) =>
  asMessage(await stage.sandbox.user("member").command(path, options));

/** The service's own word for what is there, so that no name is written down here. */
async function fromService(path: string): Promise<{ id: string; snippet: { title: string } }[]> {
  const { url, key } = stage.sandbox.video;
  const response = await fetch(`${url}${path}&part=snippet&key=${key}`);
  const { items } = (await response.json()) as {
    items: { id: string; snippet: { title: string } }[];
  };
  return items;
}

async function someChannel(): Promise<string> {
  const [found] = (await fromService("/search?type=channel&q=studio")) as unknown as {
    id: { channelId: string };
  }[];
  if (found === undefined) throw new Error("the stand-in has no channel");
  return found.id.channelId;
}

describe("/playlists list", () => {
  it("lists a channel's playlists with pictures and sizes", async () => {
    const channel = await someChannel();
    const [playlist] = await fromService(`/playlists?channelId=${channel}`);

    const message = await ask("playlists list", { channel });

    expect(textOf(message)).toContain("Playlists of");
    expect(textOf(message)).toContain(playlist?.snippet.title);
    expect(textOf(message)).toMatch(/\d+ videos?/u);
  });

  it("says that a handle leads nowhere", async () => {
    const message = await ask("playlists list", { channel: "@nobody-has-this-handle" });

    expect(textOf(message)).toContain("There is no such channel");
  });

  it("explains what a channel can be given as", async () => {
    const message = await ask("playlists list", { channel: "not a channel" });

    expect(isEphemeral(message)).toBe(true);
    expect(textOf(message)).toContain("@handle");
  });
});

describe("/playlists show", () => {
  it("shows the videos in order and leafs through them", async () => {
    const channel = await someChannel();
    const uploads = channel.replace(/^UC/u, "UU");

    const first = await ask("playlists show", { playlist: uploads });
    const second = asMessage(await stage.sandbox.user("member").click(first, "Next"));

    expect(textOf(first)).toContain("[1. ");
    expect(textOf(second)).toContain("[6. ");
  });

  it("takes a pasted link", async () => {
    const channel = await someChannel();
    const [playlist] = await fromService(`/playlists?channelId=${channel}`);

    const message = await ask("playlists show", {
      playlist: `https://www.youtube.com/playlist?list=${playlist?.id}`,
    });

    expect(textOf(message)).toContain(playlist?.snippet.title);
  });
});

describe("/videos show", () => {
  it("shows one video with its numbers", async () => {
    const found = (await fromService("/search?type=video&q=light")) as unknown as {
      id: { videoId: string };
    }[];

    const message = await ask("videos show", {
      video: `https://youtu.be/${found[0]?.id.videoId}?si=x`,
    });

    expect(textOf(message)).toMatch(/Length\n\d+:\d\d/u);
    expect(message.embeds[0]?.image?.url).toMatch(/^http/u);
  });

  it("tells gone from wrong", async () => {
    expect(textOf(await ask("videos show", { video: "aaaaaaaaaaa" }))).toContain(
      "There is no such video",
    );
    expect(textOf(await ask("videos show", { video: "what" }))).toContain("11 characters");
  });
});

describe("the wire", () => {
  it("keeps to Discord's specification", async () => {
    expect(await stage.violations()).toEqual([]);
  });
});
