/** A file of captions such as people have. */
export interface CaptionSample {
  readonly name: string;
  readonly data: Uint8Array;
}

/**
 * A file, and the kind that it is recognised as. `sent` is the text that YouTube gets; without it, the file is sent as
 * it is.
 */
export interface GoodCaptions extends CaptionSample {
  readonly kind: string;
  readonly sent?: string;
}

const good = (
  name: string,
  kind: string,
  data: string | readonly number[],
  sent?: string,
): GoodCaptions => ({
  name,
  kind,
  data: typeof data === "string" ? Buffer.from(data) : Buffer.from(data),
  ...(sent !== undefined && { sent }),
});

const cue = "00:00:01,000 --> 00:00:02,500";
const srt = `1\n${cue}\nHello\n`;
const vtt = "WEBVTT\n\n00:01.000 --> 00:02.000\nHi\n";
const vttCue = "00:01.000 --> 00:00:02.000\nHi\n";
const ttBody = '<body><div><p begin="1s" end="2s">Hi</p></div></body>';
const tt = `<tt xmlns="http://www.w3.org/ns/ttml">${ttBody}</tt>`;
const spaces = (count: number) => " ".repeat(count);

export const goodCaptions: readonly GoodCaptions[] = [
  good("plain.srt", "srt", srt),
  good("bom.srt", "srt", `\ufeff${srt}`),
  good("crlf.srt", "srt", srt.replaceAll("\n", "\r\n")),
  good("mac.srt", "srt", srt.replaceAll("\n", "\r"), srt),
  good("blank lines first.srt", "srt", `\n\n${srt}`),
  good("dots.srt", "srt", srt.replaceAll(",", ".")),
  good("no blanks.srt", "srt", "1\n00:00:01,000-->00:00:02,500\nHello\n", srt),
  ...["->", "--->", "—>", "–>", "––>", "→", "--&gt;"].map((arrow) =>
    good(`${arrow}.srt`, "srt", srt.replace("-->", arrow), srt),
  ),
  good("direction marks.srt", "srt", srt.replace("00:00:01", "\u200f\u202b00:00:01"), srt),
  good("arrow in a line.srt", "srt", `${srt}Go --> there -> at 1:00 → now\n`),
  good("many blanks.srt", "srt", "1\n 00:00:01,000   -->\t00:00:02,500\nHello\n", srt),
  good(
    "no fraction.srt",
    "srt",
    "1\n00:00:01 --> 00:00:02\nHello\n",
    srt.replace("2,500", "2,000"),
  ),
  good("one digit.srt", "srt", "1\n0:00:01,0 --> 0:00:02,5\nHello\n", srt),
  good("two digits.srt", "srt", "1\n00:00:01.00 --> 00:00:02.50\nHello\n", srt),
  good("minutes.srt", "srt", "1\n00:01,000 --> 00:02,500\nHello\n", srt),
  good(
    "minutes and seconds.srt",
    "srt",
    "1\n0:01 --> 0:02\nHello\n",
    srt.replace("2,500", "2,000"),
  ),
  good("colon.srt", "srt", "1\n00:00:01:000 --> 00:00:02:500\nHello\n", srt),
  good("blanks in times.srt", "srt", "1\n00:00:01, 000 --> 00:00:02, 500\nHello\n", srt),
  good("blanks between.srt", "srt", "1\n00: 00: 01,000 --> 00: 00: 02,500\nHello\n", srt),
  good("credit.srt", "srt", `Subtitles by Someone\n\n${srt}`),
  good("empty cue.srt", "srt", `1\n\n2\n${cue}\nHello\n`),
  good("no numbers.srt", "srt", `${cue}\nHello\n`),
  good("zeros.srt", "srt", `1\n${cue}\nHe\0llo\n`, srt),
  good("position.srt", "srt", `1\n${cue} X1:40 X2:600 Y1:20 Y2:50\nHello\n`),
  good("long.srt", "srt", `1\n100:00:01,000 --> 100:00:02,500\nHello\n`),
  good("markup.srt", "srt", `1\n${cue}\n<i>Hello</i> {\\an8}there\n`),
  good("renamed.txt", "srt", srt),
  good("cut.srt", "srt", [...Buffer.from(`1\n${cue}\nこんにちは`).subarray(0, -1)]),
  good("plain.vtt", "vtt", vtt),
  good("bom.vtt", "vtt", `\ufeff${vtt}`),
  good("commas.vtt", "vtt", vtt.replaceAll(".000", ",000"), `WEBVTT\n\n00:${vttCue}`),
  good("no blanks.vtt", "vtt", vtt.replace(" --> ", "-->"), `WEBVTT\n\n00:${vttCue}`),
  good("no empty line.vtt", "vtt", vtt.replace("\n\n", "\n"), vtt),
  good(
    "no empty line before a number.vtt",
    "vtt",
    vtt.replace("\n\n", "\n1\n"),
    vtt.replace("\n\n", "\n\n1\n"),
  ),
  good("blank lines first.vtt", "vtt", `\n\n ${vtt}`, vtt),
  good("small.vtt", "vtt", vtt.replace("WEBVTT", "webvtt"), vtt),
  good("mixed.vtt", "vtt", vtt.replace("WEBVTT", "WebVTT"), vtt),
  good("mac.vtt", "vtt", vtt.replaceAll("\n", "\r"), vtt),
  good("styled.vtt", "vtt", vtt.replace("\n\n", "\n\nSTYLE\n::cue { color: red }\n\nNOTE x\n\n")),
  good("auto.vtt", "vtt", vtt.replace("\n\n", "\nKind: captions\nLanguage: en\n\n")),
  good("titled.vtt", "vtt", vtt.replace("WEBVTT", "WEBVTT - A title")),
  good(
    "youtube.sbv",
    "sbv",
    "0:00:00.599,0:00:04.160\n>> ALICE: Hi\n\n0:00:04.160,0:00:06.770\nBye\n",
  ),
  good("blank.sbv", "sbv", "0:00:00.599, 0:00:04.160\nHi\n"),
  good(
    "viewer.sub",
    "sub",
    "[INFORMATION]\n[TITLE]\n[END INFORMATION]\n[SUBTITLE]\n[COLF]&HFFFFFF,[STYLE]bd\n00:00:01.00,00:00:02.50\nHello[br]there\n",
  ),
  good("first.sub", "sub", "[TITLE]\nx\n[BEGIN]\n**START SCRIPT**\n[00:00:01]\nHi\n[00:00:02]\n"),
  good("bare.sub", "sub", "00:00:01.00,00:00:02.50\nHello[br]there\n"),
  good("plain.ttml", "ttml", tt),
  good("declared.xml", "ttml", `<?xml version="1.0" encoding="UTF-8"?>\n${tt}`),
  good(
    "doctype.dfxp",
    "ttml",
    `<?xml version="1.0"?>\n<!DOCTYPE tt PUBLIC "-//W3C//DTD TIMED-TEXT 1.0//EN" "dfxp.dtd">\n${tt}`,
  ),
  good("subset.ttml", "ttml", `<!DOCTYPE tt [\n<!ENTITY a "x>y">\n<!ELEMENT p ANY>\n]>\n${tt}`),
  good("quoted end.ttml", "ttml", `<!DOCTYPE tt SYSTEM "a>b.dtd">${tt}`),
  good("blank end.ttml", "ttml", `<!DOCTYPE tt [ <!ELEMENT p ANY> ] >${tt}`),
  good("stylesheet.ttml", "ttml", `<?xml version="1.0"?>\n<?xml-stylesheet href="x.css"?>\n${tt}`),
  good("comments.ttml", "ttml", `<?xml version="1.0"?><!-- <b> --><?x y?><!-- c -->\n${tt}`),
  good("prefix.ttml", "ttml", tt.replaceAll(/<(\/?)(?=\w)/gu, "<$1my-ns:")),
  good("root of lines.ttml", "ttml", tt.replace("<tt ", "<tt\n  ")),
  good(
    "wrong name.ttml",
    "ttml",
    `<?xml version="1.0" encoding="UTF-16"?>${tt}`,
    `<?xml version="1.0" encoding="UTF-8"?>${tt}`,
  ),
  good("plain.scc", "scc", "Scenarist_SCC V1.0\n\n00:00:01:00\t9420 9420\n"),
  good(
    "korean.smi",
    "sami",
    "<SAMI>\n<BODY>\n<SYNC Start=1000><P Class=KRCC>안녕하세요\n</BODY>\n</SAMI>\n",
  ),
  good("small.sami", "sami", "<!-- made by hand -->\n<sami><body><sync start=1000><p>Hi</sami>"),
  good("song.lrc", "lrc", "[ti:Song]\n[ar:Band]\n[00:12.00]First line\n[00:17.20]Second line\n"),
  good("short.lrc", "lrc", "[00:12]First line\n[00:17]Second line\n"),
  good("chorus.lrc", "lrc", "[00:12.00][01:15.00]Chorus\n"),
  good("time.mpsub", "mpsub", "TITLE=x\nFORMAT=TIME\nTYPE=VIDEO\n\n1 2\nHello\n"),
  good("frames.mpsub", "mpsub", "FORMAT=23.98\n\n1 2\nHello\n"),
  good(
    "window.rt",
    "realtext",
    '<window duration="00:00:10">\n<time begin="1"/>Hello\n</window>\n',
  ),
  good("pieces.rt", "realtext", '<time begin="1"/>Hello\n<time begin="3"/><clear/>Bye\n'),
  good(
    "lambda.cap",
    "lambda",
    'Lambda字幕V4\tDF0+1\tSCENE"日本語標準"\n\n1\t00000100/00000212\tこんにちは\n',
  ),
  good(
    "cheetah.asc",
    "asc",
    "*NonDropFrame\n\n** Caption Number 1\n*PopOn\n*T 01:00:14:13\n[SCREAM]\\E\n",
  ),
  good("ebu.stl", "stl", [...Buffer.from(`850STL25.01${spaces(1013)}`), 0, 0, 1, 0xff, 0x8f, 0x8f]),
  good("cheetah.cap", "cheetah", [0xea, 0x22, 1, 0, 3, 0, 9, 0xa8, 0xaf, 0x4f]),
  good("older.cap", "cheetah", [0xea, 0x10, 0, 0, 0, 0]),
  good("nci.cap", "nci", [...Buffer.from("CAPT\0"), 0x32, 0x2e, 0x30, 1, 2]),
  good("other.cap", "cap", [0x2b, 0, 1, 2, 0xff, 0x80]),
  good("captions.cin", "cin", [0x41, 0x42, 1, 2, 0xff, 0x80]),
  good("center.tds", "tds", [1, 2, 3, 0xff, 0x80, 0x90]),
  good("text.tds", "tds", "CC 01:00:01:00 Hello\n"),
];

/** A file, the code of its failure, and the kind of file that the failure names. */
export type BadCaptions = readonly [
  name: string,
  code: string,
  data: string | readonly number[],
  kind?: string,
];

export const badCaptions: readonly BadCaptions[] = [
  ["a.srt", "captions_empty", ""],
  ["head.vtt", "captions_without_times", "WEBVTT\n\nNOTE nothing else\n"],
  ["bare.ttml", "captions_without_times", "<tt><body><p>Hi</p></body></tt>"],
  ["bare.smi", "captions_without_times", "<SAMI><BODY><P>Hi</BODY></SAMI>"],
  ["full width.srt", "captions_unknown", "1\n００：００：０１ --> ００：００：０２\nHi\n"],
  ["mark.srt", "captions_empty", "\ufeff\r\n"],
  ["page.srt", "captions_kind", `<!DOCTYPE html><html><body>\n${srt}</body></html>`, "HTML"],
  ["from TextEdit.srt", "captions_kind", `{\\rtf1\\ansi\n${srt}}`, "RTF"],
  ["scan.cap", "captions_unknown", "%PDF-1.7\n1 0 obj\n<< /CreationDate (10:00:00) >>\nendobj\n"],
  ["blank.srt", "captions_empty", " \r\n\t\n"],
  ["zeros.srt", "captions_empty", "\0\0\0\0"],
  ["script.txt", "captions_without_times", "Hello and welcome.\nThis is my studio.\n"],
  ["script.cap", "captions_without_times", "Hello and welcome.\nThis is my studio.\n"],
  ["script.srt", "captions_without_times", "Grüße aus dem Studio\n"],
  ["copied.txt", "captions_unknown", "0:00\nhello\n0:05\nwelcome\n"],
  ["table.csv", "captions_unknown", "start,end,text\n0:00:01,0:00:02,Hello\n"],
  ["seconds.srt", "captions_unknown", "1\n1.5 --> 2.5\nHello\n"],
  ["wide.srt", "captions_unknown", "1\n００：００：０１ ００：００：０２\nHello\n"],
  ["a.srv2", "captions_kind", '<timedtext><text t="0" d="1">Hi</text></timedtext>', "srv2"],
  [
    "damaged.srt",
    "captions_encoding",
    [...Buffer.from(`1\n${cue}\nこんにちは、世界の皆さん `), 0xff, ...Buffer.from(" ok\n")],
  ],
  ["wrong arrow.srt", "captions_unknown", "1\n00:00:01,000 => 00:00:02,500\nHello\n"],
  ["page.html", "captions_unknown", "<html><video start=0></video></html>"],
  [
    "style.ass",
    "captions_kind",
    "[Script Info]\nScriptType: v4.00+\n\n[Events]\nDialogue: 0,0:00:01.00,0:00:02.50,Default,Hello\n",
    "Advanced SubStation Alpha (.ass)",
  ],
  [
    "events.ssa",
    "captions_kind",
    "[Events]\nDialogue: Marked=0,0:00:01.00,0:00:02.50,Default,Hello\n",
    "Advanced SubStation Alpha (.ass)",
  ],
  ["frames.sub", "captions_kind", "{25}{75}Hello|there\n", "MicroDVD (.sub)"],
  ["tenths.mpl", "captions_kind", "[25][75]Hello|there\n", "MPL2 (.mpl)"],
  [
    "spruce.stl",
    "captions_kind",
    "$FontName = Arial\n00:00:01:00 , 00:00:02:12 , Hello\n",
    "Spruce STL (.stl)",
  ],
  [
    "vob.idx",
    "captions_kind",
    "# VobSub index file, v7\ntimestamp: 00:00:01:000, filepos: 0\n",
    "VobSub (.idx)",
  ],
  [
    "a.srv1",
    "captions_kind",
    '<?xml version="1.0" encoding="utf-8" ?><transcript><text start="1.0" dur="1.5">Hello</text></transcript>',
    "srv1",
  ],
  [
    "a.srv3",
    "captions_kind",
    '<?xml version="1.0" encoding="utf-8" ?><timedtext format="3">\n<body>\n<p t="1000" d="1500">Hello</p>\n</body>\n</timedtext>\n',
    "srv3",
  ],
  ["a.json", "captions_kind", '{\n  "wireMagic": "pb3",\n  "events": []}', "json3"],
  ["picture.srt", "captions_not_text", [0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]],
  [
    "picture.cap",
    "captions_not_text",
    [
      0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0,
      1, 0, 0, 0, 1, 8, 6, 0, 0, 0,
    ],
  ],
  ["solid.stl", "captions_without_times", "solid cube\nfacet normal 0 0 1\n"],
  [
    "mixed.srt",
    "captions_encoding",
    [...Buffer.from(`1\n${cue}\n`), ...Buffer.from("a\x81 b\x8d c\x9d\n", "latin1")],
  ],
];

/** Texts in old encodings: the encoding, the captions' language, the bytes in hex, and the text. */
export const oldEncodings: readonly (readonly [
  name: string,
  language: string,
  hex: string,
  text: string,
])[] = [
  ["Shift_JIS", "ja", "82b182f182c982bf82cd", "こんにちは"],
  ["Shift_JIS", "ja", "834a835e834a8369", "カタカナ"],
  ["Shift_JIS", "ja", "938c8b9e82cc96e982cd92b782a28142", "東京の夜は長い。"],
  [
    "Shift_JIS",
    "en",
    "8da193fa82cd8370839382f08fc482ab82dc82b7814282c682c482e094fc82b582a282c582b782cb8142",
    "今日はパンを焼きます。とても美しいですね。",
  ],
  ["EUC-JP", "ja", "a4b3a4f3a4cba4c1a4cfa1a2c0a4b3a6", "こんにちは、世界"],
  [
    "EUC-JP",
    "fr",
    "baa3c6fca4cfa5d1a5f3a4f2bec6a4ada4dea4b9a1a3a4c8a4c6a4e2c8fea4b7a4a4a4c7a4b9a4cda1a3",
    "今日はパンを焼きます。とても美しいですね。",
  ],
  ["ISO-2022-JP", "ja", "1b244224332473244b2441244f1b2842", "こんにちは"],
  ["EUC-KR", "ko", "bec8b3e7c7cfbcbcbfe4", "안녕하세요"],
  [
    "EUC-KR",
    "en",
    "bec8b3e7c7cfbcbcbfe420bfa9b7afbad020bfc0b4c3c0ba20bba7c0bb20b8b8b5e9beee20bab8b0dabdc0b4cfb4d9",
    "안녕하세요 여러분 오늘은 빵을 만들어 보겠습니다",
  ],
  ["GB18030", "zh-CN", "c4e3bac3", "你好"],
  [
    "GB18030",
    "en",
    "b4f3bcd2bac3a3acbdf1ccecced2c3c7c0b4d7f6c3e6b0fca3acd0bbd0bbb9dbbfb4",
    "大家好，今天我们来做面包，谢谢观看",
  ],
  ["GB18030", "zh-Hans", "c4e3bac3a3accac0bde79439fc36", "你好，世界😀"],
  ["Big5", "zh-TW", "a741a66e", "你好"],
  [
    "Big5",
    "en",
    "a46aae61a66ea141a4b5a4d1a7daadcca8d3b0b5c4d1a55da141c1c2c1c2c65bacdd",
    "大家好，今天我們來做麵包，謝謝觀看",
  ],
  ["Windows-1252", "de", "c472676572", "Ärger"],
  [
    "Windows-1252",
    "de",
    "dc62756e67206d616368742064656e204d6569737465722096206772f6df65722c20736368f66e6572",
    "Übung macht den Meister – größer, schöner",
  ],
  [
    "Windows-1252",
    "en",
    "43926573742064e96ae0206c92e974e92c206ff920e761203f",
    "C’est déjà l’été, où ça ?",
  ],
  ["Windows-1252", "es", "bf5175e92074616c2c207365f16f723f", "¿Qué tal, señor?"],
  [
    "Windows-1252",
    "pt-BR",
    "4ee36f2c20616d616e68e320e920612066756ee7e36f",
    "Não, amanhã é a função",
  ],
  [
    "Windows-1252",
    "sv",
    "c52c2073e5207472f6747420e472206a61672070e520f66e",
    "Å, så trött är jag på ön",
  ],
  ["Windows-1252", "en", "b6206c61206c61", "¶ la la"],
  ["Windows-1252", "en", "49749273206f6b2e2e2e20312f3220bd", "It’s ok... 1/2 ½"],
  ["Windows-1250", "pl", "5a61bff3b3e62067ea9c6cb9206a619ff1", "Zażółć gęślą jaźń"],
  ["Windows-1250", "cs", "50f8ed6c699a209e6c759d6f75e86bfd206bf9f2", "Příliš žluťoučký kůň"],
  [
    "ISO-8859-2",
    "pl",
    "447a69ea6b756aea2c2070726f737aea207061f1737477612c206a75bf20b67069ea",
    "Dziękuję, proszę państwa, już śpię",
  ],
  ["Windows-1251", "ru", "cff0e8e2e5f2", "Привет"],
  [
    "Windows-1251",
    "en",
    "cff0e8e2e5f220e2f1e5ec2c20f1e5e3eee4edff20efe5f7b8ec20f5ebe5e1",
    "Привет всем, сегодня печём хлеб",
  ],
  ["KOI8-R", "ru", "f0d2c9d7c5d420d7d3c5cd", "Привет всем"],
  ["Windows-1253", "el", "cae1ebe7ecddf1e120f3e520fcebeff5f2", "Καλημέρα σε όλους"],
  ["Windows-1255", "he", "f9ece5ed20ecebe5eced", "שלום לכולם"],
  ["Windows-1256", "ar", "e3d1cdc8c720c8dfe3", "مرحبا بكم"],
  [
    "Windows-1254",
    "tr",
    "47fc6e617964fd6e2061726b616461fe6c61722c20fe696d6469",
    "Günaydın arkadaşlar, şimdi",
  ],
  ["Windows-874", "th", "cac7d1cab4d5a4c3d1ba", "สวัสดีครับ"],
  ["Windows-1258", "vi", "4368e06f", "Chào"],
];
