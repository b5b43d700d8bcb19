import type { APIApplicationCommand } from "discord-api-types/v10";
import { beforeEach, describe, expect, it } from "vitest";
import { botMessage, people } from "../../support/fake-platform.ts";
import { findChromium } from "../../support/find-chromium.ts";
import { carriedFile, type PageStage, visit } from "../../support/page-visit.ts";
import { usePageStage } from "./use-page-stage.ts";

const option = (type: number, name: string, more: object = {}) => ({
  type,
  name,
  description: `About ${name}`,
  ...more,
});

const commands = [
  {
    id: "c1",
    type: 1,
    name: "search",
    description: "Find videos",
    options: [
      option(3, "query", { required: true, autocomplete: true, min_length: 2 }),
      option(3, "type", {
        choices: [
          { name: "Videos", value: "video" },
          { name: "Channels", value: "channel" },
        ],
      }),
      option(4, "count", { min_value: 1, max_value: 25 }),
      option(5, "safe"),
    ],
  },
  {
    id: "c2",
    type: 1,
    name: "background",
    description: "Pictures",
    options: [
      option(1, "remove", {
        options: [option(11, "image", { required: true }), option(11, "second")],
      }),
      option(1, "account"),
    ],
  },
  {
    id: "c4",
    type: 1,
    name: "look",
    description: "Nothing of it is due",
    options: [option(3, "words"), option(5, "safe")],
  },
  { id: "c3", type: 3, name: "Remove background", description: "" },
] as unknown as readonly APIApplicationCommand[];

describe.skipIf(!findChromium())("the page's command line, in Chromium", () => {
  const stage = usePageStage();
  let platform: PageStage["platform"];
  let page: PageStage["page"];
  let visitor: PageStage["visitor"];

  beforeEach(async () => {
    ({ platform, page, visitor } = stage);
    platform.commands = commands;
    await visit(visitor, platform);
    await page.getByRole("combobox", { name: "Message #general" }).click();
  });

  const rows = () => page.getByRole("listbox", { name: "Commands" }).getByRole("option");
  const value = (name: string) => page.getByRole("combobox", { name, exact: true });

  it("shows commands and subcommands that fit what is typed", async () => {
    await page.keyboard.type("/");
    const all = await rows().evaluateAll((found) => found.map((row) => row.dataset.command));
    await page.keyboard.type("rem");
    const fitting = await rows().evaluateAll((found) => found.map((row) => row.dataset.command));

    expect(all).toEqual(["look", "search", "background account", "background remove"]);
    expect(fitting).toEqual(["background remove"]);
  });

  it("picks with the arrows and Tab, and sends with Enter", async () => {
    await page.keyboard.type("/back");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Tab");
    await page.getByRole("group", { name: "Command /background account" }).waitFor();
    await page.keyboard.press("Enter");

    const { body } = await platform.act("command");

    expect(body).toEqual({ channelId: "500", commandId: "c2", path: ["account"], options: [] });
  });

  it("asks for suggestions for what is typed and sends the chosen one's value", async () => {
    const { promise: isSeen, resolve: see } = Promise.withResolvers<void>();
    platform.answer("suggest", async () => {
      await isSeen;
      return { choices: [{ name: "Cats of 2026", value: "cats" }] };
    });
    await page.keyboard.type("/search ");
    await page.keyboard.type("cat", { delay: 20 });
    await page.getByText("Loading options…").waitFor();
    see();
    await page.getByRole("option", { name: "Cats of 2026" }).waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");

    const { body } = await platform.act("command");
    const asked = platform.acts.filter(({ name }) => name === "suggest").at(-1);

    expect(body.options).toEqual([{ name: "query", value: "cats" }]);
    expect(asked?.body.options).toEqual([{ name: "query", value: "cat" }]);
    expect(asked?.body.focused).toBe("query");
  });

  it("says so when no suggestion fits", async () => {
    platform.answer("suggest", () => ({ choices: [] }));
    await page.keyboard.type("/search zzz");

    await page.getByText("No options match.").waitFor();
  });

  it("offers further options and sends their typed values", async () => {
    await page.keyboard.type("/search cats");
    await page.getByText("No options match.").waitFor();
    await page.getByRole("combobox", { name: "Add an option" }).click();
    await page.getByRole("option", { name: /^type/ }).click();
    await page.getByRole("option", { name: "Channels" }).click();
    await page.keyboard.type("safe");
    await page.keyboard.press("Enter");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.keyboard.type("count");
    await page.keyboard.press("Enter");
    await page.keyboard.type("5");
    await page.keyboard.press("Enter");

    const { body } = await platform.act("command");

    expect(body.options).toEqual([
      { name: "query", value: "cats" },
      { name: "type", value: "channel" },
      { name: "safe", value: false },
      { name: "count", value: 5 },
    ]);
  });

  it("puts what is typed behind a command into its first option, where none is due", async () => {
    await page.keyboard.type("/look cats and dogs");
    await page.keyboard.press("Enter");

    const { body } = await platform.act("command");

    expect(body.options).toEqual([{ name: "words", value: "cats and dogs" }]);
  });

  it("says in words what is out of range and sends nothing", async () => {
    await page.keyboard.type("/search c");
    await page.keyboard.press("Enter");
    await page
      .getByRole("alert")
      .getByText("query: Use at least 2 characters; you have 1.")
      .waitFor();
    await value("query").fill("cats");
    await page.getByRole("combobox", { name: "Add an option" }).click();
    await page.getByRole("option", { name: /^count/ }).click();
    await page.keyboard.type("99");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("count: Enter 25 or less.").waitFor();

    expect(platform.acts.filter(({ name }) => name === "command")).toEqual([]);
    expect(await value("count").getAttribute("aria-invalid")).toBe("true");
  });

  it("keeps the command and says why when the platform refuses it", async () => {
    platform.answer("command", () => "That option is not for you.");
    await page.keyboard.type("/search cats");
    await page.getByRole("button", { name: "Send command" }).click();

    await page.getByRole("alert").getByText("That option is not for you.").waitFor();
    expect(await value("query").inputValue()).toBe("cats");
  });

  it("leaves with Esc", async () => {
    await page.keyboard.type("/search cats");
    await page.keyboard.press("Escape");

    const box = page.getByRole("combobox", { name: "Message #general" });
    expect(await box.inputValue()).toBe("");
    expect(await box.evaluate((element) => element.matches(":focus"))).toBe(true);
  });

  it("takes an option's file from the chooser", async () => {
    await page.keyboard.type("/background remove ");
    const data = { name: "cat.png", mimeType: "image/png", buffer: Buffer.from("picture") };
    await page.getByLabel("image file").setInputFiles(data);
    await page.getByRole("button", { name: "image: cat.png" }).waitFor();
    await page.keyboard.press("Enter");

    const file = await platform.act("files");
    const { body } = await platform.act("command");

    expect(file.body).toEqual({ name: "cat.png", bytes: 7 });
    expect(body.options).toEqual([{ name: "image", value: "f1" }]);
  });

  it("takes files that are dropped on the option and pasted, adding the option that is needed", async () => {
    await page.keyboard.type("/background remove ");
    const dataTransfer = await carriedFile(page, "dropped.png");
    await page.locator("[data-card=image]").dispatchEvent("drop", { dataTransfer });
    const carried = await carriedFile(page, "pasted.png");
    await page.locator("body").evaluate((body, clipboardData) => {
      const { ClipboardEvent } = body.ownerDocument.defaultView;
      body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
    }, carried);

    await page.getByRole("button", { name: "image: dropped.png" }).waitFor();
    await page.getByRole("button", { name: "second: pasted.png" }).waitFor();
  });

  it("refuses a file that is larger than the platform takes", async () => {
    platform.attachmentLimit = 3;
    await page.reload();
    await page.getByRole("combobox", { name: "Message #general" }).click();
    await page.keyboard.type("/background remove ");
    const data = { name: "cat.png", mimeType: "image/png", buffer: Buffer.from("picture") };
    await page.getByLabel("image file").setInputFiles(data);
    await page.keyboard.press("Enter");

    await page.getByRole("alert").getByText("too large").waitFor();
    expect(platform.acts.filter(({ name }) => name === "files")).toEqual([]);
  });

  it("shows a command on its way until its answer is there", async () => {
    platform.answer("command", () => ({ interactionId: "77" }));
    await page.keyboard.type("/background account ");
    await page.keyboard.press("Enter");
    await page.locator("[data-state=sending]").waitFor();
    const user = people.owner.user;
    platform.emit({
      type: "message",
      message: botMessage({
        content: "3 credits left",
        interaction_metadata: { id: "77", type: 2, user },
        interaction: { id: "77", type: 2, name: "background account", user },
      }),
    });

    await page.getByText("3 credits left").waitFor();
    expect(await page.locator("[data-state=sending]").count()).toBe(0);
    const line = page.locator("[data-used]");
    expect(await line.getAttribute("data-used")).toBe("/background account");
    expect(await line.innerText()).toContain("Olivia");
  });

  it("shows in red what the bot did not answer, even if that overtakes the act's answer", async () => {
    platform.answer("command", () => {
      platform.emit({
        type: "failed",
        interactionId: "78",
        text: "The application did not respond",
      });
      return new Promise((resolve) => setTimeout(() => resolve({ interactionId: "78" }), 100));
    });
    await page.keyboard.type("/background account ");
    await page.keyboard.press("Enter");

    await page.getByRole("alert").getByText("The application did not respond").waitFor();
    await page.getByRole("button", { name: "Dismiss message" }).click();
    expect(await page.getByText("The application did not respond").count()).toBe(0);
  });
});
