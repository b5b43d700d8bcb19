import type { APIThreadChannel } from "discord-api-types/v10";
import { describe, expect, it } from "vitest";
import { bot, botMessage, people } from "../../support/fake-platform.ts";
import { findChromium } from "../../support/find-chromium.ts";
import { usePageStage } from "../../support/page-stage.ts";
import { type PageStage, visit } from "../../support/page-visit.ts";

const [general, forum] = ["500", "520"];
const tag = (id: string, name: string) => ({
  id,
  name,
  moderated: false,
  emoji_id: null,
  emoji_name: null,
});
const tags = [tag("61", "Pending"), tag("62", "Approved")];
const reviews = { id: forum, name: "reviews", type: 15, available_tags: tags };

function thread(id: string, name: string, applied: readonly string[], more: object = {}) {
  return {
    id,
    type: 11,
    name,
    parent_id: forum,
    owner_id: bot.id,
    applied_tags: applied,
    thread_metadata: { archived: false, locked: false },
    ...more,
  } as unknown as APIThreadChannel;
}

const first = (id: string, change: object = {}) => botMessage({ id, channel_id: id, ...change });

describe.skipIf(!findChromium())("forums and calls on the page, in Chromium", () => {
  let platform: PageStage["platform"];
  let page: PageStage["page"];
  let visitor: PageStage["visitor"];

  usePageStage((stage) => {
    ({ platform, page, visitor } = stage);
    platform.forums = [reviews];
    platform.threads = [
      thread("2001", "First comment", ["61"]),
      thread("2002", "Second comment", ["62"]),
    ];
    platform.seen.owner.push(
      first("2001", { content: "I **love** it" }),
      first("2002", { embeds: [{ type: "rich", author: { name: "Jo" }, description: "So good" }] }),
      botMessage({ id: "2003", channel_id: "2001", content: "an answer" }),
    );
  });

  const entry = (name: string) => page.getByRole("navigation").getByRole("button", { name });
  const posts = () => page.locator("[data-post-id]");
  const titles = () => posts().locator("h3").allInnerTexts();
  const openForum = async () => {
    await entry("reviews").click();
    await page.getByRole("region", { name: "Posts" }).waitFor();
  };
  const owner = people.owner.role.id;
  const call = (channel_id: string, content = `<@&${owner}> look`) =>
    platform.emit({
      type: "message",
      message: botMessage({ channel_id, content, mention_roles: [owner] }),
    });

  it("lists a forum's posts, the newest words first, with tags, preview and answers", async () => {
    await openForum();

    expect(await titles()).toEqual(["First comment", "Second comment"]);
    const [one, two] = await posts().allInnerTexts();
    expect(one).toMatch(/^Pending\s+First comment\s+Greenroom: I love it\s+1/);
    expect(two).toMatch(/^Approved\s+Second comment\s+Greenroom: Jo So good\s+0/);
    expect(await page.getByRole("combobox", { name: /^Message/ }).count()).toBe(0);
  });

  it("opens a post with the keyboard and comes back to it", async () => {
    await openForum();
    await page.getByRole("button", { name: /^Second comment/ }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Second comment", level: 1 }).waitFor();

    expect(await page.getByRole("list", { name: "Tags" }).innerText()).toBe("Approved");
    expect(await page.getByRole("combobox", { name: "Message Second comment" }).count()).toBe(1);
    expect(await entry("Second comment").getAttribute("aria-current")).toBe("page");
    await page.getByRole("button", { name: "Back to reviews" }).press("Enter");
    await page.locator("[data-post-id='2002'] .post-open:focus").waitFor();
  });

  it("shows posts only with the tags that are asked for", async () => {
    await openForum();
    const approved = page.getByRole("button", { name: "Approved", exact: true });
    await approved.click();
    expect(await titles()).toEqual(["Second comment"]);

    platform.emit({ type: "thread", thread: thread("2002", "Second comment", ["61"]) });
    await page.getByText("No posts with these tags.").waitFor();
    await approved.click();
    expect(await titles()).toHaveLength(2);
  });

  it("takes up new, changed, archived and deleted posts while it is open", async () => {
    await openForum();
    const message = first("2009", { content: "fresh" });
    platform.emit({ type: "message", message });
    platform.emit({ type: "thread", thread: thread("2009", "Third comment", []) });
    await posts().nth(2).waitFor();
    expect(await titles()).toEqual(["Third comment", "First comment", "Second comment"]);

    const archived = { thread_metadata: { archived: true, locked: true } };
    platform.emit({ type: "thread", thread: thread("2009", "Third, done", ["62"], archived) });
    await page.getByRole("heading", { name: "Older posts" }).waitFor();
    expect(await titles()).toEqual(["First comment", "Second comment", "Third, done"]);

    platform.emit({ type: "thread-deleted", threadId: "2001", parentId: forum });
    await page.locator("[data-post-id='2001']").waitFor({ state: "detached" });
  });

  it("leaves a post, and a channel, that is gone", async () => {
    await openForum();
    await page.getByRole("button", { name: /^First comment/ }).click();
    await page.getByText("an answer").waitFor();
    platform.emit({ type: "thread-deleted", threadId: "2001", parentId: forum });
    await page.getByRole("region", { name: "Posts" }).waitFor();

    platform.emit({ type: "channels", channels: [{ id: general, name: "general", type: 0 }] });
    await page.getByRole("heading", { name: "general", exact: true }).waitFor();
    expect(await entry("reviews").count()).toBe(0);
  });

  it("presses and writes in the post that is open, and says when it is locked", async () => {
    const button = { type: 2, style: 1, label: "Approve", custom_id: "go" };
    const rows = [{ type: 1, components: [button] }];
    platform.emit({ type: "message", message: first("2002", { content: "x", components: rows }) });
    await openForum();
    await page.getByRole("button", { name: /^Second comment/ }).click();
    await page.getByRole("button", { name: "Approve" }).click();
    const pressed = await platform.act("component");
    await page.getByRole("combobox", { name: "Message Second comment" }).fill("thanks");
    await page.keyboard.press("Enter");

    expect(pressed.body).toMatchObject({ channelId: "2002", messageId: "2002", customId: "go" });
    expect((await platform.act("message")).body).toMatchObject({ channelId: "2002" });
    const locked = { thread_metadata: { archived: false, locked: true } };
    platform.emit({ type: "thread", thread: thread("2002", "Second comment", [], locked) });
    await page.getByText("This post is locked.").waitFor();
  });

  it("draws a role's name in its colour, and marks the message for who has the role", async () => {
    call(general);
    const pill = page.locator("discord-mention[type=role]").last();
    await pill.waitFor();
    const style = await pill.evaluate((element) => element.getAttribute("style"));

    expect(await pill.textContent()).toBe("Owner");
    expect(style).toContain("color: rgb(240, 178, 50)");
    expect(await page.locator(".message.calling").count()).toBe(1);
    await visit(visitor, platform, "member");
    call(general);
    await page.locator("[data-message-id]").last().waitFor();
    expect(await page.locator(".message.calling").count()).toBe(0);
  });

  it("names forums and posts in texts", async () => {
    const content = `<#${forum}> and <#2001>`;
    platform.emit({ type: "message", message: botMessage({ channel_id: general, content }) });
    await page.locator("discord-mention[type=forum]").waitFor();

    expect(await page.locator("discord-mention").allInnerTexts()).toEqual([
      "reviews",
      "First comment",
    ]);
  });

  it("is whole on a narrow window", async () => {
    await page.setViewportSize({ width: 360, height: 700 });
    platform.emit({
      type: "thread",
      thread: thread("2002", "W".repeat(100), ["61", "62"]),
    });
    await page.getByRole("button", { name: "Show channels and people" }).click();
    await openForum();
    const wide = () =>
      page.evaluate(
        `[...document.querySelectorAll("main, main *")].filter((one) => one.getBoundingClientRect().right > innerWidth + 1).length`,
      );

    expect(await page.locator(".sidebar.open").count()).toBe(0);
    expect(await wide()).toBe(0);
    await page.locator("[data-post-id='2002'] .post-open").click();
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(await wide()).toBe(0);
  });
});

describe.skipIf(!findChromium())("cards that are redrawn, in Chromium", () => {
  let platform: PageStage["platform"];
  let page: PageStage["page"];

  usePageStage((stage) => {
    ({ platform, page } = stage);
  });

  const option = (value: string) => ({ value, label: `Comment ${value}` });
  const buttons = { type: 1, components: [{ type: 2, style: 1, label: "All", custom_id: "all" }] };
  const select = (...values: readonly string[]) => ({
    type: 1,
    components: [
      {
        type: 3,
        custom_id: "some",
        placeholder: "Choose comments",
        min_values: 1,
        max_values: values.length,
        options: values.map(option),
      },
    ],
  });
  const draw = (components: readonly object[], content: string) =>
    platform.emit({
      type: "message",
      message: botMessage({ id: "900", content, components }),
    });

  it("keep a select open with what was chosen and is still there", async () => {
    draw([buttons, select("1", "2", "3")], "before");
    await page.getByRole("combobox", { name: "Choose comments" }).click();
    await page.getByRole("option", { name: "Comment 1" }).click();
    await page.getByRole("option", { name: "Comment 2" }).click();
    draw([select("2", "3")], "after");
    await page.getByText("after").waitFor();

    const listed = page.getByRole("main").getByRole("option");
    expect(await listed.allInnerTexts()).toEqual(["Comment 2", "Comment 3"]);
    expect(await listed.and(page.getByRole("option", { selected: true })).allInnerTexts()).toEqual([
      "Comment 2",
    ]);
    await page.getByRole("option", { name: "Comment 3" }).click();
    await page.keyboard.press("Escape");
    expect((await platform.act("component")).body).toMatchObject({ values: ["2", "3"] });
  });

  it("stay where the reader went when something is drawn before the browser says so", async () => {
    for (let at = 100; at < 140; at += 1) {
      const message = botMessage({ id: String(at), content: `card ${at}\nwith\nlines` });
      platform.emit({ type: "message", message });
    }
    await page.getByText("card 139").waitFor();

    const top = await page.locator("page-messages").evaluate(async (element) => {
      const list = element as typeof element & {
        requestUpdate(): void;
        updateComplete: Promise<void>;
      };
      const scroller = element.querySelector(".scroller");
      scroller?.scrollTo(0, 200);
      list.requestUpdate();
      await list.updateComplete;
      return scroller?.scrollTop;
    });

    expect(top).toBe(200);
  });

  it("stay under the reader's eyes when something above them grows or something new comes", async () => {
    const card = (id: string, content: string) =>
      platform.emit({ type: "message", message: botMessage({ id, content }) });
    for (let at = 100; at < 140; at += 1) card(String(at), `card ${at}\nwith\nlines`);
    await page.getByText("card 139").waitFor();
    const list = page.locator(".scroller");
    await list.evaluate((element) => element.scrollTo(0, element.scrollHeight / 2));
    const place = () =>
      list.evaluate((element) => {
        const top = element.getBoundingClientRect().top;
        const all = [...element.querySelectorAll("[data-message-id]")];
        const shown = all.find((one) => one.getBoundingClientRect().top > top + 50);
        return [shown?.getAttribute("data-message-id"), shown?.getBoundingClientRect().top];
      });
    await expect.poll(() => list.evaluate((element) => element.scrollTop)).toBeGreaterThan(100);
    const before = await place();
    card("100", `card 100${"\nlonger".repeat(10)}`);
    card("141", "the newest");
    await page.getByRole("button", { name: "1 new message" }).waitFor();

    expect(await place()).toEqual(before);
  });
});
