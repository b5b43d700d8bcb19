import { describe, expect, it, onTestFinished } from "vitest";
import {
  openRuleEngine,
  type RuleEngineOptions,
} from "../../../../src/moderation/rules/engine/open-rule-engine.ts";
import { alike, links, patterns } from "../found.ts";
import { heavy, longText } from "../heavy.ts";

const ending = new URL("./ending-worker.ts", import.meta.url);

function engineOf(options: Partial<RuleEngineOptions> = {}) {
  const engine = openRuleEngine({ now: () => 0, costs: "steps", ...options });
  onTestFinished(engine.close);
  return engine;
}

/** The time limit ends as soon as the thread is stuck. */
function whenStuck(): RuleEngineOptions["after"] & object {
  const channel = new BroadcastChannel("stuck");
  onTestFinished(() => channel.close());
  return (_, call) => {
    channel.onmessage = call;
    return () => undefined;
  };
}

describe("openRuleEngine", () => {
  it("switches off three rules of twenty large patterns at the first long comment", async () => {
    const tests = [heavy("a"), heavy("b"), heavy("c"), alike("bad")];
    const comments = Array.from({ length: 3 }, () => ({ text: longText }));

    const { findings, off } = await engineOf().runTests("1", { tests, comments });

    expect(off).toEqual([0, 1, 2].map((at) => ({ at, why: "comment" })));
    expect(findings.map(({ found, isWhole }) => ({ found, isWhole }))).toEqual(
      Array.from({ length: 3 }, () => ({ found: [], isWhole: false })),
    );
  });

  it("switches off what costs a server most when its minute is used up", async () => {
    const comments = Array.from({ length: 60 }, (_, n) => ({
      text: `${longText.slice(0, 4_000)} ${n}`,
    }));

    const { off, findings } = await engineOf().runTests("1", {
      tests: [alike("59"), heavy()],
      comments,
    });

    expect(off).toEqual([{ at: 1, why: "minute" }]);
    expect(findings[59]).toMatchObject({ found: [{ at: 0, by: "59" }] });
  });

  it("judges another server's comments between those of one with fifty rules", async () => {
    const engine = engineOf();
    const tests = Array.from({ length: 50 }, (_, n) => patterns(`[a-z ]{400}${n}`));
    const comments = Array.from({ length: 20 }, () => ({ text: longText }));
    const ended: string[] = [];
    const note = (name: string) => () => void ended.push(name);

    await Promise.all([
      engine.runTests("1", { tests, comments }).then(note("many")),
      engine
        .runTests("2", { tests: [alike("bad")], comments: [{ text: "bad" }] })
        .then(note("one")),
    ]);

    expect(ended).toEqual(["one", "many"]);
  });

  it("leaves the process its own thread while it judges", async () => {
    let turns = 0;
    const engine = engineOf({ costs: "cpu" });
    await engine.check("1", []);
    const turning = setInterval(() => {
      turns += 1;
    }, 0);

    await engine.runTests("1", { tests: [heavy()], comments: [{ text: longText }] });
    clearInterval(turning);

    expect(turns).toBeGreaterThan(0);
  });

  it("finds what a comment that grows by folding holds in its beginning, and stays within the limit", async () => {
    const engine = engineOf();
    const texts = ["\ufdf2", "\ufdfa", "\u{1d160}", "ΐ"].map(
      (one) => `spam.com ${one.repeat(9_980)}`,
    );

    const { findings } = await engine.runTests("1", {
      tests: [links(), alike("spam*"), patterns("spam")],
      comments: texts.map((text) => ({ text })),
      isAll: true,
    });

    expect(findings.map(({ found }) => found.map(({ at }) => at))).toEqual(
      texts.map(() => [0, 1, 2]),
    );
  });

  it("counts a rule on trial for itself", async () => {
    const engine = engineOf();
    const asked = { tests: [heavy()], comments: [{ text: longText }] };

    const tried = await engine.runTests("1", { ...asked, isTrial: true });
    const { findings } = await engine.runTests("1", {
      tests: [alike("bad")],
      comments: [{ text: "bad" }],
    });

    expect(tried.off).toEqual([{ at: 0, why: "comment" }]);
    expect(findings[0]?.found).toHaveLength(1);
  });

  it.each(["ends", "never ends"])(
    "switches off the rule at which the thread %s, and goes on",
    async (text) => {
      const engine = engineOf({ script: ending, after: whenStuck() });
      const comments = [{ text }, { text: longText }];

      const { off, findings } = await engine.runTests("1", {
        tests: [alike("a"), alike("b")],
        comments,
      });

      expect(off).toEqual([{ at: 1, why: "stuck" }]);
      expect(findings.map(({ isWhole }) => isWhole)).toEqual([false, false]);
    },
  );

  it("fails where the thread ends without a test to blame, and begins another one", async () => {
    const ends = [(call: () => void) => call()];
    const engine = engineOf({
      after: (_, call) => {
        ends.shift()?.(call);
        return () => undefined;
      },
    });
    const asked = { tests: [alike("bad")], comments: [{ text: "bad" }] };

    await expect(engine.runTests("1", asked)).rejects.toThrow(
      "the thread that judges comments ended",
    );
    expect((await engine.runTests("1", asked)).findings[0]?.found).toHaveLength(1);
  });

  it("answers nothing of a server that is forgotten", async () => {
    const engine = engineOf();
    const looking = engine.runTests("1", { tests: [alike("bad")], comments: [{ text: "bad" }] });

    engine.forget("1");

    await expect(looking).rejects.toThrow("erased");
  });

  it("refuses in words what can't be judged", async () => {
    const checking = engineOf().check("1", [patterns("(?=x)")]);

    await expect(checking).rejects.toMatchObject({
      kind: "input",
      code: "rule_pattern",
      facts: { reason: "unsupported", part: "(?=", place: 1 },
    });
  });
});
