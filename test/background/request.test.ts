import { describe, expect, it } from "vitest";
import {
  type BackgroundCallOptions,
  foregroundTypes,
  type RemoveBackgroundRequest,
  resultFormats,
  resultSizes,
  shadowTypes,
  typeLevels,
} from "../../src/background/index.ts";
import { fieldsOf, jpg, png, serve, webp } from "./wire.ts";

const imageUrl = "https://example.com/a.png";
const bodies = ["multipart", "form", "json"] as const satisfies BackgroundCallOptions["body"][];
const types = {
  multipart: /^multipart\/form-data; boundary=/,
  form: /^application\/x-www-form-urlencoded$/,
  json: /^application\/json$/,
};

async function sent(request: RemoveBackgroundRequest, body: (typeof bodies)[number]) {
  const { client, received } = await serve();
  const removal = await client().removeBackground(request, { body });
  expect(received).toHaveLength(1);
  expect(received[0]?.headers["content-type"]).toMatch(types[body]);
  return { fields: await fieldsOf(received[0]), removal };
}

/** Each parameter, as it is requested and as it goes out beside the picture. */
const matrix: readonly (readonly [RemoveBackgroundRequest, Readonly<Record<string, string>>])[] = [
  [{}, {}],
  ...resultSizes.map((size) => [{ size }, { size: size === "regular" ? "small" : size }] as const),
  ...resultFormats.map((format) => [{ format }, { format }] as const),
  ...foregroundTypes.map((type) => [{ type }, { type }] as const),
  ...typeLevels.map((typeLevel) => [{ typeLevel }, { type_level: typeLevel }] as const),
  ...shadowTypes.map((shadowType) => [{ shadowType }, { shadow_type: shadowType }] as const),
  [{ channels: "rgba" }, { channels: "rgba" }],
  [{ channels: "alpha" }, { channels: "alpha" }],
  [{ bgColor: "81d4fa" }, { bg_color: "81d4fa" }],
  [{ bgColor: "#81D4FA80" }, { bg_color: "81D4FA80" }],
  [{ bgColor: "#fff" }, { bg_color: "fff" }],
  [{ bgColor: "rebeccapurple" }, { bg_color: "rebeccapurple" }],
  [
    { bgImageUrl: "http://example.com/b.jpg?x=1&y=2" },
    { bg_image_url: "http://example.com/b.jpg?x=1&y=2" },
  ],
  [{ crop: true }, { crop: "true" }],
  [{ crop: false }, { crop: "false" }],
  [
    { crop: true, cropMargin: "10px" },
    { crop: "true", crop_margin: "10px" },
  ],
  [
    { crop: true, cropMargin: " 5% 20px " },
    { crop: "true", crop_margin: "5% 20px" },
  ],
  [{ roi: "0px 0px 100% 50%" }, { roi: "0px 0px 100% 50%" }],
  [{ roi: "0px  0px\t100%\n50%" }, { roi: "0px 0px 100% 50%" }],
  [{ scale: "original" }, { scale: "original" }],
  [{ scale: "62.5%" }, { scale: "62.5%" }],
  [{ position: "center" }, { position: "center" }],
  [{ position: "10% 90%" }, { position: "10% 90%" }],
  [{ position: " 10%   90%" }, { position: "10% 90%" }],
  [{ semitransparency: false }, { semitransparency: "false" }],
  [{ semitransparency: true }, { semitransparency: "true" }],
  [{ shadowOpacity: 0 }, { shadow_opacity: "0" }],
  [{ shadowOpacity: "auto" }, { shadow_opacity: "auto" }],
  [{ shadowOpacity: "62.5" }, { shadow_opacity: "62.5" }],
  [
    { shadowType: { car: "car", other: "none" }, shadowOpacity: { car: 90, person: "auto" } },
    {
      "shadow_type[car]": "car",
      "shadow_type[other]": "none",
      "shadow_opacity[car]": "90",
      "shadow_opacity[person]": "auto",
    },
  ],
  [{ addShadow: true }, { "shadow_type[car]": "car" }],
  [{ addShadow: false }, {}],
  [{ shadowMethod: "legacy" }, {}],
  [{ cropMargin: "10px" }, {}],
  [{ roi: "", scale: "", position: "", bgColor: "", bgImageUrl: "", imageFileB64: "" }, {}],
];

const booleans = new Set(["crop", "semitransparency"]);

describe.each(bodies)("a %s body", (body) => {
  it.each(matrix)("carries %j", async (asked, expected) => {
    const { fields } = await sent({ imageUrl, ...asked }, body);

    const wanted = Object.entries({ image_url: imageUrl, size: "auto", ...expected });
    // JSON has booleans; in forms they are text.
    const typed = wanted.map(([name, value]) =>
      body === "json" && booleans.has(name) ? [name, value === "true"] : [name, value],
    );
    expect(fields).toEqual(Object.fromEntries(typed));
  });

  it.each([
    ["png", "image/png", png],
    ["jpg", "image/jpeg", jpg],
    ["webp", "image/webp", webp],
  ])("carries a %s as what its bytes are", async (extension, type, image) => {
    const { fields } = await sent({ image }, body);

    const file = { name: `image.${extension}`, type, bytes: image };
    expect(fields).toEqual({
      size: "auto",
      ...(body === "multipart"
        ? { image_file: file }
        : { image_file_b64: image.toString("base64") }),
    });
  });

  it.each([
    ["plain", png.toString("base64")],
    ["a data address", `data:image/png;base64,${png.toString("base64")}`],
    ["lines", png.toString("base64").replace(/.{40}/g, "$&\r\n")],
    ["the address alphabet", png.toString("base64url")],
  ])("carries base64 given as %s", async (_, imageFileB64) => {
    const { fields } = await sent({ imageFileB64 }, body);

    expect(fields).toEqual({ size: "auto", image_file_b64: png.toString("base64") });
  });
});

describe("a multipart body", () => {
  it("carries a background picture as a file", async () => {
    const { fields } = await sent({ image: png, bgImageFile: jpg }, "multipart");

    expect(fields.bg_image_file).toEqual({ name: "image.jpg", type: "image/jpeg", bytes: jpg });
  });

  it.each([
    ["cat.png", "cat.png"],
    ["Schöne Katze 猫.png", "Schöne Katze 猫.png"],
    ['a"b\\c.png', "c.png"],
    ["../../etc/passwd", "passwd"],
    ['x"; filename="y.png', "x filename=y.png"],
    ["a\r\nX-Evil: 1\r\n\r\nb.png", "aX-Evil 1b.png"],
    ["\u202Egnp.evil\u0000.png", "gnp.evil.png"],
    ["...", "image.png"],
    ["", "image.png"],
    [`${"x".repeat(300)}.png`, `${"x".repeat(96)}.png`],
    [`${"😀".repeat(60)}.png`, `${"😀".repeat(48)}.png`],
  ])("names the file %j safely", async (imageName, name) => {
    const { fields } = await sent({ image: png, imageName }, "multipart");

    expect((fields.image_file as { name: string }).name).toBe(name);
  });
});

describe("a request", () => {
  it.each([
    [{}, []],
    [{ size: "regular" }, ["size_regular"]],
    [{ addShadow: true }, ["add_shadow"]],
    [{ addShadow: false }, []],
    [{ shadowMethod: "legacy" }, ["shadow_method"]],
    [{ cropMargin: "10px" }, ["crop_margin_unused"]],
    [{ cropMargin: "10px", crop: false }, ["crop_margin_unused"]],
    [{ cropMargin: "10px", crop: true }, []],
    [
      { size: "regular", addShadow: true, shadowMethod: "", cropMargin: "1px" },
      ["size_regular", "add_shadow", "shadow_method", "crop_margin_unused"],
    ],
  ] as const)("says what goes out differently of %j", async (asked, notices) => {
    expect((await sent({ imageUrl, ...asked }, "json")).removal.notices).toEqual(notices);
  });

  it.each([
    [undefined, "*/*"],
    ["file", "*/*"],
    ["json", "application/json"],
  ] as const)("asks for its answer as %s with %s", async (answer, accept) => {
    const { client, received } = await serve();

    await client().removeBackground({ imageUrl }, answer && { answer });

    expect(received[0]?.headers.accept).toBe(accept);
  });
});
