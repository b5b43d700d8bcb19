import { describe, expect, it } from "vitest";
import { fetchBytes, isEphemeral, textOf } from "../support/stage.ts";
import { expectPrivate, expectText, useStage } from "../support/use-stage.ts";

const { stage, owner, member, units } = useStage();
const { run, click, submit, clickForm } = owner;

interface Section {
  readonly id: string;
  readonly snippet: { readonly type: string; readonly title?: string; readonly position: number };
  readonly contentDetails?: { readonly playlists?: string[]; readonly channels?: string[] };
}

async function read<T>(
  path: string,
  params: Readonly<Record<string, string>>,
): Promise<readonly T[]> {
  const { url, key } = stage.sandbox.video;
  const query = new URLSearchParams({ ...params, key });
  const { items } = (await (await fetch(`${url}/${path}?${query}`)).json()) as { items: T[] };
  return items;
}

const sections = () =>
  read<Section>("channelSections", {
    part: "snippet,contentDetails",
    channelId: stage.sandbox.video.ownChannelId,
  });

async function branding(): Promise<Record<string, unknown>> {
  const [channel] = await read<{ brandingSettings: { channel: Record<string, unknown> } }>(
    "channels",
    { part: "brandingSettings", id: stage.sandbox.video.ownChannelId },
  );
  return channel?.brandingSettings.channel ?? {};
}

function others(): readonly {
  readonly id: string;
  readonly handle: string;
  readonly title: string;
  readonly username?: string | undefined;
}[] {
  const { channels, ownChannelId } = stage.sandbox.video;
  return [...channels.values()].filter(({ id }) => id !== ownChannelId);
}

async function sectionNamed(part: string): Promise<string> {
  const found = await owner.offered("channels edit-section", "section", part);
  return String(found[0]?.value);
}

describe("/channels show", () => {
  it.each(["channels show", "channels sections"])(
    "%s lets nothing in extra stand beside a channel that is named",
    async (path) => {
      const asked = stage.videoRequests.length;
      const [channel] = others();

      const answer = await run(path, { channel: channel?.id ?? "", extra: "mine=true" });

      expect(textOf(answer)).toContain("can’t be combined");
      expect(stage.videoRequests).toHaveLength(asked);
    },
  );

  it("shows the linked channel when none is named", async () => {
    const card = await member.run("channels show");

    expectText(card, "Greenroom Studio", "Subscribers", /1 unit · /u);
  });

  it.each([
    ["a handle", ({ handle }: { handle: string }) => handle],
    ["an id", ({ id }: { id: string }) => id],
    ["a link", ({ id }: { id: string }) => `https://www.youtube.com/channel/${id}`],
  ])("takes %s", async (_, of) => {
    const [other] = others();
    if (other === undefined) throw new Error("there is one channel only");

    const card = await member.run("channels show", { channel: of(other) });

    expect(textOf(card)).toContain(other.title);
  });

  it("refuses a video's link by its name, and what is no channel, before a unit is spent", async () => {
    const before = units();

    const video = await member.run("channels show", { channel: "https://youtu.be/dQw4w9WgXcQ" });
    const words = await member.run("channels show", { channel: "🎬 مرحبا" });

    expect(textOf(video)).toMatch(/video/u);
    expect(isEphemeral(words)).toBe(true);
    expect(units()).toBe(before);
  });

  it("takes a handle without its @, and the names of old addresses", async () => {
    const [named] = others().filter(({ username }) => username !== undefined);
    const { handle = "", title, username = "" } = named ?? {};

    const texts = [
      handle.slice(1),
      `youtube.com/user/${username}`,
      `youtube.com/c/${handle.slice(1)}`,
    ];
    for (const channel of texts) {
      expect(textOf(await member.run("channels show", { channel }))).toContain(title);
    }
  });

  it.each([
    ["@สวนหลังบ้าน", "No channel has the handle @สวนหลังบ้าน"],
    ["https://www.youtube.com/@%E0%B8%81%E0%B9%87%E0%B9%84%E0%B8%94%E0%B9%89", "@ก็ได้"],
    ["＠ガジェット".normalize("NFD"), "No channel has the handle @ガジェット"],
    ["Markipliers", "No channel has the handle @Markipliers"],
    ["https://www.youtube.com/user/nobody", "No channel has the old user name nobody"],
    ["https://www.youtube.com/c/nobody", "copy the @handle below the channel’s name"],
    ["https://www.youtube.com/nobody", "can’t look up the old address of nobody"],
  ])("asks YouTube for %s, and says what it did not find", async (channel, said) => {
    const answer = await member.run("channels show", { channel });

    expectText(answer, "Channel not found", said);
    expect(textOf(answer)).not.toMatch(/paste its link/u);
  });

  it("says so when there is no such channel", async () => {
    const answer = await member.run("channels show", { channel: "@nobody-is-called-so" });

    expect(textOf(answer)).toContain("No channel has the handle @nobody-is-called-so");
  });

  it("gives the answer as it came", async () => {
    const { attachments } = await member.run("channels show", { output: "raw" });
    const raw = JSON.parse((await fetchBytes(`${attachments[0]?.url}`)).toString()) as {
      kind: string;
    };

    expect(raw.kind).toBe("youtube#channelListResponse");
  });
});

describe("/channels edit", () => {
  it("sends nothing where it is so already", async () => {
    const country = `${(await branding()).country}`;
    const sent = () => stage.videoRequests.filter(({ verb }) => verb === "PUT").length;
    const before = sent();

    const message = await run("channels edit", { country });

    expectText(message, "Nothing was changed", "It’s like that already.");
    expect(sent()).toBe(before);
  });

  it("shows the settings and that the name can't change, and edits them in a form", async () => {
    const settings = await run("channels edit");
    const form = await clickForm(settings, "Edit");
    const done = await submit(form, {
      description: "New words 🎬 مرحبا",
      keywords: "",
      country: "de",
    });

    expectPrivate(settings, "name can only be changed on YouTube");
    expectText(done, /Description\n[\s\S]+→ .?New words 🎬/u, "United Kingdom → Germany");
    expect(await branding()).toMatchObject({ description: "New words 🎬 مرحبا", country: "DE" });
    expect((await branding()).keywords ?? "").toBe("");
    expect(await branding()).toMatchObject({ title: "Greenroom Studio", showBrowseView: true });
  });

  it("changes what is given and keeps all else, a part of the settings at a time", async () => {
    const before = await branding();

    const done = await run("channels edit", { country: "FR", made_for_kids: false });

    expectText(done, "Channel updated", "Germany → France");
    expect(textOf(done)).not.toContain("New words");
    expect(await branding()).toEqual({ ...before, country: "FR" });
  });

  it("says so when a form was left as it was", async () => {
    const form = await clickForm(await run("channels edit"), "Edit");

    const answer = await submit(form, {});

    expect(textOf(answer)).toContain("Nothing to change");
  });

  it.each([
    ["country", "1!"],
    ["language", "??"],
    ["trailer", "https://example.org/x"],
  ])("refuses a %s that can't be one", async (field, text) => {
    const form = await clickForm(await run("channels edit"), "Edit");
    const before = units();

    const refusal = await submit(form, { [field]: text });

    expect(textOf(refusal)).not.toContain("Nothing was changed");
    expect(units()).toBe(before);
  });

  it("knows no title, and says what it knows", async () => {
    const refusal = await run("channels edit", { extra: "brandingSettings.channel.title=Mine" });

    expect(textOf(refusal)).toContain("localizations");
  });

  it("is not for members", async () => {
    expect(textOf(await member.run("channels edit"))).toContain(
      "You don’t have permission for this",
    );
  });
});

describe("/channels sections", () => {
  it("shows each with its kind, its place and links to what is in it", async () => {
    const list = await member.run("channels sections");

    expect(textOf(list)).toMatch(
      /\*\*Series\*\*\nSeveral playlists · Place 4\n\[.+\]\(https:.+playlist\?list=/u,
    );
    expect(textOf(list)).toContain("**Latest videos**\nPlace 1");
  });

  it("opens from a channel's card", async () => {
    const card = await member.run("channels show");

    const list = await member.click(card, "Sections");

    expectPrivate(list, "Sections of Greenroom Studio");
  });
});

describe("/channels add-section", () => {
  it("adds one of several playlists at a place", async () => {
    const found = await owner.offered("channels add-section", "playlists", "");
    const playlists = found.slice(0, 2).map(({ value }) => value);

    const done = await run("channels add-section", {
      type: "multiplePlaylists",
      title: "Two of them",
      playlists: playlists.join(" "),
      position: 1,
    });

    expect(textOf(done)).toContain("Section added");
    expect((await sections())[0]).toMatchObject({
      snippet: { type: "multiplePlaylists", title: "Two of them", position: 0 },
      contentDetails: { playlists },
    });
  });

  it("adds one of channels by their handles", async () => {
    const [first, second] = others();

    const done = await run("channels add-section", {
      type: "multipleChannels",
      title: "Friends",
      channels: `${first?.handle} ${second?.id}`,
    });

    expect(textOf(done)).toContain(`${first?.title}`);
    expect((await sections()).at(-1)?.contentDetails?.channels).toEqual([first?.id, second?.id]);
  });

  it.each([
    [{ type: "multiplePlaylists", title: "x" }, /needs at least one playlist/u],
    [{ type: "singlePlaylist" }, /needs at least one playlist/u],
    [{ type: "multipleChannels", channels: "@lumen-lab" }, /needs a title/u],
    [
      { type: "recentUploads", playlists: "PLATR9t9aGt-zI1yAGcoCKU2Mp2mXoXTeg" },
      /shows no playlists/u,
    ],
    [{ type: "recentUploads", channels: "@lumen-lab" }, /shows no channels/u],
    [{ type: "postedVideos" }, /fills this kind of section itself/u],
    [{ type: "singlePlaylist", playlists: "https://youtu.be/dQw4w9WgXcQ" }, /video/u],
  ])("refuses %j before a unit is spent", async (options, words) => {
    const before = units();

    const refusal = await run("channels add-section", options);

    expect(textOf(refusal)).toMatch(words);
    expect(units()).toBe(before);
  });

  it("refuses a playlist that is not there before the write", async () => {
    const before = (await sections()).length;

    const refusal = await run("channels add-section", {
      type: "singlePlaylist",
      playlists: "PLAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    });

    expect(textOf(refusal)).toMatch(/can.t be found|no such/u);
    expect(await sections()).toHaveLength(before);
  });

  it("warns when nobody will see it, and a press shows all sections", async () => {
    await run("channels edit", { show_sections: false });

    const done = await run("channels add-section", { type: "likes" });
    const shown = await click(done, "Show sections");

    expect(textOf(done)).toContain("No one sees it yet");
    expect(textOf(shown)).toContain("Sections visible\nNo → Yes");
    expect(await branding()).toMatchObject({ showBrowseView: true });
  });
});

describe("/channels edit-section", () => {
  it("sends nothing where it is so already", async () => {
    const section = await sectionNamed("Series");
    const sent = () => stage.videoRequests.filter(({ verb }) => verb === "PUT").length;
    const before = sent();

    const message = await run("channels edit-section", { section, title: "Series" });

    expectText(message, "Nothing was changed", "It’s like that already.");
    expect(sent()).toBe(before);
  });

  it("moves and renames the one that was suggested, and keeps what it shows", async () => {
    const section = await sectionNamed("Series");

    const done = await run("channels edit-section", { section, title: "Serien", position: 2 });

    expectText(done, "Title\nSeries → Serien", /Place\n\d → 2/u);
    expect(textOf(done)).not.toContain("Kind\n");
    expect(textOf(done)).toContain("Serien");
    const [changed] = (await sections()).filter(({ id }) => id === section);
    expect(changed).toMatchObject({
      snippet: { type: "multiplePlaylists", title: "Serien", position: 1 },
    });
    expect(changed?.contentDetails?.playlists).toHaveLength(3);
  });

  it("takes the playlists out when it becomes another kind", async () => {
    const section = await sectionNamed("Serien");

    const done = await run("channels edit-section", { section, type: "popularUploads" });

    expectText(done, "Type\nSeveral playlists → Popular videos", /Playlists\n[\s\S]+→ not set/u);
    const [changed] = (await sections()).filter(({ id }) => id === section);
    expect(changed?.snippet.type).toBe("popularUploads");
    expect(changed?.contentDetails?.playlists ?? []).toEqual([]);
  });

  it("says so when nothing is to change, or the section is gone", async () => {
    const section = await sectionNamed("Latest videos");

    const nothing = await run("channels edit-section", { section });
    const gone = await run("channels edit-section", {
      section: `${section.slice(0, -3)}abc`,
      title: "x",
    });

    expect(textOf(nothing)).toContain("Nothing to change");
    expect(textOf(gone)).toMatch(/Section not found|no longer there|can.t be found/u);
  });
});

describe("/channels delete-section", () => {
  it("says what is lost and the price, then deletes it once", async () => {
    const section = await sectionNamed("Friends");
    const before = (await sections()).length;

    const question = await run("channels delete-section", { section });
    const kept = (await sections()).length;
    const done = await click(question, "Delete");

    expectText(question, "Delete the section “Friends”?", "This costs 50 units");
    expect(kept).toBe(before);
    expect(textOf(done)).toContain("Section deleted");
    expect(await sections()).toHaveLength(before - 1);
  });

  it("asks from the list as well, and a member may not", async () => {
    const list = await run("channels sections");
    const before = (await sections()).length;

    const refusal = await member.click(list, "Delete");
    const question = await click(list, "Delete");
    await owner.person().click(question, "Cancel");

    expect(textOf(refusal)).toContain("You don’t have permission for this");
    expect(isEphemeral(question)).toBe(true);
    expect(await sections()).toHaveLength(before);
  });

  it("speaks German", async () => {
    owner.speak("de");
    const found = await owner.offered("channels delete-section", "section", "");
    const question = await run("channels delete-section", { section: String(found[0]?.value) });
    owner.speak("en-US");

    expectText(question, /Abschnitt „.+“ löschen\?/u, "lässt sich nicht zurückholen");
  });
});
