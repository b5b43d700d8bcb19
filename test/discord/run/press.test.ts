import type { APIMessage } from "discord-api-types/v10";
import { describe, expect, it } from "vitest";
import { isEphemeral, textOf } from "../../support/stage.ts";
import { buttonsOf, expectText, useStage } from "../../support/use-stage.ts";

const { stage, owner, moderator, offered } = (() => {
  const used = useStage();
  return { ...used, offered: used.owner.offered };
})();

const minute = 60_000;
const late = /You were asked this <t:\d+:R> \(<t:\d+:f>\)\. Check that it still applies\./u;

const deletions = (method: string) =>
  stage.videoRequests.filter((request) => request.method === method).length;

async function newPlaylist(title: string): Promise<string> {
  await owner.run("playlists create", { title });
  const [choice] = await offered("playlists delete", "playlist", title);
  return String(choice?.value);
}

describe("a question that was asked a quarter of an hour ago", () => {
  it("is asked again before it deletes, with what applies now", async () => {
    const playlist = await newPlaylist("Old takes");
    const question = await owner.run("playlists delete", { playlist });
    await owner.run("playlists edit", { playlist, title: "New takes" });
    stage.sandbox.time.pass(16 * minute);
    const before = deletions("playlists.delete");

    const again = await owner.click(question, "Delete");
    const asked = deletions("playlists.delete") - before;
    const done = await owner.click(again, "Delete");

    expect(again.id).toBe(question.id);
    expectText(again, late, "New takes");
    expect(buttonsOf(again)).toEqual(buttonsOf(question));
    expect(asked).toBe(0);
    expect(textOf(done)).not.toMatch(late);
    expect(deletions("playlists.delete") - before).toBe(1);
  });

  it("says that there is nothing to delete any more", async () => {
    const playlist = await newPlaylist("Short life");
    const question = await owner.run("playlists delete", { playlist });
    const other = await owner.run("playlists delete", { playlist });
    await owner.click(other, "Delete");
    stage.sandbox.time.pass(16 * minute);

    const again = await owner.click(question, "Delete");

    expect(textOf(again)).toContain("not found");
  });

  it("is asked again from a card's button, and before a disconnection", async () => {
    const card = await owner.run("connect channels");
    const question = await owner.click(card, "Disconnect");
    stage.sandbox.time.pass(16 * minute);

    const again = await owner.click(question, buttonsOf(question)[0] ?? "");

    expect(textOf(again)).toMatch(late);
    expect(isEphemeral(again)).toBe(true);
    expect(textOf(await owner.run("connect channels"))).toContain("Greenroom Studio");
  });

  it("is answered at once by somebody who is quick", async () => {
    const playlist = await newPlaylist("Quick one");
    const question = await owner.run("playlists delete", { playlist });
    stage.sandbox.time.pass(10 * minute);

    const done = await owner.click(question, "Delete");

    expect(textOf(done)).not.toMatch(late);
  });

  it("is asked again where it is a page of a list", async () => {
    const { id = "" } = stage.sandbox.video.addComment({ text: "late", status: "heldForReview" });
    const list = await moderator.run("comments held");
    const chosen = await moderator.choose(list, [id]);
    const question = await moderator.click(chosen, "Reject (1)");
    stage.sandbox.time.pass(16 * minute);
    const before = deletions("comments.setModerationStatus");

    const again: APIMessage = await moderator.click(question, buttonsOf(question)[0] ?? "");

    expect(textOf(again)).toMatch(late);
    expect(deletions("comments.setModerationStatus")).toBe(before);
  });
});
