import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { notice } from "../../../src/discord/draw/reply.ts";
import { createProgressReporter } from "../../../src/discord/run/progress.ts";
import { words } from "../../support/words.ts";

const word = (title: string) => notice({ tone: "neutral", title });

describe("progress", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("shows the first word at once and only the newest of those that wait", async () => {
    const shown: string[] = [];
    const progress = createProgressReporter(
      async ({ title }) => void shown.push(title),
      () => undefined,
    );

    progress.show(word("1 of 3"));
    progress.show(word("2 of 3"));
    progress.show(word("3 of 3"));
    await vi.advanceTimersByTimeAsync(1_700);
    await progress.stop();

    expect(shown).toEqual(["1 of 3", "3 of 3"]);
  });

  it("lets nothing be shown after it stopped, and waits for what is under way", async () => {
    const shown: string[] = [];
    const edit = Promise.withResolvers<void>();
    const progress = createProgressReporter(
      async ({ title }) => {
        await edit.promise;
        shown.push(title);
      },
      () => undefined,
    );

    progress.show(word("under way"));
    progress.show(word("too late"));
    const stopped = progress.stop().then(() => shown.push("stopped"));
    await vi.advanceTimersByTimeAsync(1_700);
    edit.resolve();
    await stopped;
    progress.show(word("after"));
    await vi.advanceTimersByTimeAsync(1_700);

    expect(shown).toEqual(["under way", "stopped"]);
  });

  it("says how many go before, below what was shown last", async () => {
    const shown: unknown[] = [];
    const progress = createProgressReporter(
      async (notice) => void shown.push(notice),
      () => undefined,
    );

    progress.show({ title: "Reading" });
    progress.queue(3, words());
    await vi.advanceTimersByTimeAsync(1_700);
    await progress.stop();

    expect(shown).toEqual([
      { title: "Reading" },
      { title: "Reading", text: words().say("common.queue.place", { ahead: 3 }) },
    ]);
  });

  it("has a title of its own for work that waits before it showed anything", async () => {
    const shown: unknown[] = [];
    const progress = createProgressReporter(
      async (notice) => void shown.push(notice),
      () => undefined,
    );

    progress.queue(undefined, words());
    await progress.stop();

    expect(shown).toEqual([{ title: words().say("common.queue.working") }]);
  });

  it("goes on when an edit failed", async () => {
    const failures: unknown[] = [];
    const progress = createProgressReporter(
      () => Promise.reject(new Error("503")),
      (error) => failures.push(error),
    );

    progress.show(word("one"));
    await progress.stop();

    expect(failures).toHaveLength(1);
  });
});
