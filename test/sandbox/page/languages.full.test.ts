import { describe, expect, it } from "vitest";
import { botMessage, people } from "../../support/fake-platform.ts";
import { findChromium } from "../../support/find-chromium.ts";
import { usePageStage } from "../../support/page-stage.ts";
import { type PageStage, visit } from "../../support/page-visit.ts";
import { translatedCommands } from "./translated-commands.ts";

describe.skipIf(!findChromium())("the page in a language, in Chromium", () => {
  let platform: PageStage["platform"];
  let page: PageStage["page"];
  let visitor: PageStage["visitor"];

  usePageStage((stage) => {
    ({ platform, page, visitor } = stage);
    platform.commands = translatedCommands;
  });

  const box = () => page.getByRole("combobox", { name: "Message #general" });
  // `waitForFunction` would need `eval`, which the page's own policy forbids.
  const storedLocale = () => page.evaluate("sessionStorage.getItem('locale:owner')");
  const speakGerman = async () => {
    platform.emit({ type: "locale", locale: "de" });
    await expect.poll(storedLocale).toBe("de");
    await box().click();
  };

  it("is set in the sidebar, whose list calls each language by its own name", async () => {
    const list = page.getByLabel("Language");
    const names = await list.locator("option").allTextContents();
    await list.selectOption({ label: "Deutsch" });

    const { as, body } = await platform.act("speak");

    expect([as, body]).toEqual(["owner", { locale: "de" }]);
    expect(names).toHaveLength(32);
    expect(names).toContain("日本語");
  });

  it("is said again to a platform that has forgotten it, for each person their own", async () => {
    platform.emit({ type: "locale", locale: "ja" });
    await expect.poll(storedLocale).toBe("ja");
    await visit(visitor, platform, "member");
    expect(platform.acts).toEqual([]);

    await visit(visitor, platform);

    const { as, body } = await platform.act("speak");
    expect([as, body]).toEqual(["owner", { locale: "ja" }]);
  });

  it("names commands, options and choices, and sends the command's own", async () => {
    await speakGerman();
    await page.keyboard.type("/videos hoch");
    const row = page.getByRole("listbox", { name: "Commands" }).getByRole("option");
    const shown = await row.innerText();
    await page.keyboard.press("Enter");
    await page.getByRole("group", { name: "Command /videos hochladen" }).waitFor();
    await page.getByText("Wie es heißt").waitFor();
    await page.keyboard.type("Katzen");
    await page.getByRole("combobox", { name: "sichtbarkeit" }).click();
    await page.getByRole("option", { name: "Öffentlich" }).click();
    await page.getByRole("textbox", { name: "titel" }).press("Enter");

    const { body } = await platform.act("command");

    expect(shown).toMatch(/\/videos hochladen\s*titel\s*sichtbarkeit\s*category/);
    expect(shown).toContain("Stellt ein Video auf den Kanal");
    expect(body).toMatchObject({
      commandId: "c1",
      path: ["upload"],
      options: [
        { name: "title", value: "Katzen" },
        { name: "privacy", value: "public" },
      ],
    });
  });

  it("names suggestions", async () => {
    const choice = { name: "Music", name_localizations: { de: "Musik" }, value: "10" };
    platform.answer("suggest", () => ({ choices: [choice] }));
    await speakGerman();
    await page.keyboard.type("/videos upload x");
    await page.getByRole("combobox", { name: "category" }).click();

    await page.getByRole("option", { name: "Musik" }).waitFor();
  });

  it("names what was used, dates and menus anew when it changes", async () => {
    const interaction = { id: "7", type: 2, name: "videos upload", user: people.owner.user };
    platform.seen.owner.push(
      botMessage({ content: "until <t:86400:D>", interaction, interaction_metadata: interaction }),
    );
    await visit(visitor, platform);
    await page.locator("[data-used='/videos upload']").waitFor();

    await speakGerman();

    await page.locator("[data-used='/videos hochladen']").waitFor();
    await page.getByText("2. Januar 1970").waitFor();
    await page.getByText("until").click({ button: "right" });
    await page.getByRole("menuitem", { name: "Apps" }).click();
    await page.getByRole("menuitem", { name: "Remove background" }).waitFor();
    await page.getByRole("menuitem", { name: "Zur Playlist hinzufügen" }).click();
    const { body } = await platform.act("menu");
    expect(body.commandId).toBe("c2");
  });
});
