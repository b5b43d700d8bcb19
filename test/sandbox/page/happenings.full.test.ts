import type { APIApplicationCommand } from "discord-api-types/v10";
import { describe, expect, it } from "vitest";
import type { ShownHappening } from "../../../src/sandbox/platform/protocol.ts";
import { botMessage, people } from "../../support/fake-platform.ts";
import { findChromium } from "../../support/find-chromium.ts";
import { usePageStage } from "../../support/page-stage.ts";
import { type PageStage, visit } from "../../support/page-visit.ts";

const outage: ShownHappening = {
  name: "youtube",
  title: "YouTube is down",
  words: "YouTube answers with errors. </connect status:7> says so.",
  state: undefined,
  presses: [{ name: "youtube", label: "Take it down" }],
};

describe.skipIf(!findChromium())("the page's panel and welcome, in Chromium", () => {
  let platform: PageStage["platform"];
  let page: PageStage["page"];
  let visitor: PageStage["visitor"];

  usePageStage((stage) => {
    ({ platform, page, visitor } = stage);
    platform.commands = [
      { id: "7", type: 1, name: "connect", options: [{ type: 1, name: "status" }] },
      { id: "8", type: 3, name: "Remove background" },
    ] as unknown as readonly APIApplicationCommand[];
    const content =
      "- </connect status:7> says it\n- **Remove background** of a photo\n- **Switch** to others";
    const welcome = botMessage({ author: people.owner.user, content });
    platform.welcomeId = welcome.id;
    for (const seen of Object.values(platform.seen)) seen.push(welcome);
    let isDown = false;
    platform.answer("happenings", ({ body }) => {
      if (body.name === "youtube") isDown = !isDown;
      const presses = [
        { name: "youtube", label: "Bring it back" },
        { name: "youtube later", label: "Bring it back later" },
      ];
      const down = { state: "YouTube is down.", presses };
      return { happenings: [isDown ? { ...outage, ...down } : outage] };
    });
  });

  const opener = () => page.getByRole("button", { name: "Make something happen" });
  const panel = () => page.getByRole("region", { name: "Make something happen" });
  const done = () => page.locator("li.done").allInnerTexts();

  it("lists what can happen, makes it happen and says how it stands", async () => {
    await opener().click();
    await panel().getByRole("button", { name: "Take it down" }).click();
    await panel().getByRole("status").getByText("YouTube is down.").waitFor();
    expect(await panel().getByRole("button", { name: "Bring it back later" }).count()).toBe(1);
    await panel().getByRole("button", { name: "Bring it back", exact: true }).click();
    await panel().getByRole("button", { name: "Take it down" }).waitFor();

    expect(await panel().getByRole("status").count()).toBe(0);
  });

  it("closes with Esc, and on a phone covers the channel and makes way for a command", async () => {
    await opener().click();
    await panel().getByRole("heading", { name: "YouTube is down" }).waitFor();
    await page.keyboard.press("Escape");
    await panel().waitFor({ state: "detached" });

    await page.setViewportSize({ width: 390, height: 844 });
    await opener().click();
    const box = await panel().boundingBox();
    await panel().getByRole("button", { name: "connect status" }).click();
    await page.getByRole("group", { name: "Command /connect status" }).waitFor();

    expect(box).toMatchObject({ x: 0, width: 390 });
    expect(await panel().count()).toBe(0);
  });

  it("says why it can't be reached, and stays", async () => {
    platform.answer("happenings", () => "Not now.");
    await opener().click();

    await panel().getByRole("alert").getByText("Not now.").waitFor();
  });

  it("fills in a suggested command, and ticks it for this person once it was used", async () => {
    await page.getByRole("listitem").getByRole("button", { name: "connect status" }).click();
    await page.getByRole("group", { name: "Command /connect status" }).waitFor();
    const before = await done();
    await page.keyboard.press("Enter");
    await page.locator("li.done").waitFor();
    await page.reload();
    await page.locator("li.done").waitFor();
    const after = await done();
    await visit(visitor, platform, "member");
    await page.getByText("says it").waitFor();

    expect(before).toEqual([]);
    expect(after).toEqual([expect.stringMatching(/^Done:\s+\/?connect status says it$/u)]);
    expect(await done()).toEqual([]);
  });

  it("ticks a menu that was used and a person that was switched", async () => {
    await page.getByText("says it").click({ button: "right" });
    await page.getByRole("menuitem", { name: "Apps" }).click();
    await page.getByRole("menuitem", { name: "Remove background" }).click();
    await page.locator("li.done").waitFor();
    await page.getByLabel("You are").selectOption("Mel (Member)");
    await page.locator("[data-me=member]").waitFor();
    await visit(visitor, platform);
    await page.locator("li.done").nth(1).waitFor();

    expect(await done()).toHaveLength(2);
  });

  it("has the platform's time, which can be moved on", async () => {
    const at = Math.floor(Date.now() / 1_000) + 2 * 3_600 + 60;
    platform.emit({ type: "message", message: botMessage({ content: `Due <t:${at}:R>` }) });
    await page.getByText("in 2 hours").waitFor();
    platform.emit({ type: "clock", now: Date.now() + 4 * 3_600_000 });

    await page.getByText("2 hours ago").waitFor();
  });
});
