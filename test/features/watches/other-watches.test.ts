import { describe, expect, it } from "vitest";
import { textOf } from "../../support/stage.ts";
import { buttonsOf, expectText, useStage } from "../../support/use-stage.ts";

const { stage, owner, moderator, channelCalled, until } = useStage();

const messages = (channel: string) => owner.messages(channel);
const cardOf = (channel: string, text: string) =>
  until(() => messages(channel).find((m) => textOf(m).includes(text)));
const closed = (channel: string, line: string) =>
  until(() => {
    const found = messages(channel).filter((m) => m.content.includes(line));
    return found.length > 0 ? found : undefined;
  });
const options = (channel: string) => ({
  channel: channelCalled(channel),
  states: "published",
  digest: 100,
});
const hold = (text: string) => stage.sandbox.video.addComment({ text });
const check = (channel: string) => owner.run("watch resume", { watch: channelCalled(channel) });

describe("a second watch of a linked channel", () => {
  it("is asked about also where two people set one at the same time", async () => {
    const places = ["moderators", "review-forum"];

    const answers = await Promise.all(
      places.map((place) => owner.run("watch channel", options(place))),
    );
    const status = await owner.run("watch status");
    await owner.click(await owner.run("watch stop"), "End the watch");

    expect(answers.filter((one) => textOf(one).includes("Now watching"))).toHaveLength(1);
    expect(answers.filter((one) => textOf(one).includes("already being watched"))).toHaveLength(1);
    expectText(status, "Watch status");
  });

  it("is asked about: the first one can move, stay beside it, or end", async () => {
    await owner.run("watch channel", options("moderators"));
    hold("The first that waits");
    await check("moderators");
    await cardOf("moderators", "The first that waits");

    const question = await owner.run("watch channel", options("review-forum"));

    expectText(
      question,
      "Greenroom Studio is already being watched",
      `appear in <#${channelCalled("moderators")}>`,
      "**Move it:**",
      "**Keep both:** each comment gets a card in every channel, and is decided once",
    );
    expect(buttonsOf(question)).toEqual(["Move it", "Keep both", "End the old one", "Cancel"]);
    expect(textOf(await owner.run("watch status"))).not.toContain("Watches on this server");
  });

  it("stays beside it, and its comments are in the review once", async () => {
    const question = await owner.run("watch channel", options("review-forum"));

    const set = await owner.click(question, "Keep both");
    hold("The second that waits");
    await check("review-forum");
    await check("moderators");
    await until(() =>
      owner
        .person()
        .posts("review-forum")
        .find((p) => p.title.includes("second")),
    );
    await cardOf("moderators", "The second that waits");
    const review = await moderator.run("comments review");

    expectText(set, "Now watching for held comments");
    expectText(review, "2 left");
  });

  it("shows what was decided in the other one, and counts and undoes it there", async () => {
    const forum = channelCalled("review-forum");
    const post = () =>
      owner
        .person()
        .posts("review-forum")
        .find((one) => one.title.includes("second"));
    const reads = (wanted: RegExp) =>
      until(() => post()?.messages.find((message) => wanted.test(textOf(message))));

    await moderator.click(await cardOf("moderators", "The second that waits"), "Reject");
    const rejected = await reads(/Rejected by <@\d+> – sending/u);
    const status = await owner.run("watch status");
    const stopping = await owner.run("watch stop", { watch: forum });
    await moderator
      .person()
      .in(post()?.id ?? "")
      .click(rejected, "Undo");
    await until(() =>
      messages("moderators").find((m) => /second that waits.*Undone by/su.test(textOf(m))),
    );
    const back = await reads(/Waiting for a decision/u);

    expect(textOf(status).match(/1 comment waiting/gu)).toHaveLength(2);
    expectText(stopping, "1 comment is waiting in its queue");
    expect(buttonsOf(rejected)).toContain("Undo");
    expect(buttonsOf(back)).toContain("Reject");
  });

  it("takes its place, and the messages of the first can be deleted", async () => {
    await owner.click(
      await owner.run("watch stop", { watch: channelCalled("review-forum") }),
      "End the watch",
    );
    const question = await owner.run("watch channel", options("review-forum"));

    const set = await owner.click(question, "Move it");
    const [card] = await closed("moderators", "This watch has moved to");
    await until(() =>
      owner
        .person()
        .posts("review-forum")
        .find((p) => p.title.includes("first")),
    );
    const status = await owner.run("watch status");
    await owner.click(set, "Delete the 2 messages");
    await until(() =>
      messages("moderators").some((m) => m.content.includes("moved to")) ? undefined : true,
    );

    expectText(set, "Watch moved", "The buttons on its 2 old messages are being removed");
    expect(card && buttonsOf(card)).toEqual([]);
    expectText(status, "Watch status", `<#${channelCalled("review-forum")}>`);
  });

  it("ends with its cards closed", async () => {
    const asked = await owner.run("watch stop");

    const done = await owner.click(asked, "End the watch");
    // Two of the four are left from the watch that ended before.
    const ended = () =>
      owner
        .person()
        .posts("review-forum")
        .flatMap(({ messages: [first] }) => first ?? [])
        .filter(({ content }) => content.includes("This watch has ended"));
    const all = await until(() => (ended().length === 4 ? ended() : undefined));
    const deleting = await owner.click(done, "Delete the");
    await until(() => ended().length === 2 || undefined);

    expect(all.flatMap(buttonsOf)).toEqual([]);
    expect(textOf(deleting)).toContain("Deleting 2 messages…");
  });
});
