import { expect, it, vi } from "vitest";
import { asForm, asMessage, textOf } from "../../support/stage.ts";
import { useStage } from "../../support/use-stage.ts";
import { words } from "../../support/words.ts";

const { say } = words();

const { stage } = useStage();

it("undoes an approval when the reply that waits for it is cancelled", async () => {
  const { sandbox } = stage;
  const place = sandbox.platform.channels.find(({ name }) => name === "moderators")?.id ?? "";
  const asModerator = sandbox.user("moderator").in("moderators");
  const seen = (text: string) =>
    vi.waitFor(
      () => {
        const message = asModerator.messages().findLast((one) => textOf(one).includes(text));
        if (message === undefined) throw new Error(`nothing says ${text}`);
        return message;
      },
      { timeout: 60_000 },
    );
  await sandbox.user("owner").command("watch channel", { channel: place, digest: 100 });
  // Comments that already wait come first, in one digest.
  await seen(say("watch.button.review"));
  sandbox.video.addComment({ text: "Which lamp?", status: "heldForReview" });
  await sandbox.user("owner").command("watch resume");
  const card = await seen("Which lamp?");

  const form = asForm(await asModerator.click(card, say("watch.button.reply")));
  const question = asMessage(await asModerator.submit(form, { text: "A flea market’s." }));
  const answer = asModerator.click(question, say("watch.reply.first_button"));
  await asModerator.click(await seen(say("watch.reply.waiting_title")), say("common.cancel"));

  expect(textOf(asMessage(await answer))).toContain(say("watch.reply.unsent_title"));
  await seen("Undone by");
  // The unsent reply can still be sent later.
  const unsent = asMessage(await answer);
  expect(textOf(unsent)).toContain("A flea market’s.");
  const again = asForm(await asModerator.click(unsent, say("watch.reply.edit")));
  expect(JSON.stringify(again.components)).toContain("A flea market’s.");
  const replies = stage.videoRequests.filter(({ method }) => method === "comments.insert");
  expect(replies).toEqual([]);
});

it("keeps the approval and gives the text back where the quota is used up", async () => {
  const { sandbox } = stage;
  const asModerator = sandbox.user("moderator").in("moderators");
  const find = (text: string) =>
    asModerator.messages().findLast((one) => textOf(one).includes(text));
  const card = await vi.waitFor(() => find("Which lamp?") ?? Promise.reject(new Error("no card")), {
    timeout: 60_000,
  });
  sandbox.video.quota.exhaust("units");

  const form = asForm(await asModerator.click(card, say("watch.button.reply")));
  const question = asMessage(await asModerator.submit(form, { text: "From Leeds." }));
  const answer = asModerator.click(question, say("watch.reply.first_button"));
  await vi.waitFor(() => find(say("watch.reply.waiting_title")) ?? Promise.reject(new Error("x")));
  sandbox.time.pass(15_000);
  const unsent = asMessage(await answer);

  expect(textOf(unsent)).toContain(say("watch.reply.kept_text"));
  expect(textOf(unsent)).toContain("kept until it can be sent");
  expect(textOf(unsent)).toContain("From Leeds.");
});
