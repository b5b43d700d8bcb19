import { describe, expect, it } from "vitest";
import { botMessage } from "../../support/fake-platform.ts";
import { findChromium } from "../../support/find-chromium.ts";
import { usePageStage } from "../../support/page-stage.ts";
import { type PageStage, visit } from "../../support/page-visit.ts";

const [general, other, direct] = ["500", "501", "510"];

describe.skipIf(!findChromium())("the page's channels and direct messages, in Chromium", () => {
  let platform: PageStage["platform"];
  let page: PageStage["page"];
  let visitor: PageStage["visitor"];

  usePageStage((stage) => {
    ({ platform, page, visitor } = stage);
  });

  const entry = (name: string) => page.getByRole("navigation").getByRole("button", { name });
  const say = (channel_id: string, content: string) =>
    platform.emit({ type: "message", message: botMessage({ channel_id, content }) });

  it("opens a long channel at its newest message, wherever another was read", async () => {
    const long = Array.from({ length: 60 }, (_, n) => [
      botMessage({ channel_id: general, content: `here ${n}` }),
      botMessage({
        channel_id: other,
        content: `there ${n}`,
        embeds: [{ type: "rich", description: "x\n".repeat(20) }] as never,
      }),
    ]);
    platform.seen.owner.push(...long.flat());
    await visit(visitor, platform);
    await page.getByText("here 59").waitFor();
    await entry("other").click();

    await expect.poll(() => page.getByText("there 59").boundingBox()).not.toBeNull();
    const isSeen = () =>
      page.evaluate(`(() => {
      const { scrollTop, scrollHeight, clientHeight } = document.querySelector(".scroller");
      return scrollHeight - scrollTop - clientHeight < 50;
    })()`);
    await expect.poll(isSeen).toBe(true);
  });

  it("shows the server's events, and what is published and talked about in a thread", async () => {
    const at = (minutes: number) => Date.now() + minutes * 60_000;
    const event = { name: "Stream", description: null, location: "Here", cover: undefined };
    const times = { startsAt: at(10), endsAt: at(20) };
    const thread = { id: "1", type: 10, name: "Talk", parent_id: general, message_count: 2 };
    platform.emit({
      type: "events",
      events: [
        { ...event, ...times, id: "1", status: 1 },
        { ...event, id: "2", name: "On air", startsAt: at(-1), endsAt: at(9), status: 1 },
        { ...event, ...times, id: "3", name: "Gone", status: 4 },
      ],
    });
    platform.emit({ type: "message", message: botMessage({ id: "1", content: "x", flags: 1 }) });
    platform.emit({ type: "thread", thread: thread as never });

    await page.getByRole("button", { name: "2 events" }).click();
    const states = page.locator(".events li");
    const shown = await states.evaluateAll((all) =>
      all.map((one) => `${one.querySelector("h3")?.textContent} ${one.dataset.state}`),
    );
    await page.keyboard.press("Escape");

    expect(shown).toEqual(["On air active", "Stream scheduled", "Gone cancelled"]);
    expect(await states.count()).toBe(0);
    await page.getByText("Published", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Talk 2 messages" }).click();
    await page.getByRole("heading", { name: "Talk", level: 2 }).waitFor();
  });

  it("shows the conversation with the bot when it begins", async () => {
    expect(await entry("Greenroom").count()).toBe(0);
    say(direct, "the link has ended");
    say(direct, "please connect again");
    await entry("Greenroom").click();

    await page.getByText("please connect again").waitFor();
    expect(await page.getByRole("combobox", { name: "Message @Greenroom" }).count()).toBe(1);
  });

  it("offers there no command that is for servers only", async () => {
    const command = { id: "1", type: 1, description: "x", default_member_permissions: null };
    platform.commands = [
      { ...command, name: "here", contexts: [0] },
      { ...command, id: "2", name: "anywhere", contexts: [0, 1] },
    ] as never;
    platform.seen.owner.push(botMessage({ channel_id: direct, content: "hello" }));
    await visit(visitor, platform);
    const offered = async (box: string) => {
      await page.getByRole("combobox", { name: box }).fill("/");
      return page.locator(".picker [data-command]").count();
    };

    expect(await offered("Message #general")).toBe(2);
    await entry("Greenroom").click();
    expect(await offered("Message @Greenroom")).toBe(1);
  });

  it("opens a link button in a new tab that knows nothing of this page", async () => {
    const url = `${platform.url}/somewhere`;
    const components = [
      { type: 1, components: [{ type: 2, style: 5, label: "Connect your channel", url }] },
    ];
    const message = botMessage({ channel_id: general, content: "Go on", components });
    platform.emit({ type: "message", message });
    const link = page.getByRole("link", { name: "Connect your channel" });
    await link.waitFor();

    expect(await link.getAttribute("target")).toBe("_blank");
    expect(await link.getAttribute("rel")).toBe("noopener noreferrer");
    expect(await link.getAttribute("href")).toBe(url);
  });
});
