import { describe, expect, it } from "vitest";
import { isEphemeral, photo, textOf } from "../support/stage.ts";
import { buttonsOf, expectPrivate, expectText, useStage } from "../support/use-stage.ts";

describe("Try again", () => {
  const { stage, owner, member, moderator, hurried, videoAnswers } = useStage();
  const down = (service: "video" | "background", isDown: boolean) =>
    stage.sandbox[service].faults.setDown(isDown);

  /** Asks while a service is down, and brings it up again. */
  async function during<T>(service: "video" | "background", ask: () => Promise<T>): Promise<T> {
    down(service, true);
    try {
      return await hurried(ask);
    } finally {
      down(service, false);
    }
  }

  it("repeats a command with its options, for everyone as it was asked", async () => {
    const failed = await during("video", () => member.run("search", { query: "microphone" }));
    const answer = await member.click(failed, "Try again");

    expect([isEphemeral(failed), isEphemeral(answer)]).toEqual([true, false]);
    expectText(answer, "microphone", /left today.* · Asked by alex/u);
  });

  it("repeats a private command in its place", async () => {
    const failed = await during("video", () => owner.run("members list"));
    const answer = await owner.click(failed, "Try again");

    expect(answer.id).toBe(failed.id);
    expectPrivate(answer, "## Members", "left today (linked channel’s project)");
    expect(buttonsOf(answer)).not.toContain("Try again");
  });

  it("names nobody in an answer that only they see", async () => {
    const failed = await during("video", () => owner.run("activity"));
    const answer = await owner.click(failed, "Try again");

    expectPrivate(answer, "Activity of your channel");
    expect(textOf(answer)).not.toContain("Asked by");
  });

  it("turns a page of somebody else's list", async () => {
    const list = await member.run("playlists uploads");
    const failed = await during("video", () => owner.click(list, "Next"));
    const answer = await owner.click(failed, "Try again");

    expectText(failed, "YouTube isn’t available right now");
    expectText(answer, "Uploads of", "Page 2");
  });

  it("repeats a change that may have been made for who has checked", async () => {
    const title = "Kept over an outage";
    const failed = await during("video", () => owner.run("playlists create", { title }));
    const made = await owner.click(failed, "I’ve checked: do it again");

    expectText(made, title);
    expectText(failed, "Look at the playlists before you try again");
    expect(buttonsOf(failed)).not.toContain("Try again");
  });

  it("changes something once, however often it is pressed", async () => {
    const failed = await during("video", () =>
      owner.run("playlists create", { title: "Made once" }),
    );
    const from = stage.videoRequests.length;
    const press = () => owner.click(failed, "I’ve checked: do it again");

    const answers = await Promise.all([press(), press()]);

    const made = stage.videoRequests
      .slice(from)
      .filter(({ method }) => method === "playlists.insert");
    expect(made).toHaveLength(1);
    expect(answers.map(textOf).join("\n")).toContain("Made once");
  });

  it("stays for as long as the outage does", async () => {
    const failed = await during("video", () => member.run("videos categories"));
    const still = await during("video", () => member.click(failed, "Try again"));
    const answer = await member.click(still, "Try again");

    expectText(still, "YouTube isn’t available right now");
    expectText(answer, "Music");
  });

  it("repeats a picture with its attachment", async () => {
    const image = await photo("cat");
    const failed = await during("background", () => member.run("background remove", { image }));
    const answer = await member.click(failed, "Try again");

    // "Service Unavailable" from a gateway is not remove.bg's own answer.
    expect(textOf(failed)).not.toContain("remove.bg’s answer");
    expect(answer.attachments.length).toBeGreaterThan(0);
  });

  it("costs nothing where nobody was reached", async () => {
    const failed = await during("video", () => moderator.run("search", { query: "nobody" }));

    expect(textOf(failed)).not.toMatch(/\d+ (?:units?|search)/u);
    expect(textOf(await moderator.run("usage"))).not.toContain("nobody");
  });

  it("is not offered for a refusal", async () => {
    videoAnswers(/\/playlists/u, { status: 403, method: "POST", reason: "playlistForbidden" });

    expect(buttonsOf(await owner.run("playlists create", { title: "No" }))).toEqual([]);
  });

  it("is shown to nobody but who asked", async () => {
    const failed = await during("video", () => owner.run("members list"));

    await expect(member.click(failed, "Try again")).rejects.toThrow("no longer there");
  });
});
