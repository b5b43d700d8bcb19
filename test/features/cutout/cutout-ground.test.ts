import { describe, expect, it } from "vitest";
import { InputError } from "../../../src/errors.ts";
import { readCutoutGround } from "../../../src/features/cutout/cutout-ground.ts";
import { words } from "../../support/words.ts";

const read = (text: string) => readCutoutGround(text, words());

describe("readCutoutGround", () => {
  it.each([
    ["transparent", { kind: "transparent" }],
    [" None ", { kind: "transparent" }],
    ["#0000", { kind: "transparent" }],
    ["white", { kind: "color", color: "#ffffff" }],
    ["Gray", { kind: "color", color: "#808080" }],
    ["light grey", { kind: "color", color: "#d3d3d3" }],
    ["tomato", { kind: "color", color: "#ff6347" }],
    ["＃ｆｆ００００", { kind: "color", color: "#ff0000" }],
    ["ｗｈｉｔｅ、ｂｌａｃｋ", { kind: "gradient", from: "#ffffff", to: "#000000" }],
    ["white～black", { kind: "gradient", from: "#ffffff", to: "#000000" }],
    ["F80", { kind: "color", color: "#ff8800" }],
    ["#ff8800", { kind: "color", color: "#ff8800" }],
    ["＃ｆｆ００００", { kind: "color", color: "#ff0000" }],
    ["＃ＦＦ００００", { kind: "color", color: "#ff0000" }],
    ["ｆ８０", { kind: "color", color: "#ff8800" }],
    ["＃ｆｆ８８００８０", { kind: "glass", color: "#ff880080" }],
    ["ｗｈｉｔｅ", { kind: "color", color: "#ffffff" }],
    ["ｂｌｕｒ　６０％", { kind: "blur", strength: 60 }],
    ["＃ｆｆｆ，＃０００", { kind: "gradient", from: "#ffffff", to: "#000000" }],
    ["#ff8800ff", { kind: "color", color: "#ff8800" }],
    ["#ff880080", { kind: "glass", color: "#ff880080" }],
    ["f808", { kind: "glass", color: "#ff880088" }],
    ["blur", { kind: "blur" }],
    ["blur 60%", { kind: "blur", strength: 60 }],
    ["orange to pink", { kind: "gradient", from: "#fb8c00", to: "#ec407a" }],
    ["#fff-#000", { kind: "gradient", from: "#ffffff", to: "#000000" }],
    ["navy, light blue", { kind: "gradient", from: "#000080", to: "#add8e6" }],
    ["white → black 45°", { kind: "gradient", from: "#ffffff", to: "#000000", angle: 45 }],
    ["red blue -90 deg", { kind: "gradient", from: "#e53935", to: "#1e88e5", angle: 270 }],
  ])("reads “%s”", (text, ground) => {
    expect(read(text)).toEqual(ground);
  });

  it.each(["", "blur 0", "blur 101", "#12345", "re", "red green blue", "javascript:x", "💥"])(
    "says what it takes instead of “%s”",
    (text) => {
      expect(() => read(text)).toThrow(
        expect.objectContaining({ code: "background_unreadable" }) as InputError,
      );
    },
  );

  it.each([
    ["de", "weiß", { kind: "color", color: "#ffffff" }],
    ["de", "Unscharf 70", { kind: "blur", strength: 70 }],
    ["fr", "du rouge", undefined],
    ["es-ES", "transparente", { kind: "transparent" }],
    ["ja", "ぼかし", { kind: "blur" }],
    ["ja", "ぼかし　６０", { kind: "blur", strength: 60 }],
    ["ja", "赤色", { kind: "color", color: "#e53935" }],
    ["ja", "ﾋﾟﾝｸ", { kind: "color", color: "#ec407a" }],
    ["ja", "白から黒", { kind: "gradient", from: "#ffffff", to: "#000000" }],
    ["de", "gru\u0308n", { kind: "color", color: "#43a047" }],
    ["fr", "orange rose", { kind: "gradient", from: "#fb8c00", to: "#ec407a" }],
  ] as const)("knows the words of %s: %s", (locale, text, ground) => {
    const reading = () => readCutoutGround(text, words(locale));

    if (ground === undefined) expect(reading).toThrow(InputError);
    else expect(reading()).toEqual(ground);
  });
});
