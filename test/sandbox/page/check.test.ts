import { describe, expect, it } from "vitest";
import type { ShownOption } from "../../../src/sandbox/platform/page/composer/command-index.ts";
import {
  commandQuestions,
  optionValue,
} from "../../../src/sandbox/platform/page/composer/command-questions.ts";
import {
  checkAnswer,
  type FormControl,
} from "../../../src/sandbox/platform/page/forms/questions.ts";

const shown = (option: object) => ({ name: "x", label: "x", ...option }) as ShownOption;

describe("an option of a command", () => {
  it.each([
    [{ type: 3, required: true }, "", "This option is required."],
    [{ type: 3, required: true }, "  ", "This option is required."],
    [{ type: 3 }, "", undefined],
    [{ type: 3, min_length: 3 }, "ab", "Use at least 3 characters; you have 2."],
    [{ type: 3, max_length: 3 }, "abcd", "Use at most 3 characters; you have 4."],
    [{ type: 3, required: true, choices: [{ name: "A", value: "a" }] }, [], "Choose one."],
    [{ type: 4 }, "1.5", "Enter a whole number."],
    [{ type: 4 }, "ten", "Enter a whole number."],
    [{ type: 4, min_value: 0 }, "0", undefined],
    [{ type: 4, min_value: 1 }, "0", "Enter 1 or more."],
    [{ type: 10, max_value: 0.5 }, "0.6", "Enter 0.5 or less."],
    [{ type: 10 }, "Infinity", "Enter a number."],
    [{ type: 5 }, [], undefined],
    [{ type: 11, required: true }, [], "Attach a file."],
  ])("of %o with %o says %s", (option, answer, words) => {
    const [question] = commandQuestions([shown(option)]);
    const control = question?.type === "control" ? question.control : undefined;

    expect(control && checkAnswer(control, answer)).toBe(words);
  });

  it.each([
    [{ type: 3 }, "cats", "cats"],
    [{ type: 3 }, " ", undefined],
    [{ type: 3, choices: [] }, ["a"], "a"],
    [{ type: 4 }, ["25"], 25],
    [{ type: 5 }, ["false"], false],
    [{ type: 6 }, ["101"], "101"],
    [{ type: 8 }, [], undefined],
  ])("of %o with %o is sent as %j", (option, answer, value) => {
    expect(optionValue(shown(option), answer)).toBe(value);
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
