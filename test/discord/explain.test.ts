import { describe, expect, it } from "vitest";
import { explain } from "../../src/discord/explain.ts";
import { formatted } from "../../src/discord/text.ts";
import { ConnectError, InputError, LimitError, NetworkError } from "../../src/errors.ts";

const said = (error: unknown) => {
  const { title, text = "", footer } = explain(error, "7K2M9P");
  return { title, text: formatted(text), footer };
};

describe("explain", () => {
  it("tells what happened, what to do, what was left behind, and the reference", () => {
    const error = new InputError("log only", { code: "picture_empty", hint: "Send another." });

    expect(said(error)).toEqual({
      title: "The file is empty",
      text: "Send another.\nNothing was changed and nothing was charged.",
      footer: "Reference 7K2M9P",
    });
  });

  it("names the option that can't be read, and what it needs", () => {
    const facts = { option: "region", wanted: "a country" };
    const error = new InputError("log only", { code: "option_unreadable", hint: "Choose.", facts });

    expect(said(error).title).toBe("The option “region” needs a country");
  });

  it("falls back to the kind for a code without words of its own", () => {
    const error = new ConnectError("log only", { code: "brand_new", hint: "Reconnect." });

    expect(said(error).title).toBe("The connection needs attention");
  });

  it("says when a limit is over, in the reader's own time", () => {
    const retryAt = new Date("2026-11-22T08:00:00Z");
    const error = new LimitError("log only", { code: "quota_exceeded", hint: "Wait.", retryAt });

    expect(said(error).text).toContain("Back <t:1795334400:R>, at <t:1795334400:f>.");
  });

  it("says that it is not certain when it is not", () => {
    const error = new NetworkError("log only", { code: "cut", hint: "Look.", outcome: "unknown" });

    expect(said(error).text).toContain("It is not certain whether it was done.");
  });

  it("tells nothing of a fault of ours but the reference", () => {
    const shown = said(new Error("password hunter2 in /etc/secret"));

    expect(JSON.stringify(shown)).not.toMatch(/hunter2|secret/u);
    expect(shown.footer).toBe("Reference 7K2M9P");
  });

  it("escapes what a service put into a hint", () => {
    const error = new InputError("log only", {
      code: "x",
      hint: "@everyone [a](https://b.example)",
    });

    expect(said(error).text).toContain("\\@everyone \\[a\\]");
  });
});
