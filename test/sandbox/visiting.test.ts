import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { startVisiting } from "../../src/sandbox/visiting.ts";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

describe("startVisiting", () => {
  it("brings a comment every 40 to 90 seconds, until it is closed", async () => {
    const chat = vi.fn(() => ({ id: "x", status: "published" as const }));
    const visiting = startVisiting({ chat }, () => 0.5);

    vi.advanceTimersByTime(64_999);
    const early = chat.mock.calls.length;
    vi.advanceTimersByTime(10 * 65_000);
    const later = chat.mock.calls.length;
    await visiting.close();
    vi.advanceTimersByTime(10 * 65_000);

    expect(early).toBe(0);
    expect(later).toBe(10);
    expect(chat).toHaveBeenCalledTimes(10);
  });
});
