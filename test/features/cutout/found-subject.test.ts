import type { APIMessage } from "discord-api-types/v10";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { scaleFoundSubject } from "../../../src/features/cutout/found-subject.ts";
import type { OptionInput, SandboxFile } from "../../../src/sandbox/types.ts";
import { cutoutZip } from "../../images/pictures.ts";
import { fetchBytes, textOf } from "../../support/stage.ts";
import { expectText, useStage } from "../../support/use-stage.ts";

let picture: SandboxFile;
const { stage, owner, member, creditsLeft } = useStage({ background: { matting: "ellipse" } });
const { run, click, choose } = member;
beforeAll(async () => {
  // More than a member may spend by default.
  await owner.run("connect budget", { rank: "member", credits: 1_000 });
  const plain = { width: 400, height: 300, channels: 3, background: "#33aa55" } as const;
  const data = await sharp({ create: plain }).jpeg().toBuffer();
  picture = { name: "leaf.jpg", type: "image/jpeg", data };
});

const remove = async (options: Readonly<Record<string, OptionInput>> = {}) =>
  await run("background remove", { image: picture, ...options });

/** A stand-in for remove.bg that returns this file and no other facts. */
function answering(file: Buffer) {
  const body = JSON.stringify({ data: { result_b64: file.toString("base64") } });
  const headers = { "content-type": "application/json" };
  return { kind: "answer", status: 200, headers, body, path: /removebg/u } as const;
}

async function fileOf(message: APIMessage) {
  const [file] = message.attachments;
  if (file === undefined) throw new Error(`no file came: ${textOf(message)}`);
  return sharp(await fetchBytes(file.url));
}

async function sizeOf(message: APIMessage) {
  const { width, height } = await (await fileOf(message)).metadata();
  return { width, height };
}

function resultOf(message: APIMessage) {
  const found = /Foreground: (\d+) × (\d+) at (\d+), (\d+)/u.exec(textOf(message)) ?? [];
  const [width = 0, height = 0, left = 0, top = 0] = found.slice(1).map(Number);
  return { left, top, right: left + width, bottom: top + height, width, height };
}

/** The box in which a result shows anything; like remove.bg, it counts an alpha of at least 13 of 255. */
async function shown(message: APIMessage) {
  const { data, info } = await (await fileOf(message))
    .extractChannel(3)
    .raw()
    .toBuffer({ resolveWithObject: true });
  const box = { left: info.width, top: info.height, right: 0, bottom: 0 };
  for (const [at, alpha] of data.entries()) {
    if (alpha < 13) continue;
    const [x, y] = [at % info.width, Math.floor(at / info.width)];
    box.left = Math.min(box.left, x);
    box.top = Math.min(box.top, y);
    box.right = Math.max(box.right, x + 1);
    box.bottom = Math.max(box.bottom, y + 1);
  }
  return box;
}

describe("what the service found", () => {
  it.each([
    [{}, "Other subject"],
    [{ subject: "person" }, "Person"],
    [{ subject: "car" }, "Car"],
    [{ subject: "transportation", subject_detail: "2" }, "Vehicle"],
  ])("is named in the result, whatever it is: %j", async (options, kind) => {
    expect(textOf(await remove(options))).toContain(`\nPicture: ${kind}\nForeground: `);
  });

  it("is not named in results where nobody needs it", async () => {
    const text = textOf(await remove({ subject_detail: "none" }));

    expect(text).not.toContain("Picture:");
    expect(text).toContain("Foreground: ");
  });

  it.each([
    {},
    { crop: true },
    { crop: true, margin: "20px 40px" },
    { scale: "40" },
    { scale: "30", position: "10 80" },
    { region: "25% 0% 100% 100%" },
    { size: "preview" },
  ])("is where the result shows it, in the result's own pixels: %j", async (options) => {
    // Large pictures are enlarged so that a preview really has fewer pixels.
    const enlarge = () => sharp(picture.data).resize(900).jpeg().toBuffer();
    const image = "size" in options ? { ...picture, data: await enlarge() } : picture;

    const message = await remove({ ...options, image });
    const found = resultOf(message);
    const seen = await shown(message);

    for (const side of ["left", "top", "right", "bottom"] as const) {
      expect(Math.abs(found[side] - seen[side])).toBeLessThanOrEqual(1);
    }
  });

  it.each([
    ["de", "Bild: Anderes Motiv", "Vordergrund: 280 × 240 bei "],
    ["es-ES", "Imagen: Otro motivo", "Primer plano: 280 × 240 en "],
    ["fr", "Image\u202f: Autre sujet", "Premier plan\u202f: 280 × 240 à "],
    ["ja", "画像：その他の被写体", "前景：280 × 240、位置 "],
  ] as const)("is shown in %s", async (language, kind, place) => {
    member.speak(language);

    const text = textOf(await remove());

    expectText(text, kind, place);
  });

  it("is left out if a compatible engine does not say it, and is found here instead", async () => {
    const zip = await cutoutZip(400, 300);
    stage.sandbox.background.faults.add({ ...answering(zip), times: 1 });
    const message = await remove();

    const cropped = await sizeOf(await click(message, "Crop"));

    expect(textOf(message)).not.toMatch(/Picture:|Foreground/u);
    expect(cropped.width).toBeLessThan(400);
  });

  it("is shown for one of several results when it is picked", async () => {
    const other = {
      ...picture,
      name: "b.jpg",
      data: await sharp(picture.data).flip().png().toBuffer(),
    };
    const several = await remove({ image_2: other });

    const one = await choose(several, ["b.jpg"]);

    expect(textOf(several)).not.toContain("Foreground");
    expect(textOf(one)).toContain("\nPicture: Other subject\nForeground: ");
  });
});

describe("scaleFoundSubject", () => {
  const box = { left: 100, top: 200, width: 300, height: 400 };
  const found = { type: "car", foreground: box, width: 1000, height: 800 };

  it.each([
    ["as large", found, { width: 1000, height: 800 }, box],
    [
      "half as large",
      found,
      { width: 500, height: 400 },
      { left: 50, top: 100, width: 150, height: 200 },
    ],
    ["with unknown measures", found, { width: undefined, height: undefined }, box],
    ["where the cut-out's own are unknown", { foreground: box }, { width: 400, height: 600 }, box],
    ["that it does not lie in", { foreground: box }, { width: 399, height: 600 }, undefined],
    ["where nothing is left of it", found, { width: 1, height: 1 }, undefined],
  ])("names the place in a file %s", (_, given, size, expected) => {
    expect(scaleFoundSubject(given, size).foreground).toEqual(expected);
  });
});

describe("the foreground's place", () => {
  it("is what remains after a crop, without another call", async () => {
    const message = await remove();
    const before = await creditsLeft();

    const cropped = await click(message, "Crop");
    const whole = await click(cropped, "Undo crop");

    const { width, height } = resultOf(message);
    expect(await sizeOf(cropped)).toEqual({ width, height });
    expect(textOf(cropped)).not.toContain("Foreground");
    expect(resultOf(whole)).toEqual(resultOf(message));
    expect(await creditsLeft()).toBe(before);
  });

  it("is what remains after a crop of a result that the service put on a colour, free and at once", async () => {
    const message = await remove({ background: "#ff000080" });
    const before = await creditsLeft();

    const cropped = await click(message, "Crop");
    const whole = await click(cropped, "Undo crop");

    const { width, height } = resultOf(message);
    const { data, info } = await (await fileOf(cropped))
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(await sizeOf(cropped)).toEqual({ width, height });
    expect([...data.subarray(0, info.channels)]).toEqual([255, 0, 0, 128]);
    expect(textOf(cropped)).toContain("No charge");
    expect(await sizeOf(whole)).toEqual({ width: 400, height: 300 });
    expect(resultOf(whole)).toEqual(resultOf(message));
    expect(await creditsLeft()).toBe(before);
  });

  it("is what remains after a crop of a result on a picture from an address", async () => {
    const said = await member.person().say("behind it", [picture]);
    const message = await remove({ background_link: said.attachments[0]?.url ?? "" });
    const before = await creditsLeft();

    const cropped = await click(message, "Crop");

    const { width, height } = resultOf(message);
    expect(await (await fileOf(cropped)).metadata()).toMatchObject({
      format: "jpeg",
      width,
      height,
    });
    expect(await creditsLeft()).toBe(before);
  });

  it("takes another cut-out, with its price, if it is unknown and the result has no transparency", async () => {
    const colored = { width: 400, height: 300, channels: 4, background: "#ff000080" } as const;
    const png = await sharp({ create: colored }).png().toBuffer();
    stage.sandbox.background.faults.add({ ...answering(png), times: 1 });
    const message = await remove({ background: "#ff000080" });

    const question = await click(message, "Crop");

    expect(textOf(question)).toContain("no longer kept");
  });

  it("keeps the service's own shadow whole when a result is cropped", async () => {
    const message = await remove({ shadow: "drop" });

    const cropped = await sizeOf(await click(message, "Crop"));
    const { width, height } = resultOf(message);

    expect(cropped.width > width || cropped.height > height).toBe(true);
  });

  it("takes another call only if a look needs the cut-out", async () => {
    const message = await remove({ background: "#ff000080" });
    const cropped = await click(message, "Crop");

    const question = await click(cropped, "White");

    expectText(question, "no longer kept", "Use 1 credit");
  });
});
