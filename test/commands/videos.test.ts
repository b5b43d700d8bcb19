import type { APIMessage } from "discord-api-types/v10";
import { beforeAll, describe, expect, it } from "vitest";
import type { OptionInput, PersonName } from "../../src/sandbox/types.ts";
import type { Method, Video } from "../../src/video/index.ts";
import { asMessage, fetchBytes, isEphemeral, textOf } from "../support/stage.ts";
import { expectPrivate, expectPublic, expectText, useStage } from "../support/use-stage.ts";

/** Finds one of the channel's own videos by the beginning of its title. */
let own: (title: string) => string;
let foreign: string;
const { stage, owner, as, moderator, member, videoAnswers } = useStage();
beforeAll(async () => {
  const choices = await owner.offered("videos show", "video", "");
  own = (title) => String(choices.find(({ name }) => name.startsWith(title))?.value);
  const popular = await listed("/videos?part=snippet&chart=mostPopular&regionCode=US");
  foreign = popular[0]?.id ?? "";
});

type Options = Readonly<Record<string, OptionInput>>;

const run = async (path: string, options: Options, who: PersonName = "owner") =>
  await as(who).run(`videos ${path}`, options);

const count = (method: Method) =>
  stage.videoRequests.filter((seen) => seen.method === method).length;

async function listed(path: string, token?: string): Promise<readonly Video[]> {
  const { url, key } = stage.sandbox.video;
  const credential = token === undefined ? `&key=${key}` : "";
  const response = await fetch(`${url}${path}${credential}`, {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });
  return ((await response.json()) as { items: Video[] }).items;
}

/** A video as the channel itself sees it. */
async function seen(id: string): Promise<Video | undefined> {
  const { oauth, video } = stage.sandbox;
  const { accessToken } = oauth.mint({ channelId: video.ownChannelId });
  return (await listed(`/videos?part=snippet,status&id=${id}`, accessToken))[0];
}

/** Without the line about units, because a cached answer costs nothing. */
const withoutCost = (message: APIMessage) => textOf(message).replace(/^\d+ unit.*\n?/mu, "");

/** Values of the first select menu of a message. */
function valuesOf(message: APIMessage): readonly string[] {
  const rows = (message.components ?? []) as unknown as {
    components: { options?: { value: string }[] }[];
  }[];
  const select = rows.flatMap((row) => row.components).find(({ options }) => options);
  return select?.options?.map(({ value }) => value) ?? [];
}

describe("/videos list", () => {
  it("shows the popular ones of a country to everybody", async () => {
    const message = await run("list", { region: "JP" }, "member");

    expectPublic(message, "Popular videos · Japan", /\d:\d\d · .* views/u);
  });

  it("shows several by link", async () => {
    const videos = `https://youtu.be/${foreign} ${own("Camera settings")}`;

    const message = await run("list", { videos }, "member");

    expectText(message, "Videos", "Camera settings I never change any more");
  });

  it("shows what the channel liked to moderators, privately, and turns its pages", async () => {
    const first = await run("list", { show: "liked" }, "moderator");
    const second = await moderator.click(first, "Next");

    expectPrivate(first, "Videos the channel liked");
    expect(textOf(second)).toContain("Page 2");
  });

  it("refuses what the channel liked to members, before anything is asked", async () => {
    const before = stage.videoRequests.length;

    const refusal = await run("list", { show: "disliked" }, "member");

    expect(textOf(refusal)).toContain("You don’t have permission for this");
    expect(stage.videoRequests).toHaveLength(before);
  });

  it("takes no more than fifty links", async () => {
    const videos = Array.from({ length: 51 }, (_, at) => `${`${at}`.padStart(11, "a")}`).join(" ");
    const before = stage.videoRequests.length;

    const refusal = await run("list", { videos });

    expect(textOf(refusal)).toContain("50");
    expect(stage.videoRequests).toHaveLength(before);
  });

  it("gives the whole list as JSON", async () => {
    const message = await run("list", { show: "liked", output: "json" });
    const liked = JSON.parse((await fetchBytes(message.attachments[0]?.url ?? "")).toString());

    expect(isEphemeral(message)).toBe(true);
    expect(liked.length).toBeGreaterThan(5);
  });
});

describe("/videos show", () => {
  it("names the command in the log, also where an option can't be read", async () => {
    await run("show", { video: "no video" });

    const { name, code } = JSON.parse(
      stage.logged.findLast((line) => line.includes("failed")) ?? "",
    );
    expect({ name, code }).toEqual({ name: "videos show", code: "option_unreadable" });
  });

  it("answers everybody, with a link of any kind", async () => {
    const message = await run("show", { video: `https://www.youtube.com/shorts/${foreign}` });

    expectPublic(message, "Views", "Report");
  });

  it("shows a private one to a moderator privately, and to a member as not there", async () => {
    const id = own("Private: sponsor draft");

    const forModerator = await run("show", { video: id }, "moderator");
    const forMember = await run("show", { video: id }, "member");
    const missing = await run("show", { video: "aaaaaaaaaaa" }, "member");

    expectPrivate(forModerator, "Private: sponsor draft");
    expect(withoutCost(forMember)).toBe(withoutCost(missing));
    expect(textOf(forMember)).toContain("Video not found");
    expect(
      as("member")
        .messages()
        .filter((message) => textOf(message).includes("sponsor draft")),
    ).toEqual([]);
  });

  it("says what a link to something else is", async () => {
    const playlist = "https://www.youtube.com/playlist?list=PLabcdefghijklmnopq";

    const refusal = await run("show", { video: playlist });

    expect(textOf(refusal)).toContain("playlist");
    expect(isEphemeral(refusal)).toBe(true);
  });
});

/** Chooses a page of details below a video. */
async function page(message: APIMessage, section: string, who: PersonName = "owner") {
  return await as(who).choose(message, [section]);
}

const lastVideoQuery = () =>
  stage.videoRequests.filter(({ method }) => method === "videos.list").at(-1);

describe("the details of a video", () => {
  it("are pages to choose from, in an answer of their own that turns its pages", async () => {
    const card = await run("show", { video: foreign }, "member");
    const content = await page(card, "content", "member");
    const numbers = await page(content, "numbers", "member");

    expect(textOf(card)).not.toContain("Projection");
    expectPrivate(content, "Projection\nFlat");
    expect(numbers.id).toBe(content.id);
    expect(textOf(numbers)).toMatch(/Views\n[\d,]+/u);
  });

  it("come at once when one page is named, and to everybody", async () => {
    const message = await run("show", { video: foreign, details: "topics" }, "member");

    expectPublic(message, "https://en.wikipedia.org/wiki/");
  });

  it("show a stream's plan, and its chat", async () => {
    const message = await run("show", { video: own("Studio tour"), details: "live" });

    expectText(message, /Planned start\n<t:\d+:f> \(<t:\d+:R>\)/u, "ID of the live chat");
  });

  it("have all settings of an own video, also those that an edit never named", async () => {
    const message = await run("show", { video: own("Camera settings"), details: "settings" });

    for (const setting of [
      /Category\n\S/u,
      /License\n(Standard license|Creative Commons)/u,
      /Can be embedded\nYes/u,
      /Public statistics\nYes/u,
      /Made for kids\nNo/u,
      /Language of the texts\nEnglish/u,
      /Spoken language\nEnglish/u,
      /Paid promotion\nNo/u,
    ]) {
      expect(textOf(message)).toMatch(setting);
    }
  });

  it("lead to the thumbnail in every size that there is, the largest shown", async () => {
    const popular = await listed("/videos?part=snippet&chart=mostPopular&maxResults=50");
    const wide = popular.find(({ snippet }) => snippet?.thumbnails?.uhd !== undefined);

    const message = await run("show", { video: wide?.id ?? "", details: "pictures" }, "member");

    expectText(message, "4K · 3840 × 2160", "Smallest · 120 × 90");
    expect(message.embeds[0]?.image?.url).toBe(wide?.snippet?.thumbnails?.uhd?.url);
  });

  it("show a moderator privately what the file was and how it is processed", async () => {
    const id = own("Camera settings");

    const file = await run("show", { video: id, details: "file" }, "moderator");
    const processing = await page(file, "processing", "moderator");

    expectPrivate(file, /Size\n[\d.]+ [MG]B/u, /Picture 1\n\d+ × \d+ · [\d.]+ frames per second/u);
    expect(textOf(processing)).toContain("Processing\nDone");
    expect(
      as("member")
        .messages()
        .filter((message) => textOf(message).includes("frames per second")),
    ).toEqual([]);
  });

  it.each(["file", "processing", "suggestions"])(
    "refuse %s of somebody else's video before the service does",
    async (details) => {
      const refusal = await run("show", { video: foreign, details });
      const offer = await run("show", { video: foreign });

      expect(textOf(refusal)).toContain("only to the video’s owner");
      expect(isEphemeral(refusal)).toBe(true);
      expect(lastVideoQuery()?.status).toBe(200);
      expect(valuesOf(offer)).not.toContain(details);
    },
  );

  it("are refused to members where the channel's consent is needed", async () => {
    const id = own("Camera settings");

    const refusal = await run("show", { video: id, details: "file" }, "member");
    const offer = await run("show", { video: id }, "member");

    expect(textOf(refusal)).toContain("You don’t have permission for this");
    expect(valuesOf(offer)).not.toContain("file");
  });

  it("stand below each video of a list", async () => {
    const videos = `${own("Camera settings")} ${own("B-roll from")}`;

    const open = await run("list", { videos, details: "content" }, "member");
    const files = await run("list", { videos, details: "file" });

    expect(textOf(open).match(/Quality: [HS]D/gu)).toHaveLength(2);
    expect(isEphemeral(files)).toBe(true);
    expect(textOf(files).match(/Bitrate: /gu)).toHaveLength(2);
  });
});

describe("/videos player", () => {
  it("gives the code in the size that was asked for", async () => {
    const message = await run("player", { video: own("Camera settings"), width: 1000 }, "member");

    expectText(message, '<iframe width="1000" height="563"', "Width in pixels\n1,000");
  });

  it.each([{ width: 71 }, { height: 8193 }])("takes no size like %o", async (size) => {
    const before = count("videos.list");

    const answer = run("player", { video: foreign, ...size });

    await expect(answer).rejects.toThrow();
    expect(count("videos.list")).toBe(before);
  });

  it("is where sizes are offered: beside a list they would have no effect", async () => {
    const offers = await owner.offered("videos list", "extra", "max");

    expect(offers.map(({ value }) => value)).toEqual(["maxResults="]);
  });
});

describe("/videos rate and rating", () => {
  it("rates as the channel, says so, and takes it back with a button", async () => {
    const liked = await run("rate", { video: foreign, rating: "like" });
    const rating = await run("rating", { videos: foreign });
    const undone = await owner.click(liked, "Remove rating");
    const after = await run("rating", { videos: foreign });

    expect(textOf(liked)).toContain("Video liked");
    expect(textOf(rating)).toContain("Liked");
    expect(textOf(undone)).toContain("Rating removed");
    expect(textOf(after)).toContain("Not rated");
  });

  it("sends no rating that is there already", async () => {
    await run("rate", { video: foreign, rating: "dislike" });
    const before = count("videos.rate");

    const again = await run("rate", { video: foreign, rating: "dislike" });

    expectText(again, "Nothing was changed", "It’s like that already.");
    expect(count("videos.rate")).toBe(before);
    await run("rate", { video: foreign, rating: "none" });
  });

  it("leaves rating to managers", async () => {
    const before = count("videos.rate");

    const refusal = await run("rate", { video: foreign, rating: "like" }, "moderator");

    expect(textOf(refusal)).toContain("You don’t have permission for this");
    expect(count("videos.rate")).toBe(before);
  });
});

describe("/videos delete", () => {
  it("names what is lost and its price, and deletes once it is confirmed", async () => {
    const id = own("Cheap softbox");

    const question = await run("delete", { video: id });
    const before = count("videos.delete");
    const done = await owner.click(question, "Delete permanently");

    expectText(question, "Delete “Cheap softbox, honest review after a year”?", /Views\n[\d.]+/u);
    expectText(question, /Comments\n\d+/u, "50 units");
    expect(count("videos.delete")).toBe(before + 1);
    expect(textOf(done)).toContain("permanently deleted");
    expect(await seen(id)).toBeUndefined();
  });

  it("deletes nothing on Cancel", async () => {
    const id = own("Camera settings");
    const question = await run("delete", { video: id });

    const done = await owner.click(question, "Cancel");

    expect(textOf(done)).toContain("Nothing was changed");
    expect(await seen(id)).toBeDefined();
  });

  it("refuses somebody else's video before it asks", async () => {
    const refusal = await run("delete", { video: foreign });

    expect(textOf(refusal)).toContain("Not the linked channel’s video");
    expect(refusal.components).toEqual([]);
  });

  it("is reached from a video's card", async () => {
    const card = await run("show", { video: own("B-roll from") });

    const question = await owner.click(card, "Delete");

    expectPrivate(question, "Delete “B-roll from your kitchen”?");
  });
});

describe("/videos edit", () => {
  it("sends nothing where it is so already", async () => {
    const id = own("Colour grading");
    const title = (await seen(id))?.snippet?.title ?? "";
    const before = count("videos.update");

    const message = await run("edit", { video: id, title });
    const spaced = await run("edit", { video: id, title: ` ${title} ` });

    for (const one of [message, spaced])
      expectText(one, "Nothing was changed", "It’s like that already.");
    expect(count("videos.update")).toBe(before);
  });

  it.each([
    [{ title: "a <b>" }, "in “title”: < >"],
    [{ description: "a > b" }, "in “description”: < >"],
    [{ description: "é".repeat(2_501) }, "5,002 bytes, and at most 5,000 fit"],
  ] as const)("reads nothing for what YouTube refuses: %j", async (texts, said) => {
    const before = stage.videoRequests.length;

    const message = await run("edit", { video: own("Colour grading"), ...texts });

    expectText(message, said);
    expect(stage.videoRequests).toHaveLength(before);
  });

  it.each([
    ["too many characters", { tags: `${"x".repeat(250)}, ${"y".repeat(250)}` }, "these have 501"],
    [
      "quotes around spaces",
      { tags: `${"x".repeat(100)} y, ${"z".repeat(397)}` },
      "these have 502",
    ],
    ["marks", { tags: "a<b" }, "YouTube doesn’t allow these characters in “tags”: < >"],
  ] as const)(
    "refuses tags that YouTube refuses before they are sent: %s",
    async (_, tags, said) => {
      const before = stage.videoRequests.length;

      const message = await run("edit", { video: own("Colour grading"), ...tags });

      expectText(message, "“tags”", said);
      expect(stage.videoRequests).toHaveLength(before);
    },
  );

  it("opens a form that holds all tags that YouTube takes, with the blanks between them", async () => {
    const video = own("Colour grading");
    const tags = Array.from({ length: 166 }, (_, at) => `${String.fromCharCode(0x100 + at)}x`);
    await run("edit", { video, tags: tags.join(",") });

    const form = await owner.runForm("videos edit", { video });
    await owner.submit(form, { title: "Colour with many tags" });

    expect((await seen(video))?.snippet).toMatchObject({ title: "Colour with many tags", tags });
  });

  it("reads tags between the commas of other scripts, in the option as in the form", async () => {
    const [inOption, inForm] = [own("Colour grading"), own("Thumbnails that")];
    const form = await owner.runForm("videos edit", { video: inForm });

    await run("edit", { video: inOption, tags: "料理、パン，旅行；パン、" });
    await owner.submit(form, { tags: "料理、パン；\n旅行" });

    const tags = ["料理", "パン", "旅行"];
    expect((await seen(inOption))?.snippet?.tags).toEqual(tags);
    expect((await seen(inForm))?.snippet?.tags).toEqual(tags);
  });

  it.each([
    ["too many characters", `${"x".repeat(250)}、${"y".repeat(250)}`, "these have 501"],
    ["marks", "<3", "YouTube doesn’t allow these characters in “tags”: < >"],
  ] as const)("sends nothing of a form whose tags have %s", async (_, tags, said) => {
    const form = await owner.runForm("videos edit", { video: own("Colour grading") });
    const before = count("videos.update");

    const message = await owner.submit(form, { tags });

    expectText(message, said);
    expect(count("videos.update")).toBe(before);
  });

  it("changes what is given and keeps everything else", async () => {
    const id = own("Colour grading");
    const before = await seen(id);

    await run("edit", {
      video: id,
      title: "Colour 🎨 مرحبا",
      embed: false,
      extra: "recordingDetails.recordingDate=2026-01-31T12:00:00Z",
    });
    const after = await seen(id);

    expect(after?.snippet?.title).toBe("Colour 🎨 مرحبا");
    expect(after?.snippet?.tags).toEqual(before?.snippet?.tags);
    expect(after?.snippet?.description).toBe(before?.snippet?.description);
    expect(after?.status?.embeddable).toBe(false);
    expect(after?.status?.privacyStatus).toBe(before?.status?.privacyStatus);
  });

  it("names the video also when only its extras change", async () => {
    const id = own("Colour grading");

    const message = await run("edit", {
      video: id,
      extra: "recordingDetails.recordingDate=2026-02-28T12:00:00Z",
    });

    expect(textOf(message)).toContain("Colour 🎨 مرحبا");
  });

  it("opens a form that is filled with what is there, and clears what is emptied", async () => {
    const id = own("Thumbnails that");
    const form = await owner.runForm("videos edit", { video: id });

    const done = await owner.submit(form, {
      description: "",
      tags: "one, two",
      privacy: ["unlisted"],
    });
    const after = await seen(id);

    expect(JSON.stringify(form)).toContain("Thumbnails that tell the truth");
    expect(textOf(done)).toContain("Video updated");
    expect(after?.snippet?.description).toBe("");
    expect(after?.snippet?.tags).toEqual(["one", "two"]);
    expect(after?.snippet?.title).toBe("Thumbnails that tell the truth");
    expect(after?.status?.privacyStatus).toBe("unlisted");
  });

  it("writes nothing when the form comes back as it was", async () => {
    const video = own("Captions in five");
    const form = await owner.runForm("videos edit", { video });
    const before = count("videos.update");

    const done = await owner.submit(form, {});

    expect(textOf(done)).toContain("Nothing was changed");
    expect(count("videos.update")).toBe(before);
  });

  it("gives back what was typed when a date can't be", async () => {
    const id = own("Q&A");
    const form = await owner.runForm("videos edit", { video: id });

    const refusal = await owner.submit(form, { title: "Typed", publish: "yesterday" });
    const again = await owner.clickForm(refusal, "Back to the form");
    await owner.submit(again, { publish: "" });

    expect(textOf(refusal)).toContain("is in the past");
    expect(JSON.stringify(again)).toContain("Typed");
    expect((await seen(id))?.snippet?.title).toBe("Typed");
  });

  it("gives back what was typed when YouTube fails", async () => {
    const form = await owner.runForm("videos edit", { video: own("Green screen") });
    videoAnswers(/\/videos\b/u, { status: 400, reason: "badRequest" });

    const failure = await owner.submit(form, { title: "Typed with care" });
    const again = await owner.clickForm(failure, "Back to the form");

    expect(JSON.stringify(again)).toContain("Typed with care");
  });

  it("makes a scheduled video private until then", async () => {
    const id = own("Green screen");

    await run("edit", { video: id, privacy: "public", publish: "in 3 days" });
    const { status } = (await seen(id)) ?? {};

    expect(status?.privacyStatus).toBe("private");
    expect(Date.parse(status?.publishAt ?? "")).toBeGreaterThan(Date.now());
  });

  it.each([
    ["a date in the past", { publish: "yesterday 10:00" }],
    ["a title of 101 characters", { title: "x".repeat(101) }],
    ["a description of more than 5,000 bytes", { description: "ä".repeat(2501) }],
    ["unlisted and scheduled at once", { privacy: "unlisted", publish: "in 3 days" }],
    ["angle brackets in a title", { title: "a <b>" }],
  ])("refuses %s without a write", async (_, options) => {
    const before = count("videos.update");

    const answer = owner.run("videos edit", { video: own("My worst"), ...options });
    // What is longer than the option allows is refused by Discord itself.
    const refused = await answer
      .then((message) => isEphemeral(asMessage(message)))
      .catch(() => true);

    expect(refused).toBe(true);
    expect(count("videos.update")).toBe(before);
  });

  it("refuses somebody else's video before it costs a write", async () => {
    const before = count("videos.update");

    const refusal = await run("edit", { video: foreign, title: "Mine" });

    expect(textOf(refusal)).toContain("Not the linked channel’s video");
    expect(count("videos.update")).toBe(before);
  });

  it("is not for moderators", async () => {
    const refusal = await run("edit", { video: own("My worst") }, "moderator");

    expect(textOf(refusal)).toContain("You don’t have permission for this");
  });
});

describe("the answer of an edit", () => {
  it("says what was changed, from what to what, and nothing else", async () => {
    const id = own("My worst");
    const license = (await seen(id))?.status?.license;
    const [was, is] =
      license === "youtube"
        ? ["Standard license", "Creative Commons"]
        : ["Creative Commons", "Standard license"];
    const reads = count("videos.list");

    const message = await run("edit", {
      video: id,
      license: license === "youtube" ? "creativeCommon" : "youtube",
    });

    expect(textOf(message)).toContain(`License\n${was} → ${is}`);
    expect(textOf(message)).not.toContain("Privacy");
    expect(textOf(message)).not.toContain("Tags");
    expect(count("videos.list")).toBe(reads + 2);
  });

  it.each<[string, Options, RegExp]>([
    ["a category by its name", { category: "27" }, /Category\nHowto & Style → Education/u],
    ["whether others may show it", { embed: false }, /Can be embedded\nYes → No/u],
    ["whether all see the numbers", { public_numbers: false }, /Public statistics\nYes → No/u],
    ["children", { kids: true }, /\(as declared\)\nNo → Yes[\s\S]*Made for kids\nNo → Yes/u],
    ["synthetic scenes", { synthetic: true }, /synthetic scenes\nnot set → Yes/u],
    ["the language", { language: "de" }, /Language of the texts\nEnglish → German/u],
    [
      "what only extra sets",
      { extra: "recordingDetails.recordingDate=2026-01-31T12:00:00Z" },
      /Recorded on\nnot set → <t:1769860800:D>/u,
    ],
    [
      "paid promotion",
      { extra: "paidProductPlacementDetails.hasPaidProductPlacement=true" },
      /Paid promotion\nNo → Yes/u,
    ],
    [
      "another language's texts",
      { extra: "localizations.fr.title=Bonjour" },
      /French\nnot set → Bonjour/u,
    ],
  ])("names %s", async (_, options, wanted) => {
    const message = await run("edit", { video: own("Filming coffee"), ...options });

    expect(textOf(message).replaceAll("\\", "")).toMatch(wanted);
  });

  it("says so when everything was like that before", async () => {
    const id = own("Filming coffee");

    const message = await run("edit", { video: id, embed: false });

    expect(textOf(message)).toContain("Nothing was changed");
  });

  it("leads to all settings", async () => {
    const message = await run("edit", { video: own("Filming coffee"), embed: true });

    const settings = await owner.click(message, "All settings");

    expectText(settings, "Can be embedded\nYes", "Category\nEducation");
    expect(textOf(settings)).toMatch(/Recorded on\n<t:1769860800:D>/u);
  });
});

describe("/videos report", () => {
  const reportOf = async (options: Options = {}) => run("report", { video: foreign, ...options });

  async function choose(message: APIMessage, value: string) {
    return await owner.choose(message, [value]);
  }

  it("asks for the reason, then exactly, then for words, and sends it once", async () => {
    const first = await reportOf();
    const second = await choose(first, "V");
    const [detail = ""] = valuesOf(second);
    const third = await choose(second, detail);
    const form = await owner.clickForm(third, "Add details");
    const question = await owner.submit(form, { comments: "At 1:20" });
    const before = count("videos.reportAbuse");

    const [done, other] = await Promise.all([
      owner.click(question, "Send the report"),
      owner.click(question, "Send the report"),
    ]);
    const texts = [done, other].map((message) => textOf(asMessage(message)));
    const late = await owner
      .click(question, "Send the report")
      .then((message) => textOf(asMessage(message)))
      .catch(() => "no button");

    expectText(question, "Violence, hate or danger", "At 1:20", "50 units");
    expect(texts.join()).toContain("Video reported");
    expect(late).toMatch(/no button|too old/u);
    expect(count("videos.reportAbuse")).toBe(before + 1);
  });

  it("skips what is known from the options", async () => {
    const question = await reportOf({ reason: "N", comments: "Seen it" });

    expectText(question, "Nudity or sexual content", "Seen it", "Send the report");
  });

  it("asks for another reason when the service does not know it", async () => {
    const message = await reportOf({ reason: "Q" });

    expect(textOf(message)).toContain("no longer has that reason");
    expect(valuesOf(message)).toContain("N");
  });

  it("sends nothing on Cancel", async () => {
    const question = await reportOf({ reason: "N", comments: "x" });
    const before = count("videos.reportAbuse");

    await owner.click(question, "Cancel");

    expect(count("videos.reportAbuse")).toBe(before);
  });

  it("never sends it again when nobody knows whether it arrived", async () => {
    const question = await reportOf({ reason: "N", comments: "x" });
    stage.sandbox.video.faults.add({ kind: "cut-after", path: /reportAbuse/u });

    const failure = await owner.click(question, "Send the report");
    stage.sandbox.video.faults.clear();
    const before = count("videos.reportAbuse");
    const again = await owner.click(question, "Send the report");

    expect(textOf(failure)).toMatch(/may or may not|may have/u);
    expect(textOf(again)).toContain("too old");
    expect(count("videos.reportAbuse")).toBe(before);
  });

  it("suggests reasons, and what belongs to the one that was chosen", async () => {
    const reasons = await owner.offered("videos report", "reason", "");
    const details = await owner.offered("videos report", "detail", "", {
      video: foreign,
      reason: "V",
    });

    expect(reasons.map(({ value }) => value)).toContain("V");
    expect(details.length).toBeGreaterThan(1);
  });
});

describe("/videos categories and report-reasons", () => {
  it("lists the categories of a country in the person's language", async () => {
    member.speak("de");
    const message = await member.run("videos kategorien", { land: "DE" });
    member.speak("en-US");

    expectText(message, "Kategorien · Deutschland", "Für Videos nicht verfügbar");
  });

  it("lists categories by their numbers, those that are chosen among the suggestions too", async () => {
    const [music] = await member.offered("videos categories", "categories", "music");

    const message = await run("categories", { categories: `${music?.value}, 1` }, "member");

    expectPublic(message, "Music", "Film & Animation");
    expect(textOf(message)).not.toContain("Gaming");
  });

  it("says what is wrong with categories that are none, or come with a country", async () => {
    const unknown = await run("categories", { categories: "10, 9999" }, "member");
    const wrong = await run("categories", { categories: "music" }, "member");
    const both = await run("categories", { categories: "10", region: "DE" }, "member");

    expect(textOf(unknown)).toContain("At least one of these categories doesn’t exist");
    expect(textOf(wrong)).toContain("enter a category’s number, like 10");
    expect(textOf(both)).toContain("at most one of these: region and categories");
  });

  it.each([
    ["en-US", "videos categories", "region", "News & Politics"],
    ["de", "videos kategorien", "land", "Nachrichten & Politik"],
    ["es-ES", "vídeos categorías", "país", "Noticias y política"],
    ["fr", "vidéos catégories", "pays", "Actualités et politique"],
    ["ja", "動画 カテゴリ一覧", "国", "ニュースと政治"],
  ] as const)(
    "names the categories in the person's language (%s)",
    async (tag, path, region, title) => {
      member.speak(tag);
      const message = await member.run(path, { [region]: "US" });
      member.speak("en-US");

      expect(textOf(message)).toContain(title);
    },
  );

  it("names the reasons in the person's language", async () => {
    moderator.speak("de");
    const message = await moderator.run("videos meldegründe", {});
    moderator.speak("en-US");

    expect(textOf(message)).toContain("Schadet Kindern");
  });

  it("lists the reasons to moderators", async () => {
    const message = await run("report-reasons", {}, "moderator");
    const refusal = await run("report-reasons", {}, "member");

    expect(textOf(message)).toContain("Harms children");
    expect(textOf(refusal)).toContain("You don’t have permission for this");
  });
});

describe("/videos", () => {
  it("asks in Japanese before it deletes", async () => {
    owner.speak("ja");
    const question = await owner.run("動画 削除", { 動画: own("Recording two") });
    owner.speak("en-US");

    expectText(question, "「Recording two people with one camera」を削除しますか？", "完全に削除");
  });
});
