import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type {
  Channel,
  Comment,
  CommentThread,
  Playlist,
  PlaylistItem,
  Video,
} from "../../src/video/index.ts";
import { findChromium } from "../support/find-chromium.ts";
import {
  type BrowserShare,
  createVisitor,
  openBrowser,
  type Visitor,
} from "../support/page-visit.ts";
import { createWalk, readAsChannel, type Walk } from "../support/page-walk.ts";
import { openStage, type Stage } from "../support/stage.ts";
import { words } from "../support/words.ts";

const { say } = words();
const mebibyte = 1024 * 1024;

/** Begins like a video file; large enough to be uploaded in two chunks. */
function filmBytes(): Buffer {
  const data = Buffer.alloc(9.5 * mebibyte);
  data.writeUInt32BE(24, 0);
  data.write("ftypisom\0\0\x02\0isommp41", 4, "latin1");
  return data;
}

describe.skipIf(!findChromium())("the studio on the page (needs Chromium)", () => {
  let stage: Stage;
  let browser: BrowserShare;
  let visitor: Visitor;
  let walk: Walk;
  let folder: string;
  let film: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "greenroom-film-"));
    film = join(folder, "film.mp4");
    await writeFile(film, filmBytes());
    [stage, browser] = await Promise.all([openStage(), openBrowser()]);
    visitor = await createVisitor(browser);
    await visitor.page.setViewportSize({ width: 1280, height: 800 });
    walk = createWalk(visitor.page, stage.sandbox.url);
  });
  afterAll(async () => {
    await browser.close();
    await stage.close();
    await rm(folder, { recursive: true });
  });
  beforeEach(() => walk.as("owner"));
  afterEach(async () => {
    stage.sandbox.video.faults.clear();
    stage.sandbox.user("owner").speak("en-US");
    await visitor.page.evaluate("sessionStorage.clear()");
    expect(visitor.faults.splice(0)).toEqual([]);
  });

  const read = <T>(path: string) => readAsChannel<T>(stage.sandbox, path);

  async function playlistId(title: string): Promise<string> {
    const all = await read<Playlist>("playlists?part=snippet&mine=true&maxResults=50");
    return all.find(({ snippet }) => snippet?.title === title)?.id ?? "";
  }

  async function titlesIn(playlist: string): Promise<readonly (string | undefined)[]> {
    const path = `playlistItems?part=snippet&maxResults=50&playlistId=${await playlistId(playlist)}`;
    return (await read<PlaylistItem>(path)).map(({ snippet }) => snippet?.title);
  }

  async function videoId(title: string): Promise<string> {
    const path = `search?part=snippet&forMine=true&type=video&q=${encodeURIComponent(title)}`;
    const [found] = await read<{ readonly id: { readonly videoId: string } }>(path);
    return found?.id.videoId ?? "";
  }

  it("puts a video that was searched for into a playlist, by way of its details", async () => {
    await walk.send("/search crumble cake");
    await walk.reads(say("search.results", { query: "crumble cake" }));
    await walk.press(say("cards.details"));
    await walk.reads("Only you can see this");
    await walk.press(say("cards.add_to_playlist"));
    await walk.reads(say("playlists.choose.title", { count: 1 }));
    await walk.choose(/^\s*Ideas for next season/u);
    await walk.reads(say("playlists.add.done", { count: 1, playlist: "Ideas for next season" }));

    await walk.type("/playlists show ");
    await walk.take("ideas", /Ideas for next season/u);
    await walk.page.keyboard.press("Enter");

    await walk.reads("1. Coffee crumble cake in one tin");
    expect(await titlesIn("Ideas for next season")).toEqual(["Coffee crumble cake in one tin"]);
  });

  async function beginUpload(title: string): Promise<void> {
    await walk.type("/videos upload ");
    await walk.page.locator("[data-field=video]").setInputFiles(film);
    await walk.add("title");
    await walk.page.keyboard.type(title);
    await walk.page.keyboard.press("Enter");
    await walk.reads(say("videos.upload.sending", { title }));
  }

  it("uploads a film with a bar that moves, and shows what it became", async () => {
    const slow = { kind: "delay", delayMs: 1_700, method: "PUT", path: /upload_id/u } as const;
    stage.sandbox.video.faults.add(slow);
    await beginUpload("A quiet morning");

    const first = await walk.reads(/\d+%/u);
    const share = /(\d+)%/u.exec(await first.innerText())?.[1] ?? "";
    await walk.reads(new RegExp(`(?<!\\d)(?!${share}%)\\d+%`, "u"));
    await walk.reads(say("videos.upload.done"));

    const card = await walk.last().innerText();
    const [video] = await read<Video>(
      `videos?part=snippet,status&id=${await videoId("A quiet morning")}`,
    );
    expect(card).toContain("A quiet morning");
    expect(card).toContain(say("videos.upload.private"));
    expect(video?.status?.privacyStatus).toBe("private");
  });

  it("uploads nothing when the person cancels on the way", async () => {
    const slow = { kind: "delay", delayMs: 30_000, method: "PUT", path: /upload_id/u } as const;
    stage.sandbox.video.faults.add(slow);
    const before = stage.sandbox.video.uploads.length;
    await beginUpload("Never mind");

    await walk.press(say("common.cancel"));

    await walk.reads(say("videos.upload.cancelled"));
    await walk.reads(say("videos.upload.cancelled_nothing"));
    expect(
      await walk
        .last()
        .getByRole("button", { name: say("common.cancel") })
        .count(),
    ).toBe(0);
    expect(stage.sandbox.video.uploads).toHaveLength(before);
  });

  it("shows a banner as it will be, and sets it when that is confirmed", async () => {
    const blank = { width: 2600, height: 1800, channels: 3, background: "#2a7" } as const;
    const buffer = await sharp({ create: blank }).jpeg().toBuffer();
    const branding = async () => {
      const [channel] = await read<Channel>("channels?part=brandingSettings&mine=true");
      return channel?.brandingSettings?.image?.bannerExternalUrl;
    };
    const before = await branding();
    await walk.type("/branding banner ");
    const file = { name: "meadow.jpg", mimeType: "image/jpeg", buffer };
    await walk.page.locator("[data-field=picture]").setInputFiles(file);
    await walk.run();
    await walk.reads(say("branding.banner.title"));
    const preview = walk.last().locator("[data-picture='preview.webp'] img");
    const seen = await preview.boundingBox();
    const carried = walk.last().locator("img[src*='banner.jpg']");
    const address = new URL((await carried.getAttribute("src")) ?? "", stage.sandbox.url);
    const shown = await sharp(await (await fetch(address)).bytes()).metadata();
    const asked = await branding();

    await walk.press(say("branding.banner.confirm"));
    await walk.reads(say("branding.banner.done"));

    expect(seen?.width).toBeGreaterThan(300);
    expect([shown.width, shown.height]).toEqual([2560, 1440]);
    expect(asked).toBe(before);
    expect(await branding()).not.toBe(before);
  });

  it("deletes a video only when what is lost was seen and confirmed", async () => {
    const title = "Sound check #7: street noise";
    const id = await videoId(title);
    const ask = async () => {
      await walk.type("/videos delete ");
      await walk.take("street noise", /Sound check #7/u);
      await walk.page.keyboard.press("Enter");
      await walk.reads(say("videos.delete.title", { title }));
    };
    await ask();
    const question = await walk.last().innerText();
    await walk.press(say("common.cancel"));
    await walk.reads(say("common.cancelled.text"));
    const kept = await read<Video>(`videos?part=id&id=${id}`);

    await ask();
    await walk.press(say("videos.delete.confirm"));
    await walk.reads(say("videos.delete.done"));

    expect(question).toMatch(/Views\s+[\d.,]+/u);
    expect(question).toContain(say("videos.delete.text", { price: "" }).trim());
    expect(question).toMatch(/\b50 units/u);
    expect(kept).toHaveLength(1);
    expect(await read<Video>(`videos?part=id&id=${id}`)).toEqual([]);
  });

  it("turns a list's pages for each person alone", async () => {
    const other = await createVisitor(browser);
    const neighbour = createWalk(other.page, stage.sandbox.url);
    await neighbour.as("member");
    await walk.send("/search light");
    await walk.reads(say("common.page", { page: 1 }));
    await neighbour.reads(say("common.page", { page: 1 }));
    const first = await walk.last().innerText();
    const titles = await walk.last().locator(".section-text a").allInnerTexts();

    await neighbour.press(say("common.next"));
    await neighbour.reads(say("common.page", { page: 2 }));
    const left = await walk.last().innerText();
    await walk.press(say("common.next"));
    await walk.reads(say("common.page", { page: 2 }));
    const second = await walk.last().innerText();
    await walk.press(say("common.previous"));
    await walk.reads(say("common.page", { page: 1 }));

    expect(await neighbour.last().innerText()).toContain("Only you can see this");
    expect(await neighbour.last().innerText()).toContain(say("common.page", { page: 2 }));
    expect(left).toBe(first);
    expect(second).not.toContain(titles[0]);
    expect(other.faults).toEqual([]);
    await other.page.close();
  });

  const suggested = () => walk.page.getByRole("main").getByRole("option").allInnerTexts();

  it("suggests own videos and playlists by title, and takes one by the cursor keys", async () => {
    await walk.type("/playlists add ");
    await walk.page.keyboard.type("s");
    await walk.offered(walk.page.getByRole("option", { name: /Sponsor drafts · Private/u }));
    const [, second = ""] = await suggested();
    await walk.page.keyboard.press("ArrowDown");
    await walk.page.keyboard.press("Enter");
    const playlist = await walk.page.locator("[data-field=playlist]").inputValue();
    await walk.take("microphone", /Your microphone is fine/u);
    const videos = await walk.page.locator("[data-field=videos]").inputValue();

    expect(playlist).toBe(second.trim());
    expect(videos).toContain("Your microphone is fine");
  });

  it("suggests nothing private to a member", async () => {
    await walk.as("member");
    await walk.type("/playlists show ");
    await walk.offered(walk.page.getByRole("option", { name: /Setup and lighting/u }));
    const all = await suggested();
    await walk.page.keyboard.type("sponsor");
    await walk.page
      .getByRole("option", { name: /Setup and lighting/u })
      .waitFor({ state: "detached" });

    expect(all.join("\n")).not.toMatch(/Private|Unlisted|Sponsor/u);
    expect((await suggested()).join("\n")).not.toContain("Sponsor");
  });

  it("speaks German with who set it: command, options, reply and buttons", async () => {
    const { say: german } = words("de");
    await walk.speak("Deutsch");
    await walk.type("/suche ");
    await walk.page.keyboard.type("coffee");
    const offered = await walk.page.locator("page-command-form").innerText();
    await walk.page.keyboard.press("Enter");
    await walk.reads(german("search.results", { query: "coffee" }));
    await walk.press(german("cards.details"));
    await walk.reads(german("cards.views"));
    const card = await walk.last().innerText();

    expect(offered).toContain(german("search.command.options.order.name"));
    expect(offered).toContain(german("search.command.options.length.description"));
    expect(card).toContain(german("cards.add_to_playlist"));
    expect(card).not.toMatch(/\b(?:Views|Watch|Comments|left today)\b/u);
  });

  it("speaks Japanese", async () => {
    const { say: japanese } = words("ja");
    await walk.speak("日本語");
    await walk.send("/検索 coffee");
    await walk.reads(japanese("search.results", { query: "coffee" }));

    expect(
      await walk
        .last()
        .getByRole("button", { name: japanese("common.next") })
        .count(),
    ).toBe(1);
  });

  it("adds all videos of a message by its menu", async () => {
    const { page } = walk;
    const ids = await Promise.all(["Green screen", "Camera settings"].map(videoId));
    const links = ids.map((id) => `https://youtu.be/${id}`).join(" and ");
    await walk.send(`Look at ${links}`);
    await (await walk.reads("Look at")).click({ button: "right", position: { x: 200, y: 12 } });
    await page.getByRole("menuitem", { name: /Apps/u }).hover();
    await page.getByRole("menuitem", { name: "Add to playlist" }).click();
    await walk.reads(say("playlists.choose.title", { count: 2 }));

    await walk.choose(/^\s*Sponsor drafts/u);

    await walk.reads(say("playlists.add.done", { count: 2, playlist: "Sponsor drafts" }));
    expect(await titlesIn("Sponsor drafts")).toEqual(
      expect.arrayContaining([
        expect.stringContaining("Green screen"),
        expect.stringContaining("Camera settings"),
      ]),
    );
  });

  it("changes a comment in a form that comes with its text", async () => {
    await walk.type("/comments post ");
    await walk.take("microphone", /Your microphone is fine/u);
    await walk.add("text");
    await walk.page.keyboard.type("Wich one do you use?");
    await walk.page.keyboard.press("Enter");
    await walk.reads(say("comments.posted"));
    await walk.press(say("comments.button.edit"));
    const dialog = walk.page.getByRole("dialog", { name: say("comments.form.edit") });
    const text = dialog.getByRole("textbox");
    const before = await text.inputValue();
    await text.fill("Which one do you use?");
    await dialog.getByRole("button", { name: "Submit" }).click();

    await walk.reads(say("comments.edited"));

    const id = await videoId("Your microphone is fine");
    const threads = await read<CommentThread>(`commentThreads?part=snippet&videoId=${id}`);
    const texts = threads.map(({ snippet }) => snippet?.topLevelComment?.snippet?.textOriginal);
    expect(before).toBe("Wich one do you use?");
    expect(texts).toContain("Which one do you use?");
    expect(texts).not.toContain("Wich one do you use?");
  });

  it("approves two held comments at once", async () => {
    const path = "commentThreads?part=snippet&moderationStatus=heldForReview&maxResults=100";
    const held = async () => {
      const own = `${path}&allThreadsRelatedToChannelId=${stage.sandbox.video.ownChannelId}`;
      return (await read<CommentThread>(own)).map(({ id }) => id);
    };
    const before = await held();
    await walk.as("moderator");
    await walk.send("/comments held ");
    await walk.reads(say("comments.held.hint"));
    const { page } = walk;
    await walk.last().locator("page-select").getByRole("combobox").click();
    const chosen: (string | null)[] = [];
    for (const option of (await page.getByRole("main").getByRole("option").all()).slice(1, 3)) {
      chosen.push(await option.getAttribute("data-value"));
      await option.click();
    }
    await page.keyboard.press("Escape");
    await walk.reads(say("comments.held.chosen", { count: 2 }));

    await walk.press(say("comments.held.approve", { count: 2 }));
    await walk.reads(say("comments.decided.all", { status: "published", count: 2 }));

    const ids = `comments?part=snippet&id=${chosen.join(",")}`;
    const states = (await read<Comment>(ids)).map(({ snippet }) => snippet?.moderationStatus);
    expect(before).toEqual(expect.arrayContaining(chosen));
    expect(states).toEqual(["published", "published"]);
    expect(await held()).toEqual(before.filter((id) => !chosen.includes(id ?? "")));
  });

  it("keeps to Discord's specification in all of this", async () => {
    expect(await stage.violations()).toEqual([]);
  });
});
