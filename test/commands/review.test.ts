import type { APIMessage } from "discord-api-types/v10";
import { beforeAll, expect, it } from "vitest";
import { isEphemeral, textOf } from "../support/stage.ts";
import { buttonsOf, expectText, useStage } from "../support/use-stage.ts";
import { watchInPublic } from "../support/watch-in-public.ts";

type Name = "owner" | "moderator" | "member";

/** How often a button was pressed or a command typed. */
let actions = 0;

const { stage, as, owner, until } = useStage();
beforeAll(async () => {
  // Only what the tests write is watched: the sample comments are spam or were held long ago.
  const channel = stage.sandbox.platform.channelId;
  await watchInPublic(owner.person(), { channel, states: "published", digest: 50 });
});
const review = async (name: Name) => {
  actions += 1;
  return await as(name).run("comments review");
};
const click = async (name: Name, message: APIMessage, label: string) => {
  actions += 1;
  return await as(name).click(message, label);
};

const reads = (name: Name, { id }: APIMessage, wanted: RegExp) =>
  until(() =>
    as(name)
      .messages("greenroom")
      .find((m) => m.id === id && wanted.test(textOf(m))),
  );

/** Adds comments, and waits for their message in the channel. */
async function write(texts: readonly string[], author = "Posy Larkin"): Promise<void> {
  for (const text of texts) stage.sandbox.video.addComment({ text, author });
  await owner.run("watch resume");
  const [last = ""] = texts.toReversed();
  await until(() =>
    owner.messages("greenroom").find((m) => !isEphemeral(m) && textOf(m).includes(last)),
  );
}

const decisionCalls = () =>
  stage.videoRequests.filter(({ path }) => path.endsWith("/setModerationStatus"));

it("says that nothing waits", async () => {
  expect(textOf(await review("moderator"))).toContain("Nothing to review");
  expect(textOf(await review("member"))).toContain("Only moderators can do this");
});

it("decides ten comments in one message, and sends them in one call a kind", async () => {
  const texts = Array.from({ length: 10 }, (_, n) => `Number ${n} of ten`);
  await write(texts);
  const before = decisionCalls().length;
  actions = 0;

  let shown = await review("moderator");
  const first = shown;
  for (const _ of texts.slice(0, 9)) shown = await click("moderator", shown, "Reject");
  const last = shown;
  const summary = await click("moderator", shown, "Keep");

  expect(actions).toBe(11);
  expectText(first, /> Number \d of ten/u, "10 left · 0 decided");
  expect(buttonsOf(first)).toEqual(["Keep", "Reject", "Skip", "More", "Finish"]);
  expectText(last, /❌ Rejected: Number \d of ten/u, "1 left · 9 decided");
  expect(summary.id).toBe(first.id);
  expect(textOf(summary)).toMatch(/Review finished\n1 kept · 9 rejected\nSending <t:\d+:R>/u);
  // Decisions can be undone until then.
  stage.sandbox.time.pass(15_000);
  const done = await reads("moderator", summary, /^(?!.*Sending)/su);
  expect(textOf(done)).toContain("1 kept · 9 rejected");
  expect(buttonsOf(done)).toEqual([]);
  expect(decisionCalls().length - before).toBe(1);
});

it("shows what was decided about the author before, and undoes what it decided", async () => {
  await write(["Once more: a", "Once more: b", "Once more: c"]);

  const shown = await review("moderator");
  const more = await click("moderator", shown, "More");
  const file = await click("moderator", more, "Case file");
  const second = await click("moderator", file, "Next");
  const next = await click("moderator", more, "Reject and hide author");
  const rest = await click("moderator", next, "More");
  const back = await click("moderator", rest, "Undo last");
  const skipped = await click("moderator", back, "Skip");
  const kept = await click("moderator", skipped, "Keep");
  const finished = await click("moderator", kept, "Finish");
  const undone = await click("moderator", finished, "Undo");

  expectText(
    shown,
    /Author’s other comments\n(?:[✅❌] (?:Approved|Rejected) · \[Number \d of ten\]\(.*\n){3}/u,
  );
  expect(buttonsOf(more)).toEqual(["Reject and hide author", "Case file", "Open", "Back"]);
  expectText(file, /12 other comments · 1 approved · 9 rejected/u, "Page 1 / 2");
  expectText(file, /▫️ Published · \[Once more: .\]/u);
  expect(textOf(file)).not.toContain(/Once more: ./u.exec(textOf(shown))?.[0] ?? "");
  expect(buttonsOf(second)).toEqual(["Add a note", "Previous"]);
  expectText(second, "Page 2 / 2", /❌ Rejected · \[Number \d of ten\]/u);
  expect(textOf(next)).toContain("🚫 Rejected, author hidden: Once more: ");
  expectText(back, "3 left · 0 decided", "> Once more: ");
  expect(textOf(finished)).toMatch(/1 kept\n1 skipped – still waiting\./u);
  expect(buttonsOf(finished)).toEqual(["Undo", "Review the rest"]);
  expect(textOf(undone)).toMatch(/Undone\nThe comment is waiting for a decision again/u);
});

it("passes over what somebody else decided first, and says so", async () => {
  const mine = await review("moderator");
  const theirs = await review("owner");
  await click("owner", theirs, "Keep");

  const told = await click("moderator", mine, "Reject");
  const summary = await click("moderator", told, "Finish");

  expectText(told, /Already handled: “Once more: .” – Kept by <@\d+>/u, /2 left · 0 decided/u);
  expect(textOf(summary)).toMatch(/Nothing decided\n1 had already been handled by someone else\./u);
});

it("counts a button that was pressed twice as pressed once", async () => {
  await write(["Twice: a", "Twice: b"]);
  const shown = await review("moderator");
  const press = () => as("moderator").person().click(shown, "Reject");

  await Promise.all([press(), press()]);
  const next = await reads("moderator", shown, /Rejected: /u);
  const finished = await click("moderator", next, "Finish");
  const undone = await click("moderator", finished, "Undo");

  expectText(next, /1 decided/u);
  expect(textOf(finished)).toMatch(/Review finished\n1 rejected\nSending/u);
  expect(textOf(undone)).toContain("Undone");
});

it("keeps what is decided while the quota is used up, says so at once, and sends it by itself", async () => {
  await write(["Late: a", "Late: b"], "Ines Falk");
  const { video, time } = stage.sandbox;
  video.quota.exhaust("units");
  // Greenroom learns of the used-up quota from an answer.
  expect(textOf(await owner.run("comments held"))).toContain("quota is used up");

  let shown = await review("moderator");
  while (!textOf(shown).includes("Late: ")) shown = await click("moderator", shown, "Skip");
  const noted = await click("moderator", shown, "Reject");
  const finished = await click("moderator", noted, "Finish");
  const before = decisionCalls().length;
  time.pass(24 * 3_600_000);
  await until(() => (decisionCalls().length > before ? true : undefined));
  const log = await until(async () => {
    const page = await as("moderator").run("comments log");
    return /Ines Falk/u.test(textOf(page)) ? page : undefined;
  });

  expectText(noted, /❌ Rejected: Late: .*\n.*There isn’t enough quota left today/u);
  expectText(
    finished,
    "Review finished – not sent yet",
    "1 rejected",
    /will be sent automatically <t:\d+:R>/u,
  );
  expect(buttonsOf(finished)).toContain("Undo");
  expectText(log, /Rejected: .*Ines Falk/u, /in a review · sent <t:\d+:R>/u);
});
