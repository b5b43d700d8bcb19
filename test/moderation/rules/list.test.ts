import { describe, expect, it } from "vitest";
import { listMatcher } from "../../../src/moderation/rules/matchers/list.ts";
import { createTextForms } from "../../../src/moderation/rules/text/text-forms.ts";

const authorId = `UC${"x".repeat(22)}`;
const match = listMatcher({
  words: ["free presets", "spam", "telegram", "скидка", "時間", "🖕", "s&m", "b@d guy", "ass"],
  links: [
    "evil.com",
    "good.com/gift",
    "xn--mnchen-3ya.com",
    "youtu.be/dQw4w9WgXcQ",
    "20.226.24.207",
  ],
  authors: [authorId],
});
const found = (text: string, comment: { readonly authorId?: string } = {}) =>
  match({ subject: createTextForms(text), comment });

describe("listMatcher", () => {
  it.each([
    ["Get FREE, presets now", "free presets"],
    ["this is SPAM!", "spam"],
    ["write on tеlеgrаm", "telegram"],
    ["t.e.l.e.g.r.a.m", "telegram"],
    ["t e l e g r a m", "telegram"],
    ["teleeeegram", "telegram"],
    ["ТОЛЬКО СЕГОДНЯ СКИДКА", "скидка"],
    ["それは時間の無駄", "時間"],
    ["oh 🖕🏽", "🖕"],
    ["s & m", "s&m"],
    ["a bad guy", "b@d guy"],
    ["see https://evil.com/a?b=c", "evil.com/a?b=c"],
    ["www.sub.evil.com", "www.sub.evil.com"],
    ["evil (dot) com", "evil.com"],
    ["good.com/gift/now", "good.com/gift/now"],
    ["https://münchen.com/x", "münchen.com/x"],
    ["https://youtu.be/dQw4w9WgXcQ", "youtu.be/dQw4w9WgXcQ"],
    ["http://20.226.24.207/x", "20.226.24.207/x"],
  ])("finds in %j: %s", (text, what) => {
    expect(found(text)).toBe(what);
  });

  it.each([
    "a class of its own",
    "presets are free",
    "notevil.com",
    "evil.com.example.org",
    "good.com",
    "good.com/gifts",
    "https://youtu.be/aaaaaaaaaaa",
    "",
  ])("finds nothing in %j", (text) => {
    expect(found(text)).toBeUndefined();
  });

  it.each([
    ["see evil.com/x", { allowedHosts: ["evil.com"] }],
    ["see sub.evil.com", { allowedHosts: ["evil.com"] }],
    ["https://youtu.be/dQw4w9WgXcQ", { ownLinks: new Set(["video:dQw4w9WgXcQ"]) }],
    ["https://youtu.be/dQw4w9WgXcQ", { ownLinks: "unknown" as const }],
  ])("leaves alone what is the channel's own or allowed: %j, %j", (text, own) => {
    expect(match({ subject: createTextForms(text), comment: {}, ...own })).toBeUndefined();
    expect(
      match({ subject: createTextForms(`${text} evil.com.evil.com`), comment: {} }),
    ).toBeDefined();
  });

  it("finds authors by their ids", () => {
    expect(found("hello", { authorId })).toBe(authorId);
    expect(found("hello", { authorId: "UCother" })).toBeUndefined();
  });

  it("takes steps for the length of a comment, not for the number of entries", () => {
    const words = Array.from({ length: 50_000 }, (_, at) => `word${at} spam`);
    const large = listMatcher({ words, links: [], authors: [] });
    const steps = (matcher: typeof match) => {
      let sum = 0;
      const spend = (more: number) => {
        sum += more;
      };
      const subject = createTextForms("nothing to see here ".repeat(400));
      matcher({ subject, comment: {}, spend });
      return sum;
    };

    expect(steps(large)).toBeLessThan(3 * steps(match));
  });
});
