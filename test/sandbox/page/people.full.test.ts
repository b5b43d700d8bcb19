import type { APIModalInteractionResponseCallbackData } from "discord-api-types/v10";
import { describe, expect, it } from "vitest";
import { botMessage, people } from "../../support/fake-platform.ts";
import { findChromium } from "../../support/find-chromium.ts";
import { usePageStage } from "../../support/page-stage.ts";
import type { PageStage } from "../../support/page-visit.ts";

const form = {
  custom_id: "key",
  title: "Connect",
  components: [
    {
      type: 18,
      label: "API key",
      description: "From the console",
      component: { type: 4, custom_id: "key", style: 1, min_length: 5, max_length: 10 },
    },
    {
      type: 18,
      label: "Region",
      component: {
        type: 3,
        custom_id: "region",
        required: false,
        options: [{ label: "Germany", value: "DE" }],
      },
    },
    {
      type: 18,
      label: "Picture",
      component: { type: 19, custom_id: "picture", required: false },
    },
  ],
} as unknown as APIModalInteractionResponseCallbackData;

describe.skipIf(!findChromium())("the page's people, forms and connection, in Chromium", () => {
  let platform: PageStage["platform"];
  let page: PageStage["page"];

  usePageStage((stage) => {
    ({ platform, page } = stage);
    platform.seen.owner.push(botMessage({ content: "for the owner", flags: 64 }));
  });

  const dialog = () => page.getByRole("dialog", { name: "Connect" });

  async function openForm(): Promise<void> {
    platform.emit({ type: "form", interactionId: "60", form });
    await dialog().waitFor();
  }

  it("shows what the other person sees after a switch, and keeps them after a reload", async () => {
    await page.getByText("for the owner").waitFor();
    await page.getByLabel("You are").selectOption("Mel (Member)");
    await page.locator("[data-me=member]").waitFor();
    const seen = await page.getByText("for the owner").count();
    await page.reload();

    await page.locator("[data-me=member]").waitFor();
    expect(seen).toBe(0);
  });

  it("says that it reconnects when the socket drops, and does", async () => {
    platform.cut(300);
    await page.getByText("Reconnecting…").waitFor();
    platform.seen.owner.push(botMessage({ content: "said meanwhile" }));

    await page.getByText("said meanwhile").waitFor();
    expect(await page.getByText("Reconnecting…").count()).toBe(0);
  });

  it("says that the bot is offline", async () => {
    platform.emit({ type: "online", online: false });

    await page.getByText("Greenroom is offline.").waitFor();
  });

  it("says what is wrong in a form and sends nothing", async () => {
    await openForm();
    await page.getByLabel("API key").fill("abc");
    await page.getByRole("button", { name: "Submit" }).click();

    await dialog().getByText("Use at least 5 characters; you have 3.").waitFor();
    expect(platform.acts).toEqual([]);
  });

  it("sends a form's fields, uploads by their ids, and closes when the bot took it", async () => {
    platform.answer("form", () => ({ interactionId: "61" }));
    await openForm();
    await page.keyboard.type("secret");
    await dialog().getByRole("combobox", { name: "Region" }).click();
    await page.getByRole("option", { name: "Germany" }).click();
    const data = { name: "cat.png", mimeType: "image/png", buffer: Buffer.from("picture") };
    await page.getByLabel("Picture", { exact: true }).setInputFiles(data);
    await page.getByRole("button", { name: "Submit" }).click();
    const { body } = await platform.act("form");
    await dialog().locator("[aria-busy=true]").waitFor();
    platform.emit({ type: "settled", interactionId: "61" });

    await dialog().waitFor({ state: "detached" });
    expect(body).toEqual({
      channelId: "500",
      interactionId: "60",
      fields: { key: "secret", region: ["DE"], picture: ["f1"] },
    });
  });

  it("shows every kind of question as the bot filled it in, and sends what was changed", async () => {
    const ask = (label: string, component: object) => ({ type: 18, label, component });
    const options = ["a", "b"].map((value) => ({ value, label: `Choice ${value}` }));
    const preset = [{ id: people.owner.user.id, type: "user" }];
    const all = {
      custom_id: "all",
      title: "Connect",
      components: [
        { type: 10, content: "**Read** this" },
        ask("One", { type: 21, custom_id: "one", options }),
        ask("Several", {
          type: 22,
          custom_id: "several",
          options: [{ ...options[0], default: true }],
        }),
        ask("Agreed", { type: 23, custom_id: "agreed" }),
        ask("Person", { type: 5, custom_id: "person", default_values: preset }),
      ],
    } as unknown as APIModalInteractionResponseCallbackData;
    platform.emit({ type: "form", interactionId: "60", form: all });
    await dialog().getByText("Read").waitFor();
    await page.getByRole("button", { name: "Submit" }).click();
    await dialog().getByText("Choose one.").waitFor();
    await page.getByRole("radio", { name: "Choice b" }).check();
    await page.getByRole("checkbox", { name: "Agreed" }).check();
    await page.getByRole("button", { name: "Submit" }).click();

    const { body } = await platform.act("form");

    expect(body.fields).toEqual({
      one: "b",
      several: ["a"],
      agreed: "true",
      person: [people.owner.user.id],
    });
  });

  it("keeps a form and what is in it when the bot did not take it", async () => {
    platform.answer("form", () => ({ interactionId: "62" }));
    await openForm();
    await page.keyboard.type("secret");
    await page.getByRole("button", { name: "Submit" }).click();
    await platform.act("form");
    platform.emit({ type: "failed", interactionId: "62", text: "Something went wrong" });

    await dialog().getByText("Something went wrong").waitFor();
    expect(await page.getByLabel("API key").inputValue()).toBe("secret");
  });

  it("keeps the cursor inside an open form and closes it with Esc", async () => {
    await openForm();
    for (let presses = 0; presses < 12; presses += 1) {
      await page.keyboard.press("Tab");
      expect(await page.locator("main :focus").count()).toBe(0);
    }
    await page.keyboard.press("Escape");

    await dialog().waitFor({ state: "detached" });
  });

  it("opens the sidebar of a narrow window to switch the person", async () => {
    await page.setViewportSize({ width: 420, height: 760 });
    await page.getByRole("button", { name: "Show channels and people" }).click();
    await page.getByLabel("You are").selectOption("Mika (Moderator)");

    await page.locator("[data-me=moderator]").waitFor({ state: "attached" });
  });
});
