import type { APIApplicationCommand } from "discord-api-types/v10";
import { describe, expect, it } from "vitest";
import { findChromium } from "../../support/find-chromium.ts";
import { usePageStage } from "../../support/page-stage.ts";
import type { PageStage } from "../../support/page-visit.ts";

const option = (index: number) => ({
  type: index % 8 === 1 ? 11 : 3,
  name: `option-with-a-long-name-${String(index).padStart(2, "0")}`,
  description: `What option ${index} is for, told in a sentence that is nearly as long as it may be`,
  // Required options are declared last but shown first.
  required: index >= 23,
  ...(index === 0 ? { autocomplete: true } : {}),
});
const subcommand = (index: number, count: number) => ({
  type: 1,
  name: `subcommand-${String(index).padStart(2, "0")}`,
  description: `What subcommand ${index} does, told in a sentence that is nearly as long as it may be`,
  options: Array.from({ length: count }, (_, at) => option(at)),
});
const commands = Array.from({ length: 11 }, (_, at) => ({
  id: `c${at}`,
  type: 1,
  name: `command-${String(at).padStart(2, "0")}`,
  description: `Command ${at}`,
  options: Array.from({ length: 12 }, (_, index) => subcommand(index, 25)),
})) as unknown as readonly APIApplicationCommand[];

const sizes = [
  { width: 1_280, height: 800 },
  { width: 420, height: 900 },
];

describe.skipIf(!findChromium())("the page with many commands, in Chromium", () => {
  let platform: PageStage["platform"];
  let page: PageStage["page"];

  usePageStage((stage) => {
    ({ platform, page } = stage);
    platform.commands = commands;
  });

  const rows = () => page.getByRole("listbox", { name: "Commands" }).getByRole("option");

  /** Elements that reach beyond the window, or whose content is wider than they are. */
  const overflowing = () =>
    page.evaluate(`[
      document.documentElement, document.querySelector(".composer"), ...document.querySelectorAll(".picker, .picker-row, .form-body, .select-list, .select-option")
    ].filter((one) => one.scrollWidth > one.clientWidth + 1 || one.getBoundingClientRect().right > innerWidth)
      .map((one) => one.className || one.tagName)`);
  const isInView = async (selector: string, box: string) =>
    page.evaluate(
      `(() => {
        const row = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect();
        const list = document.querySelector(${JSON.stringify(box)}).getBoundingClientRect();
        return row.top >= list.top - 1 && row.bottom <= list.bottom + 1 && list.top >= 0;
      })()`,
    );

  it.each(sizes)("keeps its picker in a window of $width x $height", async (size) => {
    await page.setViewportSize(size);
    await page.getByRole("combobox", { name: "Message #general" }).click();
    await page.keyboard.type("/");
    const all = await rows().count();
    await page.keyboard.press("ArrowUp");
    await page.locator("[data-command='command-10 subcommand-11'].active").waitFor();

    expect(all).toBe(132);
    expect(await isInView(".picker-row.active", ".picker")).toBe(true);
    expect(await overflowing()).toEqual([]);
  });

  it.each(sizes)("keeps 25 options readable in a window of $width x $height", async (size) => {
    await page.setViewportSize(size);
    await page.getByRole("combobox", { name: "Message #general" }).click();
    await page.keyboard.type("/command-03 sub 11");
    await page.keyboard.press("Tab");
    await page.getByRole("group", { name: "Command /command-03 subcommand-11" }).waitFor();
    const options = await page
      .locator("[data-question]")
      .evaluateAll((found) => found.map((one) => one.dataset.question));
    const first = page.getByRole("textbox", { name: "option-with-a-long-name-23" });
    await first.and(page.locator(":focus")).waitFor();
    await page.getByRole("textbox", { name: "option-with-a-long-name-22" }).fill("last");
    const box = await page.locator(".command-form").boundingBox();

    expect(options).toHaveLength(25);
    expect(options.slice(0, 2)).toEqual([
      "option-with-a-long-name-23",
      "option-with-a-long-name-24",
    ]);
    expect(box?.y).toBeGreaterThan(0);
    expect(await overflowing()).toEqual([]);
  });

  it.each(sizes)("keeps long suggestions in a window of $width x $height", async (size) => {
    const choices = Array.from({ length: 25 }, (_, index) => ({
      name: `${index} ${"a long title ".repeat(8)}`.slice(0, 100),
      value: `${index}`,
    }));
    platform.answer("suggest", () => ({ choices }));
    await page.setViewportSize(size);
    await page.getByRole("combobox", { name: "Message #general" }).click();
    await page.keyboard.type("/command-00 subcommand-00 ");
    await page.getByRole("combobox", { name: "option-with-a-long-name-00" }).click();
    await page.getByRole("main").getByRole("option").nth(24).waitFor();
    await page.keyboard.press("ArrowUp");

    expect(await isInView(".select-option.active", ".select-list")).toBe(true);
    expect(await overflowing()).toEqual([]);
  });

  it("leaves a command with Esc and closes the picker with it", async () => {
    await page.getByRole("combobox", { name: "Message #general" }).click();
    await page.keyboard.type("/command-03 subcommand-11 ");
    await page.getByRole("group", { name: "Command /command-03 subcommand-11" }).waitFor();
    await page.keyboard.press("Escape");
    await page
      .getByRole("combobox", { name: "Message #general" })
      .and(page.locator(":focus"))
      .waitFor();
    await page.keyboard.type("/");
    await rows().first().waitFor();
    await page.keyboard.press("Escape");

    expect(await rows().count()).toBe(0);
  });

  it.each([
    ["none", () => ({ choices: [] }), "No options match."],
    ["a failure", () => "The bot was late", "The options couldn’t be loaded."],
  ])("says of suggestions that there is %s", async (_, answer, words) => {
    platform.answer("suggest", answer);
    await page.getByRole("combobox", { name: "Message #general" }).click();
    await page.keyboard.type("/command-00 subcommand-00 x");
    await page.getByRole("combobox", { name: "option-with-a-long-name-00" }).click();
    await page.keyboard.type("cat", { delay: 20 });
    await page.getByText("Loading options…").waitFor();

    await page.getByText(words).waitFor();
    const last = platform.acts.findLast(({ name }) => name === "suggest");
    expect(last?.body.options).toEqual([
      { name: "option-with-a-long-name-23", value: "x" },
      { name: "option-with-a-long-name-00", value: "cat" },
    ]);
  });
});
