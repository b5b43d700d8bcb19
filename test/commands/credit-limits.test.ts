import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { asMessage, photo, textOf } from "../support/stage.ts";
import { expectText, useStage } from "../support/use-stage.ts";

let aheadMs = 0;
const { stage, owner, member, moderator, creditsLeft, channelCalled, until } = useStage({
  background: { credits: 10 },
  now: () => Date.now() + aheadMs,
});

/** Photos of few pixels, each a different file. */
let pictures: Awaited<ReturnType<typeof photo>>[];
beforeAll(async () => {
  const { data, ...file } = await photo("cat");
  pictures = await Promise.all(
    Array.from({ length: 30 }, async (_, n) => ({
      ...file,
      data: await sharp(data)
        .resize(60 + n)
        .jpeg()
        .toBuffer(),
    })),
  );
});

const nextDay = () => {
  aheadMs += 24 * 3_600_000;
};

describe("the credits of a day", () => {
  it("are limited for members where nobody chose anything, whichever way they are spent", async () => {
    const before = await creditsLeft();
    const forms = await Promise.all(
      Array.from({ length: 3 }, () => member.runForm("background remove", {})),
    );

    const answers = await Promise.all(
      forms.map((form, n) =>
        member.person().submit(form, { pictures: pictures.slice(n * 10, n * 10 + 10) }),
      ),
    );
    const message = await owner.person().say("", pictures.slice(0, 2));
    const [image] = pictures;
    const refused = [
      asMessage(await member.person().menu("Remove background", message)),
      await member.run("background sticker", { image: image ?? "" }),
      await member.run("background thumbnail", { image: image ?? "" }),
    ];

    expect(before - (await creditsLeft())).toBe(3);
    expect(answers.map((answer) => textOf(asMessage(answer))).join()).toContain("done");
    for (const one of refused) {
      expectText(one, "Each member of this server may use 3 credits a day.", "/connect budget");
    }
  });

  it("are another person's own, and more for moderators", async () => {
    const [image] = pictures;
    const made = await moderator.run("background remove", { image: image ?? "" });

    expect(made.attachments).toHaveLength(1);
    expect(textOf(await owner.run("connect budget"))).toContain("and 10 credits (default)");
  });

  it("count a picture whose answer was lost: it may have been paid for", async () => {
    nextDay();
    await owner.run("connect budget", { rank: "member", credits: 0.25 });
    stage.sandbox.background.faults.add({ kind: "cut-after", path: /removebg/u, times: 1 });
    const [image, other] = pictures;

    await member.run("background remove", { image: image ?? "", size: "preview" });
    const refused = await member.run("background remove", { image: other ?? "", size: "preview" });

    expectText(refused, "may use 0.25 credits a day");
  });
});

describe("a picture that costs more than a whole day", () => {
  it("is not offered for another try", async () => {
    nextDay();
    await owner.run("connect budget", { rank: "member", credits: 0.5 });
    const { data, ...file } = await photo("cat");
    const image = { ...file, data: await sharp(data).resize(800).jpeg().toBuffer() };

    const refused = await member.run("background remove", { image });

    expectText(refused, "may use 0.5 credits a day. This needs 1,");
    expect(textOf(refused)).not.toContain("ry again");
    await owner.run("connect budget", { rank: "member", credits: 0.25 });
  });
});

describe("the form for the key", () => {
  const enter = async (fields: Readonly<Record<string, string>> = {}) => {
    const form = await owner.runForm("connect background-key", {});
    const key = stage.sandbox.background.key;
    return { form, answer: await owner.submit(form, { key, ...fields }) };
  };

  it("asks what each person may spend a day, with the limits that apply", async () => {
    const { form, answer } = await enter();

    const shown = JSON.stringify(form.components);
    for (const text of ["Credits a day: Member", "Credits a day: Manager", '"25"', '"0.25"']) {
      expect(shown).toContain(text);
    }
    expectText(
      answer,
      "Background removal is connected",
      "Moderator: 10 credits",
      "Member: 0.25 credits",
    );
  });

  it("changes only what differs", async () => {
    const { answer } = await enter({ member: "2,5", moderator: "10", manager: "" });
    const budgets = textOf(await owner.run("connect budget"));

    expectText(answer, "Member: 2.5 credits", "Moderator: 10 credits", "Manager: 25 credits");
    expect(budgets).toContain("Member: 200 units, 10 searches, and 2.5 credits\n");
    expect(budgets).toContain("and 10 credits (default)");
  });

  it("stores nothing for what is no number", async () => {
    await owner.click(
      await owner.run("connect disconnect", { what: "background-key" }),
      "Disconnect",
    );

    const { answer } = await enter({ member: "a few", manager: "7" });
    const again = JSON.stringify(await owner.clickForm(answer, "Back to the form"));

    expectText(answer, "Credits must be a number", "from 0 to 1,000,000 for Member,");
    expect(again).toContain('"7"');
    expect(again).not.toContain("a few");
    expect(again).not.toContain(stage.sandbox.background.key);
    expect(textOf(await owner.run("connect status"))).toContain("🔴 **Background removal key**");
    await enter({ member: "3" });
  });
});

describe("an owner", () => {
  const warnings = () =>
    owner
      .messages("moderators")
      .map(textOf)
      .filter((text) => text.includes("Half of your background removal credits"));

  it("is warned once a day when half of the credits went", async () => {
    nextDay();
    const id = channelCalled("moderators");
    await owner.run("connect notices", { channel: id });
    const { data, ...file } = await photo("cat");
    const large = async (width: number) => ({
      ...file,
      data: await sharp(data).resize(width).jpeg().toBuffer(),
    });
    const spend = async (from: number, count: number) => {
      for (let width = from; width < from + count; width++) {
        await owner.run("background remove", { image: await large(width) });
      }
      aheadMs += 16_000;
    };

    const left = await creditsLeft();
    await spend(900, Math.ceil(left / 2));
    const [warning = ""] = await until(() => (warnings().length > 0 ? warnings() : undefined));
    await spend(1_000, 1);
    await owner.run("connect status");

    expect(warning).toContain("/background account");
    expect(warning).toContain("/connect budget");
    expect(warning).toMatch(/\d+ credits spent in this server since midnight Pacific time/u);
    expect(warnings()).toHaveLength(1);
  });
});
