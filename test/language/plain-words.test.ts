import { expect, it } from "vitest";
import { readMessages } from "../support/message-files.ts";

/** Words that people would not use, and what to say instead. */
const unwanted: readonly (readonly [RegExp, string])[] = [
  [/\bvideo service\b/iu, "YouTube"],
  [/\bimage service\b/iu, "remove.bg"],
  [/\bimage (?:key|credit)/iu, "remove.bg key, credit"],
  [/\bthe platform\b/iu, "YouTube"],
  [/\bconsents?\b/iu, "access, permission"],
  [/\bpace\b/iu, "check interval"],
  [/\bput off\b/iu, "snoozed"],
  [/\branks?\b/iu, "access level"],
  [/\b(?:some|every|any)body\b/iu, "someone, everyone, anyone"],
  [
    /\b(?:anew|meanwhile|at present|stays so|all the same|beyond that|so far as|lies ahead)\b/iu,
    "again, in the meantime, right now, keeps happening, anyway, after that, as far as",
  ],
  [/\bgo(?:es)? on\b/iu, "continues, resumes"],
  [/\b(?:is|are) (?:up|gone|there already)$/iu, "the noun, and what happened to it"],
  [/\b(?:take|taken|takes) (?:it |them )?back\b/iu, "undo, undone"],
  [/\bgone for good\b/iu, "permanently deleted"],
  [/\bdo(?:es)? not go together\b/iu, "can’t be combined"],
  [/\bthere (?:is|are) no such\b/iu, "not found, doesn’t exist"],
  [/\bmay not do\b/iu, "don’t have permission"],
  [/\bI lack\b/u, "I need"],
  [/^Give (?!me\b)/u, "choose, enter, paste"],
  [/\bnot certain\b/iu, "may or may not"],
  [/\bautomatic acts?\b/iu, "automatic actions"],
  [/\bby itself\b$/iu, "automatically"],
  [/\bcolour/iu, "color"],
  [/\bunits of the day\b/iu, "today’s quota"],
  [/\bwas faster\b/iu, "decided first"],
  [/\bmidnight in Los Angeles\b/iu, "midnight Pacific time"],
];

it("no message brings back a word that nobody would say", () => {
  const found = [...readMessages("en-US")]
    .filter(([key]) => !key.endsWith(".name") && !key.startsWith("help.keywords."))
    .flatMap(([key, message]) => {
      // Placeholders and the values of selections are not text, so they are skipped.
      const read = message
        .replaceAll(/\w+ (?=\{)/gu, " ")
        .replaceAll(/\{\w+(?:, (?:select|plural|selectordinal|number)[^{}]*)?/gu, " ");
      return unwanted
        .filter(([word]) => word.test(read))
        .map(([word, better]) => `${key}: ${word.exec(read)?.[0]} (${better}): ${message}`);
    });

  expect(found).toEqual([]);
});

it("no option says “otherwise” for what happens without it", () => {
  const found = [...readMessages("en-US")].filter(
    ([key, message]) => key.endsWith(".description") && /\botherwise\b/iu.test(message),
  );

  expect(found).toEqual([]);
});
