import { describe, expect, it } from "vitest";
import { chooseStates, parseMatchTerms } from "../../../src/features/watches/watched-comments.ts";

describe("parseMatchTerms", () => {
  it.each([
    ["lamp", ["lamp"]],
    ["lamp, desk light ,lamp", ["lamp", "desk light"]],
    ["/fre{1,3}/, sub", ["/fre{1,3}/", "sub"]],
    ["/a\\/b,c/", ["/a\\/b,c/"]],
    ["one\ntwo", ["one", "two"]],
    ["and/or, x", ["and/or", "x"]],
    [" , ", []],
  ])("reads %j", (text, wanted) => {
    expect(parseMatchTerms(text)).toEqual(wanted);
  });
});

describe("chooseStates", () => {
  it.each([
    [undefined, undefined, ["heldForReview", "likelySpam"]],
    ["likelySpam", undefined, ["likelySpam"]],
    ["all", undefined, ["heldForReview", "likelySpam", "published"]],
    [undefined, ["x"], ["heldForReview", "likelySpam", "published"]],
    ["published", ["x"], ["published"]],
  ] as const)("takes %s with %j", (choice, match, states) => {
    expect(chooseStates(choice, match)).toEqual({ states });
  });

  it("takes new comments that a rule finds, with those that wait", () => {
    const states = ["heldForReview", "likelySpam", "published"];

    expect(chooseStates("ruled", undefined)).toEqual({ states, isRuledOnly: true });
  });

  it("refuses search terms if new comments are not watched", () => {
    expect(() => chooseStates("waiting", ["x"])).toThrow(
      expect.objectContaining({ code: "watch_match_unused" }),
    );
  });
});
