import { createHash } from "node:crypto";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { createWords } from "../../../src/discord/draw/words.ts";
import type { Attachment } from "../../../src/discord/index.ts";
import type { Ctx } from "../../../src/features/context/index.ts";
import { improvement } from "../../../src/features/improvement/index.ts";
import { createImages } from "../../../src/images/index.ts";
import { createLanguages } from "../../../src/language/index.ts";
import type { OptionInput } from "../../../src/sandbox/types.ts";
import { asMessage, fetchBytes, isEphemeral, photo, textOf } from "../../support/stage.ts";
import { expectText, useStage } from "../../support/use-stage.ts";

/** The clock runs by itself and can be moved ahead. */
let ahead = 0;
const now = () => Date.now() + ahead;

const { stage, as, owner, moderator, member } = useStage({
  now,
  background: { matting: "ellipse" },
});

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

type Name = "owner" | "moderator" | "member";
const improved = () => stage.sandbox.background.improved;
const faults = () => stage.sandbox.background.faults;

async function improve(name: Name, options: Readonly<Record<string, OptionInput>> = {}) {
  return await as(name).run("background improve", options);
}

describe("/background improve", () => {
  it("says what it means, shows the picture, and sends nothing yet", async () => {
    const question = await improve("member", { image: await photo("cat"), tag: "cats" });

    expect(isEphemeral(question)).toBe(true);
    const text = textOf(question);
    expect(text).toContain("uses the picture to **train** its software");
    expect(text).toContain("**The original picture** is sent, including everything visible in it");
    expect(text).toContain("Only do this if the picture is yours");
    expect(text).toContain("This can’t be undone. Up to 100 pictures a day");
    expect(text).toMatch(/Name\ncat.jpg\nTag\ncats\nPicture\n451 × 300 pixels/u);
    const shown = await fetchBytes(question.embeds[0]?.image?.url ?? "");
    expect((await sharp(shown).metadata()).width).toBe(451);
    expect(improved()).toEqual([]);
  });

  it("sends nothing when it is cancelled", async () => {
    const question = await improve("member", { image: await photo("cat") });

    await member.click(question, "Cancel");

    expect(improved()).toEqual([]);
  });

  it("hands the picture over upright and without EXIF, and shows its id", async () => {
    const { data } = await photo("cat");
    const rotated = await sharp(data)
      .withExif({ IFD0: { Copyright: "canary-in-exif" } })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const image = { name: "phone.jpg", type: "image/jpeg", data: rotated };
    const question = await improve("member", { image, tag: "phones", name: "kept name.jpg" });

    const done = await member.click(question, "Send picture");

    const images = createImages();
    const ready = await images.prepare(rotated, { maxBytes: 12e6, maxPixels: 50e6 });
    await images.close();
    const last = improved().at(-1);
    expect([ready.width, ready.bytes.includes("canary")]).toEqual([300, false]);
    expect(last).toMatchObject({ tag: "phones", filename: "kept name.jpg" });
    expect(last?.sha256).toBe(sha256(ready.bytes));
    expect(textOf(done)).toContain(`Submission: ${last?.id}`);
    expect(done.embeds[0]?.image).toBeUndefined();
    expect(done.attachments).toEqual([]);
  });

  it("hands over once, however often it is pressed", async () => {
    const before = improved().length;
    const question = await improve("member", { image: await photo("cat") });

    const press = () =>
      member
        .person()
        .click(question, "Send picture")
        .then(asMessage, () => {});
    const answers = await Promise.all([press(), press(), press()]);

    expect(improved().length).toBe(before + 1);
    expect(answers.filter((one) => one && textOf(one).includes("Picture sent")).length).toBe(1);
  });

  it("takes an address from moderators, says what goes along, and names it", async () => {
    const link = "https://example.org/picture.jpg";
    const refused = await improve("member", { link });
    const question = await improve("moderator", { link });

    expect(textOf(refused)).toContain("Only moderators can do this");
    expect(textOf(question)).toContain("**the picture at this address as it is**");
    expect(textOf(question)).toContain("https://example.org/picture.jpg");
    expect(question.embeds[0]?.thumbnail?.url).toBe(link);
  });

  it("lets the service fetch the picture at an address", async () => {
    const message = await owner.person().say("here", [await photo("coffee")]);
    const link = message.attachments[0]?.url ?? "";
    const question = await improve("moderator", { link, name: "cup.jpg" });

    const done = await moderator.click(question, "Send picture");

    const { data } = await photo("coffee");
    expect(textOf(done)).toContain("Picture sent");
    expect(improved().at(-1)).toMatchObject({ filename: "cup.jpg", sha256: sha256(data) });
  });

  it.each([
    ["nothing", {}, "Attach a picture, or paste its address."],
    ["no address", { link: "kitten.jpg" }, "address must start with https://"],
    ["a file on this machine", { link: "file:///etc/passwd" }, "address must start with https://"],
    [
      "a login in the address",
      { link: "https://a:b@example.org/x" },
      "address must start with https://",
    ],
  ])("refuses %s", async (_, options, words) => {
    const before = improved().length;

    const answer = await improve("moderator", options);

    expect(textOf(answer)).toContain(words);
    expect(improved().length).toBe(before);
  });

  it("refuses a picture together with an address, and a file that is no picture", async () => {
    const image = await photo("cat");
    const both = await improve("moderator", { image, link: "https://example.org/x.jpg" });
    const text = await improve("member", { image: { ...image, data: Buffer.from("only words") } });

    expect(textOf(both)).toMatch(/image.*link/u);
    expect(textOf(text)).toMatch(/Not a supported picture/u);
  });

  it("also asks about a picture that can't be shown small", async () => {
    const line = sharp({ create: { width: 2000, height: 2, channels: 3, background: "#a40" } });
    const image = { name: "line.png", type: "image/png", data: await line.png().toBuffer() };

    const question = await improve("member", { image });

    expect(textOf(question)).toContain("2000 × 2 pixels");
  });

  it("does not repeat a call that broke off, says so, and offers to try again", async () => {
    const before = improved().length;
    faults().add({ kind: "cut-after", path: /improve/u, times: 1 });
    const question = await improve("member", { image: await photo("cat") });

    const lost = await member.click(question, "Send picture");
    const seen = improved().length;
    const done = await member.click(lost, "Try again");

    expect(textOf(lost)).toContain("The picture may not have arrived");
    expect(seen).toBe(before + 1);
    expect(textOf(done)).toContain(`Submission: ${improved().at(-1)?.id}`);
    expect(improved().length).toBe(before + 2);
  });

  it("says when pictures are accepted again", async () => {
    const headers = { "Retry-After": "7200" };
    faults().add({ kind: "answer", status: 429, headers, path: /improve/u, times: 1 });
    const question = await improve("member", { image: await photo("cat") });

    const refused = await member.click(question, "Send picture");
    const done = await member.click(question, "Send picture");

    expect(textOf(refused)).toMatch(
      /no more training pictures for now\. The usual limit is 100 a day[\s\S]*Try again <t:\d+:R>/u,
    );
    expect(textOf(refused)).toContain("Nothing was changed and nothing was charged.");
    expect(textOf(done)).toContain("Picture sent");
  });

  it("speaks Japanese", async () => {
    member.speak("ja");
    const question = await improve("member", { image: await photo("cat") });
    const done = await member.click(question, "画像を送る");

    expectText(question, "**学習**", "1日100枚まで");
    expect(textOf(done)).toContain(`受付番号：${improved().at(-1)?.id}`);
  });
});

describe("the button below a result", () => {
  it("hands over the original picture, not the result", async () => {
    const result = await member.run("background remove", { image: await photo("cat") });

    const question = await member.click(result, "Send for improvement");
    await member.click(question, "Send picture");

    expect(isEphemeral(question)).toBe(true);
    const { name, data } = await photo("cat");
    expect(improved().at(-1)).toMatchObject({ filename: name, sha256: sha256(data) });
  });

  it("is only for the person who asked", async () => {
    const result = await member.run("background remove", { image: await photo("cat") });
    const before = improved().length;

    const answer = await owner.click(result, "Send for improvement");

    expect(textOf(answer)).toMatch(/aren’t your buttons/u);
    expect(improved().length).toBe(before);
  });

  it("is offered for other people's pictures to moderators alone, and names whose it is", async () => {
    const message = await owner.person().say("look", [await photo("cat")]);

    const ofMember = asMessage(await member.person().menu("Remove background", message));
    const ofModerator = asMessage(await moderator.person().menu("Remove background", message));
    const question = await moderator.click(ofModerator, "Send for improvement");

    expect(textOf(ofMember)).not.toContain("Send for improvement");
    expect(textOf(question)).toContain(`The picture is <@${message.author.id}>’s`);
  });

  it("says so when Discord has forgotten the picture, and where to attach it", async () => {
    const image = await photo("cat");
    const result = await member.run("background remove", { image });
    const question = await member.click(result, "Send for improvement");
    const before = improved().length;
    ahead += 3 * 24 * 3_600_000;

    const gone = await member.click(result, "Send for improvement");
    const goneToo = await member.click(question, "Send picture");

    expect(textOf(gone)).toContain("Use /background improve and attach it there.");
    expect(textOf(goneToo)).toContain("Original picture no longer available");
    expect(improved().length).toBe(before);
  });
});

describe("the buttons", () => {
  const original: Attachment = { id: "1", filename: "a.jpg", size: 3, url: "https://x.test/a.jpg" };
  const ctxOf = (rank: string) =>
    ({ rank, words: createWords(createLanguages().of("en-US")) }) as unknown as Ctx<unknown>;

  it("are missing if the original picture is not known", () => {
    expect(improvement.buttons(ctxOf("owner"), { name: "a.jpg", at: 0 })).toEqual([]);
  });

  it("store only the fields of a file that are needed", () => {
    const copy = { ...original, proxy_url: "https://y.test", width: 3 };

    const [button] = improvement.buttons(ctxOf("member"), { name: "b.jpg", at: 0, original: copy });

    expect(button?.press?.state).toEqual({ name: "b.jpg", attachment: original });
  });
});
