import type { APIApplicationCommand } from "discord-api-types/v10";
import { beforeEach, describe, expect, it } from "vitest";
import { botMessage, people } from "../../support/fake-platform.ts";
import { findChromium } from "../../support/find-chromium.ts";
import { usePageStage } from "../../support/page-stage.ts";
import { carriedFile, type PageStage } from "../../support/page-visit.ts";

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
  {
    id: "c5",
    type: 1,
    name: "tell",
    description: "Tell somebody",
    options: [option(6, "who", { required: true }), option(8, "role"), option(7, "where")],
  },
  { id: "c3", type: 3, name: "Remove background", description: "" },
] as unknown as readonly APIApplicationCommand[];

describe.skipIf(!findChromium())("the page's form for a command, in Chromium", () => {
  let platform: PageStage["platform"];
  let page: PageStage["page"];

  usePageStage((stage) => {
    ({ platform, page } = stage);
    platform.commands = commands;
  });
  beforeEach(() => page.getByRole("combobox", { name: "Message #general" }).click());

  const rows = () => page.getByRole("listbox", { name: "Commands" }).getByRole("option");
  const field = (name: string) => page.locator(`[data-field="${name}"]`);
  const choose = async (name: string, choice: string) => {
    await field(name).getByRole("combobox").click();
    await page.getByRole("option", { name: choice, exact: true }).click();
  };
  const send = () => page.getByRole("button", { name: "Send command" }).click();

  it("shows commands and subcommands that fit what is typed", async () => {
    await page.keyboard.type("/");
    const all = await rows().evaluateAll((found) => found.map((row) => row.dataset.command));
    await page.keyboard.type("rem");
    const fitting = await rows().evaluateAll((found) => found.map((row) => row.dataset.command));

    expect(all).toEqual(["look", "search", "tell", "background account", "background remove"]);
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

  it("takes no suggestion with Enter before anything is typed; the arrows reach them", async () => {
    platform.answer("suggest", () => ({ choices: [{ name: "Cats", value: "cats" }] }));
    const suggested = page.getByRole("option", { name: "Cats" });
    await page.keyboard.type("/search ");
    await suggested.waitFor();
    await page.keyboard.press("Enter");
    const untouched = await field("query").inputValue();
    await field("query").blur();
    await field("query").focus();
    await suggested.waitFor();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");

    expect(untouched).toBe("");
    expect(await field("query").inputValue()).toBe("Cats");
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

  it("is filled in with the keyboard alone, and sends what each option's type asks for", async () => {
    await page.keyboard.type("/search cats");
    await page.keyboard.press("Tab");
    for (const key of ["ArrowDown", "ArrowDown", "Enter", "Tab"]) await page.keyboard.press(key);
    await page.keyboard.type("5");
    await page.keyboard.press("Tab");
    for (const key of ["ArrowDown", "ArrowDown", "Enter"]) await page.keyboard.press(key);
    await field("count").press("Enter");

    const { body } = await platform.act("command");

    expect(body.options).toEqual([
      { name: "query", value: "cats" },
      { name: "type", value: "channel" },
      { name: "count", value: 5 },
      { name: "safe", value: false },
    ]);
  });

  it("offers the server's people, roles and channels, and gives up what was chosen", async () => {
    await page.keyboard.type("/tell ");
    await choose("who", "Mika");
    await choose("role", "@Member");
    await choose("where", "#general");
    await choose("role", "@Member");
    await send();

    const { body } = await platform.act("command");

    expect(body.options).toEqual([
      { name: "who", value: people.moderator.user.id },
      { name: "where", value: "500" },
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
    await page.getByRole("alert").getByText("Use at least 2 characters; you have 1.").waitFor();
    await field("query").fill("cats");
    await field("count").fill("99");
    await field("count").press("Enter");
    await page.getByRole("alert").getByText("Enter 25 or less.").waitFor();

    expect(platform.acts.filter(({ name }) => name === "command")).toEqual([]);
    expect(await field("count").getAttribute("aria-invalid")).toBe("true");
  });

  it("keeps the command and says why when the platform refuses it", async () => {
    platform.answer("command", () => "That option is not for you.");
    await page.keyboard.type("/search cats");
    await send();

    await page.getByRole("alert").getByText("That option is not for you.").waitFor();
    expect(await field("query").inputValue()).toBe("cats");
  });

  it("closes its suggestions with Esc, and then itself", async () => {
    await page.keyboard.type("/search cats");
    await page.getByText("No options match.").waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("No options match.").waitFor({ state: "detached" });
    await page.keyboard.press("Escape");

    const box = page.getByRole("combobox", { name: "Message #general" });
    expect(await box.inputValue()).toBe("");
    expect(await box.evaluate((element) => element.matches(":focus"))).toBe(true);
  });

  it("takes an option's file from the chooser", async () => {
    await page.keyboard.type("/background remove ");
    const data = { name: "cat.png", mimeType: "image/png", buffer: Buffer.from("picture") };
    await field("image").setInputFiles(data);
    await page.locator("[data-question=image]").getByText("cat.png").waitFor();
    await send();

    const file = await platform.act("files");
    const { body } = await platform.act("command");

    expect(file.body).toEqual({ name: "cat.png", bytes: 7 });
    expect(body.options).toEqual([{ name: "image", value: "f1" }]);
  });

  it("takes files that are dropped on the option and pasted, the next in the option that is free", async () => {
    await page.keyboard.type("/background remove ");
    const dataTransfer = await carriedFile(page, "dropped.png");
    await page.locator("[data-question=image] .form-files").dispatchEvent("drop", { dataTransfer });
    const carried = await carriedFile(page, "pasted.png");
    await page.locator("body").evaluate((body, clipboardData) => {
      const { ClipboardEvent } = body.ownerDocument.defaultView;
      body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
    }, carried);

    await page.locator("[data-question=image] [data-file='dropped.png']").waitFor();
    await page.locator("[data-question=second] [data-file='pasted.png']").waitFor();
  });

  it("refuses a file that is larger than the platform takes", async () => {
    platform.attachmentLimit = 3;
    await page.reload();
    await page.getByRole("combobox", { name: "Message #general" }).click();
    await page.keyboard.type("/background remove ");
    const data = { name: "cat.png", mimeType: "image/png", buffer: Buffer.from("picture") };
    await field("image").setInputFiles(data);
    await send();

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
