import { describe, expect, it } from "vitest";
import { seed, seeded } from "../../support/random.ts";
import { found, patterns, refused } from "./found.ts";
import { heavy } from "./heavy.ts";

describe("patterns", () => {
  it.each([
    ["\\bfree\\b", "get it FREE"],
    ["\\d{5,}", "call 0123456789"],
    ["^first", "First!!!"],
    ["\\p{Greek}{3}", "abc αβγ"],
    ["(?s)a.b", "a\nb"],
    ["caf\u00e9", "cafe\u0301"],
  ])("%s finds %j", (pattern, text) => {
    expect(found(patterns(pattern), text)).toBe(pattern);
  });

  it("look through disguises where they are to", () => {
    const test = { kind: "patterns", patterns: ["free\\s?money"], isFolded: true } as const;

    expect(found(test, "FRЕЕ m0ney")).toBe("free\\s?money");
    expect(found(test, "f r e e m o n e y")).toBe("free\\s?money");
    expect(found({ ...test, isFolded: false }, "FRЕЕ m0ney")).toBeUndefined();
  });

  it.each([
    ["(a+)+$", "a"],
    ["(a|a)*b", "a"],
    ["(a?){30}a{30}$", "a"],
    ["^(\\w+\\s?)+$", "a!"],
    ["(.*)(.*)(.*)(.*)[xy]{20}z", "x"],
  ])(
    "say before they look what they take at most, in proportion to the text: %s",
    (pattern, text) => {
      const stepsFor = (length: number) => {
        let steps = 0;
        const spend = (more: number) => {
          steps += more;
        };
        found(patterns(pattern), text.repeat(length).slice(0, length), { spend });
        return steps;
      };

      expect(stepsFor(5_000)).toBe(5 * stepsFor(1_000));
      expect(stepsFor(1_000)).toBeLessThanOrEqual(500 * 1_000);
    },
  );

  it("are looked for in passes that each can be ended", () => {
    const spent: number[] = [];
    found(heavy(), "a".repeat(10), { spend: (steps) => void spent.push(steps) });

    expect(spent).toHaveLength(10);
    expect(Math.max(...spent)).toBeLessThanOrEqual(1_000 * 10);
  });

  it("find the first of several that are there, also over passes", () => {
    const { patterns: large } = heavy();

    expect(found(patterns(...large.slice(2), "x.z", "xy"), "xyz")).toBe("x.z");
  });

  it.each([
    ["(?=a)b", { reason: "unsupported", part: "(?=", place: 1 }],
    ["ab(?<!c)", { reason: "unsupported" }],
    ["(a)b\\1", { reason: "escape", part: "\\1", place: 5 }],
    ["x[a-", { reason: "bracket" }],
    ["x(a", { reason: "parenthesis" }],
    ["xa)", { reason: "parenthesis" }],
    ["*a", { reason: "repeat", part: "*", place: 1 }],
    ["a**", { reason: "repeat", part: "**", place: 2 }],
    ["a{1001}", { reason: "repeat", part: "{1001}", place: 2 }],
    ["[z-a]", { reason: "class", part: "z-a", place: 2 }],
    ["(a{100}){100}", { reason: "repeat" }],
    ["[ab]{900}", { reason: "large" }],
    ["x*", { reason: "everything" }],
    ["a|", { reason: "everything" }],
    ["a".repeat(501), { reason: "long", most: 500 }],
    ["  ", { reason: "none" }],
  ])("are refused with what is wrong where: %s", (pattern, facts) => {
    expect(refused(() => found(patterns(pattern), "x"))).toMatchObject({
      code: "rule_pattern",
      ...facts,
    });
  });

  it("are 20 at most", () => {
    const many = Array.from({ length: 21 }, (_, n) => `x${n}`);

    expect(refused(() => found(patterns(...many), "x"))).toMatchObject({
      reason: "many",
      most: 20,
    });
    expect(refused(() => found(patterns(), "x"))).toMatchObject({ reason: "none" });
  });

  it("agree with the language's own where both know the syntax", () => {
    const random = seeded(seed);
    const one = <T>(of: readonly T[]) => of[Math.floor(random() * of.length)] as T;
    const make = (depth: number): string => {
      const atom = depth === 0 ? one(["a", "b", "c", ".", "[ab]", "[^a]", "\\b"]) : "";
      if (atom !== "")
        return atom === "\\b" ? atom : `${atom}${one(["", "", "*", "+", "?", "{1,2}"])}`;
      return one([
        () => make(0) + make(depth - 1),
        () => `(?:${make(depth - 1)}|${make(depth - 1)})`,
        () => `(${make(depth - 1)})${one(["", "+", "?"])}`,
      ])();
    };
    let tried = 0;

    for (let n = 0; n < 1_500; n += 1) {
      const pattern = `x${make(3)}`;
      const text = Array.from({ length: 12 }, () => one(["a", "b", "c", "x", " "])).join("");
      const expected = new RegExp(pattern, "iu").test(text);
      tried += 1;

      const isFound = found(patterns(pattern), text) !== undefined;

      expect(isFound, `seed ${seed}: /${pattern}/ in ${JSON.stringify(text)}`).toBe(expected);
    }
    expect(tried).toBe(1_500);
  });
});
