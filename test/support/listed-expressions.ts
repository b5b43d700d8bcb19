// biome-ignore-all lint/suspicious/noTemplateCurlyInString: code that makes expressions stands here as it is written

/** One expression of the source: `/…/flags`, or the code that makes one. */
export interface Expression {
  readonly file: string;
  readonly text: string;
}

/** An expression that the check can't prove, or that is slow but only reads short texts. */
export interface ListedExpression extends Expression {
  /** What it reads, and thus how much. */
  readonly reads: string;
  readonly because: string;
}

/** Every expression that `regular-expressions.full.test.ts` can't prove to be linear. */
export const listedExpressions: readonly ListedExpression[] = [
  {
    file: "src/features/announcements/template.ts",
    text: String.raw`/(\s+[·•|–—-]\s+|\n|[,;]\s+|[、，；]|(?<=[.!?…])\s+|(?<=[。！？])(?=.))/u`,
    reads: "a text of an announcement, at most 500 characters",
    because: "the checker follows no look behind; what repeats are spaces",
  },
  {
    file: "src/discord/declare/date-tokens.ts",
    text: 'new RegExp(compounds, "gu")',
    reads: "a date that a person types",
    because:
      "it stands in a file of words beside it: a day and a time of day, without a repetition",
  },
  {
    file: "src/store/key-files.ts",
    text: "/^([ \\t]*(?:export[ \\t]+)?SECRET_KEYS[ \\t]*=[ \\t]*)([\"'`]?)([\\w+/=:,\\- ]+?)\\2([ \\t]*(?:#.*)?)$/gm",
    reads: "the operator's own file of variables, when keys are changed by hand",
    because: "the closing quote is the opening one, which no automaton follows",
  },
  {
    file: "src/sandbox/video/search/words.ts",
    text: String.raw`/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]|[[\p{L}\p{N}]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]]+/gv`,
    reads: "texts of whoever runs the sandbox on this machine",
    because: "the checker knows no sets within sets; each part is one run of letters",
  },
  {
    file: "src/sandbox/video/resources/comments.ts",
    text: String.raw`/https?:\/\/(?:(?!&(?:lt|gt|quot|#39);)[^\s])+/g`,
    reads: "texts of whoever runs the sandbox on this machine",
    because: "each address is looked at once, with a look ahead of a few letters",
  },
  {
    file: "src/sandbox/video/caption-formats.ts",
    text: String.raw`/<(?:[\w.-]+:)?p\b([^>]*)>([\s\S]*?)<\/(?:[\w.-]+:)?p>/g`,
    reads: "caption files put into the sandbox",
    because: "it looks for each end from its own beginning",
  },
  {
    file: "src/sandbox/platform/reactions.ts",
    text: String.raw`/^\p{RGI_Emoji}$/v`,
    reads: "one emoji of a reaction's address, from whoever uses the sandbox on this machine",
    because: "the checker knows no sets of strings; one emoji is a few characters",
  },
  {
    file: "src/sandbox/platform/page/markdown/parse.ts",
    text: "/(`+)([\\s\\S]*?[^`])\\1(?!`)/y",
    reads: "2,000 characters of a message, in the browser of the sandbox's page",
    because: "the closing ticks are as many as the opening ones",
  },
  {
    file: "src/sandbox/platform/page/markdown/parse.ts",
    text: String.raw`/\*\*((?:\\[\s\S]|[^\\])+?)\*\*(?!\*)/y`,
    reads: "2,000 characters of a message, in the browser of the sandbox's page",
    because: "sticky: it is tried at one place only",
  },
  {
    file: "src/sandbox/platform/page/markdown/parse.ts",
    text: String.raw`/__((?:\\[\s\S]|[^\\])+?)__(?!_)/y`,
    reads: "2,000 characters of a message, in the browser of the sandbox's page",
    because: "sticky: it is tried at one place only",
  },
  {
    file: "src/sandbox/platform/page/markdown/parse.ts",
    text: String.raw`/(?<!\w)_((?:__|\\[\s\S]|[^\\_])+?)_(?!\w)|\*(?=\S)((?:\*\*|\\[\s\S]|[^*\\])+?)\*(?!\*)/y`,
    reads: "2,000 characters of a message, in the browser of the sandbox's page",
    because: "sticky: it is tried at one place only",
  },
  {
    file: "src/sandbox/platform/check/shared-components.ts",
    text: String.raw`/^\p{RGI_Emoji}$/v`,
    reads: "an emoji of the bot's own button, in the sandbox",
    because: "the checker knows no properties of strings",
  },
  {
    file: "src/sandbox/background/request/job.ts",
    text: 'new RegExp(`^(${Object.keys(cutoutSizes).join("|")})$`)',
    reads: "a field of the bot's own request, in the sandbox",
    because: "words and nothing repeated",
  },
  {
    file: "src/sandbox/background/request/job.ts",
    text: 'new RegExp(`^(${types.join("|")})$`)',
    reads: "a field of the bot's own request, in the sandbox",
    because: "words and nothing repeated",
  },
  {
    file: "src/sandbox/background/request/job.ts",
    text: "new RegExp(`^(original|center|${share}( ${share})?)$`)",
    reads: "a field of the bot's own request, in the sandbox",
    because: "anchored, and digits part what is repeated",
  },
  {
    file: "src/moderation/rules/text/fold.ts",
    text: 'new RegExp(`[${Object.keys(single).join("")}]`, "gu")',
    reads: "one comment (maxTextChars)",
    because: "one character of a set",
  },
  {
    file: "src/moderation/rules/text/fold.ts",
    text: 'new RegExp(marks.source, "u")',
    reads: "one comment (maxTextChars)",
    because: "one character of a set",
  },
  {
    file: "src/moderation/rules/text/text-forms.ts",
    text: String.raw`/(?<![\p{L}\p{N}$])[\p{L}\p{N}$]+(?:[^\s\p{L}\p{N}$]{1,2}[\p{L}\p{N}$]+)+/gu`,
    reads: "one comment (maxTextChars)",
    because: "it begins only where no letter stands before, and what parts letters is none",
  },
  {
    file: "src/moderation/rules/text/text-forms.ts",
    text: String.raw`/(?<![\p{L}\p{N}])[\p{L}\p{N}$@](?:[^\p{L}\p{N}$@]{1,3}[\p{L}\p{N}$@](?![\p{L}\p{N}])){2,}/gu`,
    reads: "one comment (maxTextChars)",
    because: "it begins only where no letter stands before, and what parts letters is none",
  },
  {
    file: "src/moderation/rules/text/text-forms.ts",
    text: String.raw`/(?<![\p{L}\p{N}])[\p{L}\p{N}]{1,2}(?:[^\p{L}\p{N}]{1,3}[\p{L}\p{N}]{1,2}(?![\p{L}\p{N}])){2,}/gu`,
    reads: "one comment (maxTextChars)",
    because: "it begins only where no letter stands before, and what parts letters is none",
  },
  {
    file: "src/moderation/rules/links/find-links.ts",
    text: String.raw`/(?<![\p{L}\p{N}])[\p{L}\p{N}](?:[^\S\n]{1,2}[\p{L}\p{N}.:/-](?![\p{L}\p{N}])){4,}/gu`,
    reads: "one comment (maxTextChars)",
    because: "it begins only where no letter stands before, and each sign is followed by a blank",
  },
  {
    file: "src/moderation/rules/links/find-links.ts",
    text: String.raw`/(?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}])[\p{L}\p{N}\-.])+/gu`,
    reads: "one comment (maxTextChars)",
    because: "each character is looked at once, with a look ahead of one",
  },
  {
    file: "src/log.ts",
    text: 'new RegExp( `(${slash}(?:interactions|webhooks)${escapedSlash}\\\\d+${escapedSlash})${piece}+`, "gi", )',
    reads: "a line of the log",
    because: "every repetition stands behind a word, so that each run is looked at once",
  },
  {
    file: "src/log.ts",
    text: 'new RegExp( `((?:(?<![\\\\w-])|%3F|%26|\\\\\\\\u0026)(?:${names})(?:=|%3D))[^&#\\\\s"\'\\\\\\\\<>]+`, "gi", )',
    reads: "a line of the log",
    because: "its one repetition stands behind a name and is the end",
  },
  {
    file: "src/discord/wire/custom-id.ts",
    text: 'new RegExp(`^${version}:([apuef]):([\\\\w-]{22}):(\\\\d{1,2})$`, "u")',
    reads: "100 characters of a custom id",
    because: "anchored, and each piece has a fixed length",
  },
  {
    file: "src/discord/wire/custom-id.ts",
    text: 'new RegExp(`^${version}:cancel:(\\\\d{17,20})$`, "u")',
    reads: "100 characters of a custom id",
    because: "anchored, and each piece has a fixed length",
  },
];
