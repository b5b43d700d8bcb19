import { describe, expect, it } from "vitest";
import { textOf } from "../support/stage.ts";
import { expectText, useStage } from "../support/use-stage.ts";
import { watchInPublic } from "../support/watch-in-public.ts";

// Costs are counted in steps, which are the same on every machine.
const { stage, owner, channelCalled, until } = useStage({ ruleCosts: "steps" });
const { run } = owner;
const messages = () => owner.messages("greenroom");

/** Each is nearly as large as a pattern may be: fast on short comments, too slow for the longest in every reading. */
const patterns = [..."abcde"].map((one) => `[${one}-z ][a-z ]{440}${one}9`);
const rule = { kind: "patterns", does: "suggest_reject", look_alikes: true } as const;
const dear = { ...rule, what: patterns.join("\n") };

const marked = "Look at this one";
const long = `${marked} ${"a b 1 c d ".repeat(995)}`;

describe("a rule of large patterns", () => {
  it("is switched off at a comment that takes it too long, and the watch's channel is notified", async () => {
    await watchInPublic(owner.person(), { channel: channelCalled("greenroom") });
    const dry = await run("rules add", { ...dear, name: "Dear" });
    await owner.click(dry, "Switch on");
    stage.sandbox.video.addComment({ text: long, status: "heldForReview" });

    await run("watch resume", { watch: channelCalled("greenroom") });
    const notice = await until(() => messages().find((m) => textOf(m).includes("switched off")));
    const card = await until(() => messages().find((m) => textOf(m).includes(marked)));
    const list = await run("rules list");
    await run("rules switch", { rule: "Dear", on: true });

    expectText(notice, "“Dear” was switched off", "It took too long to check one comment.");
    expect(JSON.stringify(card.components)).toContain('"label":"Approve"');
    expectText(list, "Dear (off)", "Switched off because it was too slow");
    expect(textOf(await run("rules list"))).not.toContain("took too long");
  });

  it("is refused where comments of lately take it too long", async () => {
    stage.sandbox.video.addComment({ text: long, status: "heldForReview" });

    const refused = await run("rules add", { ...dear, name: "Another" });

    expect(textOf(refused)).toContain("“Another” takes too long to check comments");
  });
});
