import { expect, it, onTestFinished } from "vitest";
import { asMessage, isEphemeral, openStage, type Stage, textOf } from "../../support/stage.ts";
import { watchInPublic } from "../../support/watch-in-public.ts";

/** Few enough to be acknowledged within Discord's three seconds even on a slow machine. */
const presses = 10;
const names = ["owner", "moderator"] as const;
/** How long a decision can be undone before it is sent. */
const undoMs = 10_000;
let aheadMs = 0;

async function until<T>(look: () => T | undefined): Promise<T> {
  await expect.poll(look, { interval: 20 }).toBeDefined();
  return look() as T;
}

async function opened(): Promise<Stage> {
  const stage = await openStage({ now: () => Date.now() + aheadMs });
  onTestFinished(() => stage.close());
  stage.sandbox.platform.limitRequests(false);
  return stage;
}

it("makes one call of ten presses at once, and tells the other person who was first", async () => {
  const { sandbox, videoRequests } = await opened();
  const owner = sandbox.user("owner");
  const saying = (text: RegExp) => () => {
    const found = owner.messages().filter((message) => !isEphemeral(message));
    return found.find((message) => text.test(textOf(message)));
  };
  await watchInPublic(owner, { channel: sandbox.platform.channelId });
  // Comments that wait already come in one digest, before the new comment gets its own card.
  await until(saying(/new comments/u));
  const { id } = sandbox.video.addComment({ text: "A kestrel waits", status: "heldForReview" });
  await owner.command("watch resume");
  const card = await until(saying(/A kestrel waits/u));

  const answers = await Promise.all(
    Array.from({ length: presses }, async (_, n) => {
      const name = names[n % names.length] ?? "owner";
      return asMessage(await sandbox.user(name).click(card, "Approve"));
    }),
  );
  aheadMs += undoMs;
  const over = await until(saying(/A kestrel waits[\s\S]*Approved by <@\d+> · </u));

  const late = answers.filter((message) => isEphemeral(message));
  // All presses of the first person count as one decision.
  expect(late).toHaveLength(presses / names.length);
  const first = /Approved by <@(\d+)>/u.exec(textOf(over))?.[1];
  for (const message of late) {
    expect(textOf(message)).toContain("Already handled");
    expect(textOf(message)).toContain(`<@${first}>`);
  }
  const calls = videoRequests.filter(({ method }) => method === "comments.setModerationStatus");
  expect(calls.map(({ query }) => [query.get("moderationStatus"), query.get("id")])).toEqual([
    ["published", id],
  ]);
});
