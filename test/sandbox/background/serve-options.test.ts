import { describe, expect, it } from "vitest";
import { readServeOptions } from "../../../src/sandbox/background/serve-options.ts";

describe("readServeOptions", () => {
  const serve = (args: string[], env: Record<string, string> = {}) => readServeOptions(args, env);

  it("has defaults for everything", () => {
    expect(serve([])).toEqual({
      kind: "serve",
      options: {
        key: undefined,
        port: 8790,
        credits: Number.POSITIVE_INFINITY,
        megapixelsPerMinute: Number.POSITIVE_INFINITY,
        maxBytes: 12 * 1024 * 1024,
      },
    });
  });

  it.each([
    [
      ["--port", "1", "--key", "a"],
      { PORT: "2", BACKGROUND_SERVER_KEY: "b" },
      { port: 1, key: "a" },
    ],
    [[], { PORT: "2", BACKGROUND_SERVER_KEY: "b" }, { port: 2, key: "b" }],
    [[], { PORT: "", BACKGROUND_SERVER_KEY: "" }, { port: 8790, key: undefined }],
    [
      ["--credits", "0", "--rate", "500", "--max-mb", "22"],
      {},
      { credits: 0, maxBytes: 23_068_672 },
    ],
  ])("reads %j with %j", (args, env, expected) => {
    expect(serve(args, env)).toMatchObject({ kind: "serve", options: expected });
  });

  it.each([
    [["--port", "70000"], "The port"],
    [["--port", "1.5"], "The port"],
    [["--port", ""], "The port"],
    [["--key", "two words"], "The key"],
    [["--credits", "-1"], "--credits"],
    [["--credits=lots"], "--credits"],
    [["--rate", "0"], "--rate"],
    [["--max-mb", "500"], "--max-mb"],
    [["--fast"], "--fast"],
    [["stray"], "stray"],
  ])("refuses %j", (args, word) => {
    expect(serve(args)).toEqual({ kind: "fault", fault: expect.stringContaining(word) });
  });
});
