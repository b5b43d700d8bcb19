import type { APIApplicationCommand, APIMessage } from "discord-api-types/v10";
import { describe, expect, it } from "vitest";
import { bot, botMessage, people } from "../../support/fake-platform.ts";
import { findChromium } from "../../support/find-chromium.ts";
import { usePageStage } from "../../support/page-stage.ts";
import { carriedFile, type PageStage } from "../../support/page-visit.ts";

/** One transparent pixel. */
const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);

describe.skipIf(!findChromium())("the page's messages, in Chromium", () => {
  let platform: PageStage["platform"];
  let page: PageStage["page"];

  usePageStage((stage) => {
    ({ platform, page } = stage);
    platform.commands = [
      { id: "c3", type: 3, name: "Remove background", description: "" },
    ] as unknown as readonly APIApplicationCommand[];
  });

  function show(message: APIMessage): void {
    platform.emit({ type: "message", message });
  }
  const shown = (message: APIMessage) => page.locator(`[data-message-id="${message.id}"]`);

  it("sends a message with the files that were chosen and dropped", async () => {
    const chosen = { name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("a") };
    await page.getByLabel("Files to attach").setInputFiles(chosen);
    const dataTransfer = await carriedFile(page, "b.png");
    await page.getByRole("main").dispatchEvent("drop", { dataTransfer });
    await page.getByRole("combobox", { name: "Message #general" }).fill("two files");
    await page.getByText("b.png").waitFor();
    await page.keyboard.press("Enter");

    const { body, as } = await platform.act("message");

    expect(as).toBe("owner");
    expect(body.content).toBe("two files");
    expect(body.files).toHaveLength(2);
  });

  it("shows reactions, and chooses one too", async () => {
    const emoji = { id: null, name: "🎉" };
    const counts = { count_details: { burst: 0, normal: 2 }, burst_colors: [], me_burst: false };
    const message = botMessage({ reactions: [{ ...counts, emoji, count: 2, me: true }] });
    show(message);
    const pill = shown(message).getByRole("button", { name: "🎉, 2" });

    await pill.click();

    expect((await platform.act("react")).body).toEqual({ messageId: message.id, emoji: "🎉" });
    expect(await pill.getAttribute("aria-pressed")).toBe("true");
  });

  it("says that something was pinned, and who types", async () => {
    const notice = botMessage({ content: "", type: 6 });
    show(notice);
    platform.emit({ type: "typing", channelId: notice.channel_id, userId: bot.id });

    await shown(notice).getByText("pinned a message to this channel.").waitFor();
    await page.getByText(/is typing…/).waitFor();
    show(botMessage({ content: "here it is" }));
    await page.getByText(/is typing…/).waitFor({ state: "detached" });
  });

  it("never takes text for elements, and opens links in a tab of their own", async () => {
    const hostile =
      "<img src=x onerror=alert(1)> [**go**](https://example.com/a) [no](javascript:alert(1))";
    const message = botMessage({ content: hostile });
    show(message);
    const link = shown(message).getByRole("link", { name: "go" });
    await link.waitFor();

    expect(await shown(message).locator("img").count()).toBe(0);
    expect(await shown(message).getByRole("link").count()).toBe(1);
    expect(await link.getAttribute("target")).toBe("_blank");
    expect(await link.getAttribute("rel")).toContain("noopener");
    expect(await shown(message).innerText()).toContain("<img src=x onerror=alert(1)>");
  });

  it("shows the server's own emoji in texts and embeds, and all of them beside the channels", async () => {
    for (const id of ["1", "2"]) platform.host(`${id}.png`, "image/png", pixel);
    const expressions = {
      emojis: [{ id: "1", name: "cat" }],
      stickers: [{ id: "2", name: "A cat" }],
    };
    platform.emit({ type: "expressions", expressions });
    const text = "<:cat:1> and <:gone:9>";
    const message = botMessage({ content: text, embeds: [{ description: text }] });
    show(message);
    const shelf = (name: string) => page.getByRole("region", { name }).getByRole("img");
    await shown(message).getByRole("img", { name: ":cat:" }).nth(1).waitFor();

    const pictures = [
      shelf("Emoji"),
      shelf("Stickers"),
      shown(message).getByAltText(":cat:").first(),
    ];
    for (const picture of pictures) {
      const width = () =>
        picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth);
      await expect.poll(width).toBe(1);
    }
    expect(await shelf("Stickers").getAttribute("title")).toBe("A cat");
    // An emoji that was deleted still has its name.
    expect(await shown(message).getByAltText(":gone:").count()).toBe(2);
  });

  it("shows that the bot is thinking, then the answer in the same place", async () => {
    const message = botMessage({ flags: 128 });
    show(message);
    await shown(message).getByText("Greenroom is thinking…").waitFor();
    show({ ...botMessage({ content: "Done." }), id: message.id });

    await shown(message).getByText("Done.").waitFor();
    expect(await page.locator("[data-message-id]").count()).toBe(1);
  });

  it("says (edited) beside text, not beside components", async () => {
    const edited_timestamp = new Date().toISOString();
    const text = botMessage({ content: "First", edited_timestamp });
    const parts = botMessage({
      flags: 32_768,
      edited_timestamp,
      components: [{ type: 10, content: "Second" }],
    });
    show(text);
    show(parts);
    await shown(parts).getByText("Second").waitFor();

    expect(await shown(text).innerText()).toContain("(edited)");
    expect(await shown(parts).innerText()).not.toContain("(edited)");
  });

  it("marks an ephemeral reply and dismisses it", async () => {
    const message = botMessage({ content: "secret", flags: 64 });
    show(message);
    await shown(message).getByText("Only you can see this").waitFor();
    await shown(message).getByRole("button", { name: "Dismiss message" }).click();

    const { body } = await platform.act("dismiss");

    expect(body).toEqual({ messageId: message.id });
    expect(await shown(message).count()).toBe(0);
  });

  it("keeps a pressed button busy until the bot took it", async () => {
    platform.answer("component", () => ({ interactionId: "50" }));
    const message = botMessage({
      content: "Press",
      components: [{ type: 1, components: [{ type: 2, style: 1, label: "Go", custom_id: "go" }] }],
    });
    show(message);
    const button = shown(message).getByRole("button", { name: "Go" });
    await button.click();
    await shown(message).locator("[aria-busy=true]").waitFor();
    platform.emit({ type: "settled", interactionId: "50" });
    await shown(message).locator("[data-custom-id=go][aria-busy=false]").waitFor();

    const { body } = await platform.act("component");

    expect(body).toEqual({ channelId: "500", messageId: message.id, customId: "go" });
  });

  it("says under the message that a press failed, until the next press", async () => {
    platform.answer("component", () => ({ interactionId: "51" }));
    const message = botMessage({
      content: "Press",
      components: [{ type: 1, components: [{ type: 2, style: 4, label: "Go", custom_id: "go" }] }],
    });
    show(message);
    await shown(message).getByRole("button", { name: "Go" }).click();
    await platform.act("component");
    platform.emit({ type: "failed", interactionId: "51", text: "This interaction failed" });
    const failure = shown(message).getByRole("alert");
    await failure.getByText("This interaction failed").waitFor();
    platform.answer("component", () => ({ interactionId: "52" }));
    await shown(message).getByRole("button", { name: "Go" }).click();

    await failure.waitFor({ state: "detached" });
    // The press itself arrives after its sign; it must not run into the next test.
    await expect.poll(() => platform.acts.length).toBe(2);
  });

  it("sends a single choice at once, several when the list closes", async () => {
    const options = ["One", "Two", "Three"].map((label) => ({ label, value: label.toLowerCase() }));
    const select = (custom_id: string, max_values: number) => ({
      type: 1,
      components: [{ type: 3, custom_id, placeholder: custom_id, options, max_values }],
    });
    show(botMessage({ flags: 32_768, components: [select("single", 1), select("several", 2)] }));
    await page.getByRole("combobox", { name: "single" }).click();
    await page.getByRole("option", { name: "Two" }).click();
    await page.getByRole("combobox", { name: "several" }).click();
    await page.getByRole("option", { name: "Three" }).click();
    await page.getByRole("option", { name: "One", exact: true }).click();
    await page.getByRole("option", { name: "Two" }).click();
    await page.keyboard.press("Escape");
    await expect.poll(() => platform.acts.length).toBe(2);

    const sent = platform.acts.map(({ body }) => [body.customId, body.values]);

    expect(sent).toEqual([
      ["single", ["two"]],
      ["several", ["one", "three"]],
    ]);
  });

  it("shows a picture large on a checkerboard, with a way to open and to save it", async () => {
    const url = platform.host("cat.png", "image/png", pixel);
    const picture = { id: "1", filename: "cat.png", size: 70, url, proxy_url: url };
    show(
      botMessage({ attachments: [{ ...picture, content_type: "image/png", width: 1, height: 1 }] }),
    );
    await page.getByRole("button", { name: "Open picture: cat.png" }).click();
    const viewer = page.getByRole("dialog", { name: "Picture cat.png" });
    await viewer.getByText("1 × 1").waitFor();

    const background = await viewer
      .locator("img")
      .evaluate((image) => String(image.computedStyleMap().get("background-image")));
    expect(background).toContain("conic-gradient");
    expect(await viewer.getByRole("link", { name: "Open original" }).getAttribute("href")).toBe(
      url,
    );
    expect(await viewer.getByRole("link", { name: "Save" }).getAttribute("download")).toBe(
      "cat.png",
    );
    await page.keyboard.press("Escape");
    await viewer.waitFor({ state: "detached" });
  });

  it("offers the bot's message commands by right-click and by the hover button", async () => {
    const message = botMessage({ author: people.member.user, content: "look" });
    show(message);
    await shown(message).click({ button: "right" });
    await page.keyboard.press("Escape");
    await shown(message).hover();
    await shown(message).getByRole("button", { name: "More" }).click();
    await page.keyboard.press("ArrowRight");
    await page.getByRole("menuitem", { name: "Remove background" }).click();

    const { body } = await platform.act("menu");

    expect(body).toEqual({ channelId: "500", commandId: "c3", messageId: message.id });
  });

  it("shows components of every kind, and no attachment twice", async () => {
    const url = platform.host("cat.png", "image/png", pixel);
    const attachment = { id: "1", filename: "list.csv", size: 12, url, proxy_url: url };
    const message = botMessage({
      flags: 32_768,
      attachments: [attachment],
      components: [
        {
          type: 17,
          accent_color: 0xff0000,
          components: [
            { type: 10, content: "# Results" },
            { type: 14 },
            {
              type: 9,
              components: [{ type: 10, content: "First" }],
              accessory: { type: 11, media: { url }, description: "A cat" },
            },
            { type: 12, items: [{ media: { url } }, { media: { url }, spoiler: true }] },
            { type: 13, file: { url: "attachment://list.csv" } },
            {
              type: 1,
              components: [{ type: 2, style: 5, label: "Docs", url: "https://example.com" }],
            },
          ],
        },
      ],
    });
    show(message);
    await shown(message).getByRole("heading", { name: "Results" }).waitFor();

    expect(await shown(message).getByRole("button", { name: "Open picture: A cat" }).count()).toBe(
      1,
    );
    expect(
      await shown(message).getByRole("button", { name: "Spoiler, press to show" }).count(),
    ).toBe(1);
    expect(await shown(message).locator("[data-file='list.csv']").count()).toBe(1);
    expect(await shown(message).getByRole("link", { name: "Docs" }).getAttribute("target")).toBe(
      "_blank",
    );
  });

  it("stays where the person reads when something new arrives, and offers the way down", async () => {
    for (let count = 0; count < 40; count += 1) show(botMessage({ content: `line ${count}` }));
    await page.getByText("line 39").waitFor();
    const list = page.getByRole("region", { name: "Messages" });
    const place = () => list.evaluate((element) => element.scrollTop);
    await list.evaluate((element) => {
      element.scrollTop = 50;
    });
    await expect.poll(place).toBe(50);
    show(botMessage({ content: "the newest" }));
    await page.getByRole("button", { name: "1 new message" }).waitFor();
    const kept = await place();
    await page.getByRole("button", { name: "1 new message" }).click();

    expect(kept).toBe(50);
    await expect.poll(place).toBeGreaterThan(500);
  });

  it("follows an answer that grows in place", async () => {
    for (let count = 0; count < 30; count += 1) show(botMessage({ content: `line ${count}` }));
    const message = botMessage({ flags: 128 });
    show(message);
    await shown(message).getByText("thinking").waitFor();
    show({ ...botMessage({ content: "row\n".repeat(80) }), id: message.id });
    await shown(message).getByText("row").waitFor();

    const beyond = () =>
      page
        .getByRole("region", { name: "Messages" })
        .evaluate((list) => list.scrollHeight - list.clientHeight - list.scrollTop);
    await expect.poll(beyond).toBeLessThan(2);
  });

  it("fits a window of 420 pixels", async () => {
    const url = platform.host("cat.png", "image/png", pixel);
    const picture = { id: "1", filename: "cat.png", size: 70, url, proxy_url: url };
    await page.setViewportSize({ width: 420, height: 760 });
    show(
      botMessage({
        content: "w".repeat(300),
        embeds: [{ description: "x".repeat(300), image: { url, width: 900, height: 500 } }],
      }),
    );
    const wide = { ...picture, content_type: "image/png", width: 900, height: 500 };
    const message = botMessage({ attachments: [wide] });
    show(message);
    await shown(message).waitFor();

    const overflow = await page
      .locator(".scroller")
      .evaluate((element) => element.scrollWidth - element.clientWidth);
    const box = await shown(message).locator(".picture").boundingBox();
    expect(overflow).toBeLessThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(420);
  });
});
