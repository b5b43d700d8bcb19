import { describe, expect, it } from "vitest";
import { checkField } from "../../../src/sandbox/platform/page/composer/check-field.ts";
import type { OptionField } from "../../../src/sandbox/platform/page/composer/field.ts";
import { placeFiles } from "../../../src/sandbox/platform/page/composer/line-fields.ts";
import {
  checkAnswer,
  type FormControl,
} from "../../../src/sandbox/platform/page/forms/questions.ts";

const field = (option: object, text: string): OptionField =>
  ({ option: { name: "x", description: "x", ...option }, text }) as OptionField;

describe("checkField", () => {
  it.each([
    [{ type: 3, required: true }, "", "This option is required."],
    [{ type: 3, required: true }, "  ", "This option is required."],
    [{ type: 3 }, "", undefined],
    [{ type: 3, min_length: 3 }, "ab", "Use at least 3 characters; you have 2."],
    [{ type: 3, max_length: 3 }, "abcd", "Use at most 3 characters; you have 4."],
    [{ type: 3, choices: [{ name: "A", value: "a" }] }, "b", "Choose one from the list."],
    [{ type: 4 }, "1.5", "Enter a whole number."],
    [{ type: 4 }, "ten", "Enter a whole number."],
    [{ type: 4, min_value: 0 }, "0", undefined],
    [{ type: 4, min_value: 1 }, "0", "Enter 1 or more."],
    [{ type: 10, max_value: 0.5 }, "0.6", "Enter 0.5 or less."],
    [{ type: 10 }, "Infinity", "Enter a number."],
    [{ type: 5 }, "maybe", "Choose one from the list."],
    [{ type: 11, required: true }, "", "Attach a file."],
  ])("of %o with %o says %s", (option, text, words) => {
    expect(checkField(field(option, text), undefined)).toBe(words);
  });
});

describe("placeFiles", () => {
  const attachment = (name: string) => ({ type: 11, name, description: "" });
  const entry = {
    commandId: "1",
    path: [],
    name: "x",
    label: "x",
    description: "",
    group: "",
    options: [attachment("a"), attachment("b")] as unknown as OptionField["option"][],
  };
  const file = (name: string) => new File(["x"], name);

  it("fills the option with the cursor first, adds what is needed and says what is left", () => {
    const fields = [field(attachment("a"), "")];
    const files = [file("1"), file("2"), file("3")];

    const placed = placeFiles(entry, fields, { files, focused: 0 });

    expect(placed.fields.map(({ option, file: put }) => [option.name, put?.name])).toEqual([
      ["a", "1"],
      ["b", "2"],
    ]);
    expect(placed.left.map(({ name }) => name)).toEqual(["3"]);
  });
});

describe("checkAnswer", () => {
  it.each([
    [{ type: 4 }, "", "This field is required."],
    [{ type: 4, required: false, min_length: 5 }, "", undefined],
    [{ type: 4, min_length: 5 }, "abc", "Use at least 5 characters; you have 3."],
    [{ type: 3, options: [] }, [], "Choose one."],
    [{ type: 3, options: [], max_values: 3 }, [], "Choose at least one."],
    [{ type: 3, options: [], required: false }, [], undefined],
    [
      { type: 3, options: [], min_values: 2, max_values: 3 },
      ["a"],
      "Choose at least 2; you have 1.",
    ],
    [{ type: 19 }, [], "Attach a file."],
    [{ type: 21, options: [] }, "", "Choose one."],
    [{ type: 22, options: [], required: false }, [], undefined],
    [{ type: 23 }, "false", undefined],
  ])("of %o with %o says %s", (control, answer, words) => {
    expect(checkAnswer({ custom_id: "x", ...control } as FormControl, answer)).toBe(words);
  });
});
