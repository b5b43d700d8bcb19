import { describe, expect, it } from "vitest";
import { formatted } from "../../../src/discord/draw/text.ts";
import { wordsOf } from "../../../src/discord/draw/words.ts";
import { InputError } from "../../../src/errors.ts";
import {
  type CutoutOutcome,
  type Done,
  drawCutouts,
} from "../../../src/flows/cutout/cutout-reply.ts";
import { createLanguages } from "../../../src/language/index.ts";

const english = wordsOf(createLanguages().of("en-US"));

function done(parts: {
  fitted?: Done["composed"]["fitted"];
  credits?: number;
  name?: string;
}): CutoutOutcome {
  const { fitted = "asked", credits, name = "cat-cutout.png" } = parts;
  const size = { width: 40, height: 30 };
  return {
    name: "cat.jpg",
    done: {
      file: { name, data: new Uint8Array(3) },
      removal: {
        image: Buffer.alloc(0),
        format: "zip",
        foreground: undefined,
        type: undefined,
        creditsCharged: credits,
        rateLimit: undefined,
        width: undefined,
        height: undefined,
        notices: [],
      },
      composed: { bytes: Buffer.alloc(1_200_000), format: "png", ...size, fitted },
      prepared: {
        bytes: Buffer.alloc(0),
        format: "jpeg",
        ...size,
        original: { format: "jpeg", ...size, frames: 1 },
        fitted: "unchanged",
      },
    },
  };
}

function drawn(outcomes: readonly CutoutOutcome[], leftOut = 0) {
  const reply = drawCutouts(outcomes, leftOut, english);
  if (reply.kind !== "files") throw new TypeError("not files");
  return { ...reply, text: formatted(reply.text ?? "") };
}

describe("drawCutouts", () => {
  it("says what one picture cost and what came out", () => {
    expect(drawn([done({ credits: 1 })])).toMatchObject({
      title: "Background removed",
      text: "",
      footer: "1 credit · 40×30 · PNG · 1.2 MB",
    });
  });

  it("says nothing of credits when the service did not, because absent is not zero", () => {
    expect(drawn([done({})]).footer).toBe("40×30 · PNG · 1.2 MB");
  });

  it.each([
    ["webp", "is a WebP, because a PNG would be too large"],
    ["quality", "lower quality"],
    ["smaller", "made smaller"],
  ] as const)("says so when the result had to be changed to fit (%s)", (fitted, words) => {
    expect(drawn([done({ fitted })]).text).toContain(words);
  });

  it("tells of several which failed and why, and adds up what they cost", () => {
    const error = new InputError("x", { code: "picture_empty", hint: "Send another." });

    const reply = drawn([done({ credits: 0.25 }), { name: "b*.png", error }, done({ credits: 1 })]);

    expect(reply.title).toBe("2 of 3 pictures done");
    expect(reply.text).toContain("**b\\*.png**: The file is empty. This file is empty");
    expect(reply.footer).toBe("1.25 credits");
  });

  it("gives files of one name different ones", () => {
    const names = drawn([done({}), done({})]).files.map(({ name }) => name);

    expect(names).toEqual(["cat-cutout.png", "cat-cutout-2.png"]);
  });

  it("says how many pictures a message could not hold", () => {
    expect(drawn([done({}), done({})], 3).text).toContain("3 pictures were left out");
  });
});
