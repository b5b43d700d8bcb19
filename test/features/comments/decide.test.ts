import { describe, expect, it } from "vitest";
import type { DecideState } from "../../../src/features/cards/index.ts";
import { decideComments } from "../../../src/features/comments/decide.ts";
import { commentLabel } from "../../../src/features/comments/moderate.ts";
import { sendCommentReply } from "../../../src/features/comments/write.ts";
import type { Ctx } from "../../../src/features/context/index.ts";
import { type DirectDecision, type Queue, toItemId } from "../../../src/moderation/index.ts";
import { ann, entriesOf, guildId, openRig, type Rig } from "../../moderation/decide/rig.ts";
import { words } from "../../support/words.ts";

type Settle = (settled: readonly DirectDecision[]) => Promise<void>;

/** What the feature uses of an interaction, on the rig's YouTube and queue. */
function ctxOf(rig: Rig, settled?: Settle) {
  const { decider } = rig.process();
  const written: Promise<void>[] = [];
  const logged: string[] = [];
  const ctx = {
    ...ann,
    guildId,
    own: rig.client,
    channelId: rig.video.ownChannelId,
    signal: AbortSignal.timeout(10_000),
    words: words(),
    rank: "moderator",
    settings: {},
    inTurn: (_: string, work: () => unknown) => work(),
    afford: async () => {},
    log: { warn: (message: string) => void logged.push(message) },
    moderation: {
      queue: {
        countDirectDecisions: (...given) => decider.countDirectDecisions(...given),
        recordDirectDecisions: (all) => {
          const writing = (settled ?? ((those) => decider.recordDirectDecisions(those)))(all);
          written.push(writing.catch(() => {}));
          return writing;
        },
        decide: (request) => decider.decide(request),
        itemsOf: (_, id) => rig.records.comments.readInAllWatches(guildId, toItemId(id)),
      } satisfies Pick<
        Queue,
        "countDirectDecisions" | "recordDirectDecisions" | "decide" | "itemsOf"
      >,
    },
  } as unknown as Ctx<unknown>;
  return { ctx, decider, logged, written: () => Promise.all(written) };
}

async function idOf(rig: Rig): Promise<string> {
  const [ref] = await rig.fill(1);
  if (ref === undefined) throw new Error("nothing is held");
  return (await rig.item(ref)).comment.id;
}

describe("decisions of commands", () => {
  it.each([
    [{ status: "published" }, "approved", "approved"],
    [{ status: "rejected" }, "rejected", "rejected"],
    [{ status: "rejected", banAuthor: true }, "banned", "rejected"],
  ] as const)("are recorded, and the cards show them: %j", async (decision, act, status) => {
    const rig = await openRig();
    const { ctx, written } = ctxOf(rig);
    const [ref] = await rig.fill(1, "Quill Morrow");
    if (ref === undefined) throw new Error("nothing is held");
    const { comment } = await rig.item(ref);
    const state: DecideState = { ids: [comment.id], ...decision };

    await decideComments(ctx, state);
    await written();

    const by = { by: ann, from: "command" };
    expect(await rig.item(ref)).toMatchObject({ status, decision: by });
    expect((await rig.item(ref)).needsDrawing).toBe(true);
    expect(await entriesOf(rig)).toMatchObject([
      {
        ...by,
        act,
        answer: "done",
        commentId: comment.id,
        text: "Held 0",
        source: rig.video.ownChannelId,
        authorId: comment.authorId,
        authorName: "Quill Morrow",
      },
    ]);
  });

  it("are kept by the queue while the quota is used up, and sent once there is some", async () => {
    const rig = await openRig();
    const { ctx, written } = ctxOf(rig);
    const [ref] = await rig.fill(1);
    const { comment } = await rig.item(ref);
    const { id: elsewhere } = rig.video.addComment({
      text: "In no queue",
      status: "heldForReview",
    });
    rig.video.quota.exhaust("units");

    const outcomes = await decideComments(ctx, {
      ids: [comment.id, elsewhere],
      status: "rejected",
    });
    await written();
    const kept = await rig.item(ref);
    const logged = await entriesOf(rig);
    const [, label] = outcomes.map((outcome) => commentLabel(outcome, words()));
    const alone = decideComments(ctx, { ids: [elsewhere], status: "rejected" });

    expect(outcomes).toMatchObject([
      { id: comment.id, state: "kept", comment: { snippet: { textDisplay: "First!" } } },
      { id: elsewhere, state: "untried", error: { code: "quota_exceeded" } },
    ]);
    // The log could say nothing about a comment that was not read.
    expect(logged).toEqual([]);
    expect(label).toBe(elsewhere);
    expect(kept).toMatchObject({
      status: "pending",
      decision: { kind: "reject", from: "command" },
    });
    await expect(alone).rejects.toMatchObject({ code: "quota_exceeded" });
    rig.video.quota.refill();
    await rig.clock.pass(24 * 3_600_000);
    expect(await rig.item(ref)).toMatchObject({ status: "rejected", decision: { by: ann } });
  });

  it("replace a pending decision, which is then not sent", async () => {
    const rig = await openRig();
    const { ctx, decider, written } = ctxOf(rig);
    const refs = await rig.fill(1);
    const { comment } = await rig.item(refs[0] ?? { watchId: "", itemId: "" });
    await decider.decide({ items: refs, kind: "approve", by: ann, from: "card" });

    await decideComments(ctx, { ids: [comment.id], status: "rejected" });
    await written();
    await rig.clock.pass(60_000);

    expect(rig.calls.map(({ kind }) => kind)).toEqual(["rejected"]);
  });

  it("are recorded with their failures, and the cards stay as they are", async () => {
    const rig = await openRig();
    const { ctx, written } = ctxOf(rig);
    const [ref] = await rig.fill(1);
    if (ref === undefined) throw new Error("nothing is held");
    const { id } = (await rig.item(ref)).comment;
    const fault = { path: /setModerationStatus/, kind: "answer", status: 503 } as const;
    rig.video.faults.add(fault);

    await decideComments(ctx, { ids: [id], status: "published" });
    await written();

    expect(await entriesOf(rig)).toMatchObject([{ act: "failed", answer: "service_unavailable" }]);
    expect((await rig.item(ref)).status).toBe("open");
  });

  it("record nothing if there was nothing to decide", async () => {
    const rig = await openRig();
    const { ctx, written } = ctxOf(rig);
    const id = await idOf(rig);
    await decideComments(ctx, { ids: [id], status: "published" });

    await decideComments(ctx, { ids: [id, "UgzNobodyKnowsThis4AaABAg"], status: "published" });
    await written();

    expect(await entriesOf(rig)).toHaveLength(1);
  });

  it("neither wait for the recording nor fail with it", async () => {
    const rig = await openRig();
    const failing = ctxOf(rig, async () => Promise.reject(new Error("the store is down")));
    const hanging = ctxOf(rig, () => new Promise(() => {}));

    for (const { ctx } of [failing, hanging]) {
      const state = { ids: [await idOf(rig)], status: "published" } as const;
      expect(await decideComments(ctx, state)).toMatchObject([{ state: "done" }]);
    }

    expect(failing.logged).toEqual(["decisions could not be recorded"]);
  });
});

describe("replies of commands", () => {
  it("are recorded, and the card shows who replied", async () => {
    const rig = await openRig();
    const { ctx, written } = ctxOf(rig);
    const [ref] = await rig.fill(1);
    if (ref === undefined) throw new Error("nothing is held");
    const { id } = (await rig.item(ref)).comment;
    await decideComments(ctx, { ids: [id], status: "published" });

    await sendCommentReply(ctx, id, "Thank you!");
    await written();

    expect((await rig.item(ref)).replied).toMatchObject({ by: ann });
    const acts = (await entriesOf(rig)).map(({ act }) => act);
    expect(acts.sort()).toEqual(["approved", "replied"]);
  });
});
