import { describe, expect, it } from "vitest";
import { createThreadTurns } from "../../../../src/moderation/rules/engine/thread.ts";

describe("createTurns", () => {
  it("takes servers in turn, whoever came first and with how much", async () => {
    const turns = createThreadTurns();
    const order: string[] = [];
    const run = (guildId: string, n: number) =>
      turns.run(guildId, async () => void order.push(`${guildId}${n}`));

    await Promise.all([
      ...[1, 2, 3].map((n) => run("a", n)),
      ...[1, 2].map((n) => run("b", n)),
      run("c", 1),
    ]);

    expect(order).toEqual(["a1", "a2", "b1", "c1", "a3", "b2"]);
  });

  it("does one work at a time, and goes on after one that failed", async () => {
    const turns = createThreadTurns();
    let under = 0;
    let most = 0;
    const work = async () => {
      under += 1;
      most = Math.max(most, under);
      await new Promise((resolve) => setImmediate(resolve));
      under -= 1;
      if (most === 1) throw new Error("failed");
    };

    const settled = await Promise.allSettled(["a", "b", "c"].map((one) => turns.run(one, work)));

    expect(most).toBe(1);
    expect(settled.every(({ status }) => status === "rejected")).toBe(true);
  });

  it("answers nothing more of a server that is forgotten, neither what waits nor what is under way", async () => {
    const turns = createThreadTurns();
    const gate = Promise.withResolvers<string>();
    const works = [turns.run("a", () => gate.promise), turns.run("a", () => gate.promise)];
    const other = turns.run("b", async () => "other");

    turns.forget("a");
    const settled = await Promise.allSettled(works);
    gate.resolve("late");

    expect(settled.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(await other).toBe("other");
  });
});
