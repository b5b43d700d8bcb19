import { describe, expect, it } from "vitest";
import { findCaptionEnding, readCaptionMedia } from "../../../src/features/captions/format.ts";
import { badCaptions, goodCaptions, oldEncodings } from "./files.ts";

const read = (data: Uint8Array, name = "captions.srt", language?: string) =>
  readCaptionMedia(data, { name, language });

const textOf = (data: Uint8Array) => Buffer.from(data).toString();

describe("readCaptionMedia", () => {
  it("has tables of files", () => {
    expect(goodCaptions.length).toBeGreaterThan(60);
    expect(badCaptions.length).toBeGreaterThan(20);
    expect(oldEncodings.length).toBeGreaterThan(30);
  });

  it.each(goodCaptions)("takes $name as $kind", async ({ name, kind, data, sent }) => {
    const media = await read(data, name);

    expect([media.kind, textOf(media.data), media.converted]).toEqual([
      kind,
      sent ?? textOf(data),
      undefined,
    ]);
  });

  const refused = badCaptions.map(([name, code, data, kind]) => ({ name, code, data, kind }));

  it.each(refused)("refuses $name with $code", async ({ name, code, data, kind }) => {
    const facts = expect.objectContaining({ name, ...(kind !== undefined && { format: kind }) });

    await expect(read(Buffer.from(data as string), name)).rejects.toMatchObject({ code, facts });
  });
});

it("refuses a file that is larger than captions are", async () => {
  const most = 8 * 1024 * 1024;

  await expect(read(Buffer.alloc(most, head))).resolves.toMatchObject({ kind: "srt" });
  await expect(read(Buffer.alloc(most + 1, head))).rejects.toMatchObject({
    code: "attachment_too_large",
    facts: { most: 8 },
  });
});

const head = "1\n00:00:01,000 --> 00:00:02,500\n";

const readHex = (hex: string, language: string) =>
  read(Buffer.concat([Buffer.from(head), Buffer.from(hex, "hex")]), "captions.srt", language);

const usualIn: Readonly<Record<string, string>> = {
  Shift_JIS: "ja",
  "EUC-JP": "ja",
  "EUC-KR": "ko",
  GB18030: "zh-CN zh-Hans",
  Big5: "zh-TW",
  "Windows-1252": "de fr es it pt sv en",
  "Windows-1250": "pl cs hu",
  "Windows-1251": "ru uk",
  "KOI8-R": "ru",
  "Windows-1253": "el",
  "Windows-1254": "tr",
  "Windows-1255": "he iw",
};

describe("captions that are not in UTF-8", () => {
  it.each(oldEncodings)("are converted from %s (%s, %s)", async (from, language, hex, text) => {
    const data = Buffer.concat([Buffer.from(head), Buffer.from(hex, "hex"), Buffer.from("\n")]);

    const media = await read(data, "captions.srt", language);

    expect(textOf(media.data)).toBe(`${head}${text}\n`);
    expect(media.converted).toMatchObject({ from, sample: text });
  });

  const text = `${head}Grüße, 世界\n`;
  const little = Buffer.from(text, "utf16le");
  const big = Buffer.from(little).swap16();
  const byLittle = Buffer.from([0xff, 0xfe]);
  const byBig = Buffer.from([0xfe, 0xff]);

  it.each([
    ["little-endian with a mark", Buffer.concat([byLittle, little])],
    ["big-endian with a mark", Buffer.concat([byBig, big])],
    ["little-endian", little],
    ["big-endian", big],
    ["half a character at the end", Buffer.concat([little, Buffer.from([0x0a])])],
    ["line ends of Windows", Buffer.from(text.replaceAll("\n", "\r\n"), "utf16le")],
  ])("are converted from UTF-16: %s", async (_, data) => {
    const media = await read(data);

    expect(textOf(media.data)).toBe(text);
    expect(media.converted).toEqual({
      from: "UTF-16",
      isDoubtful: false,
      sample: "Grüße, 世界",
    });
  });

  it.each([
    ["<?xml version='1.0' encoding='ISO-8859-1'?><tt><p begin='1s'>ä</p></tt>", "ttml"],
    [
      '<?xml version="1.0" encoding="windows-1252" standalone="yes"?>\n<tt><p end="1s">Grüße</p></tt>',
      "ttml",
    ],
    [
      "<SAMI><HEAD><META content='text/html; charset=ISO-8859-1'></HEAD><SYNC Start=1>Grüße</SAMI>",
      "sami",
    ],
    ["<SAMI><META charset=iso-8859-1><SYNC Start=1>ÄÖÜ</SAMI>", "sami"],
  ])("are read as they declare, and say that they are in UTF-8: %s", async (declared, kind) => {
    const media = await read(Buffer.from(declared, "latin1"), "a", "ja");

    expect(media.kind).toBe(kind);
    expect(textOf(media.data)).toBe(declared.replace(/ISO-8859-1|windows-1252/iu, "UTF-8"));
  });

  it("are converted where all stands in one line that is longer than what is looked at", async () => {
    const text = `<SAMI>${"<SYNC Start=1><P>Grüße".repeat(2000)}</SAMI>`;

    const media = await read(Buffer.from(text, "latin1"), "a.smi", "de");

    expect(textOf(media.data)).toBe(text);
  });

  it("are not of another script than the language where its letters fit", async () => {
    const text = `${head}ä\n`.repeat(400);

    expect((await read(Buffer.from(text, "latin1"), "a.srt", "de")).converted?.from).toBe(
      "Windows-1252",
    );
  });

  it("are sure where the language and the letters agree", async () => {
    const usual = oldEncodings.filter(([from, language]) =>
      (usualIn[from] ?? "").includes(language),
    );
    const read = await Promise.all(usual.map(([, language, hex]) => readHex(hex, language)));

    expect(usual.length).toBeGreaterThan(15);
    expect(
      read.filter(({ converted }) => converted?.isDoubtful).map(({ data }) => textOf(data)),
    ).toEqual([]);
  });

  it.each([
    ["DOS, German", "de", "53636894 6e65 204772 81e165 20617573 204b 946c6e"],
    ["Mac, German", "de", "536368 9a6e65 20477 29fa765 20617573 204b 9a6c6e"],
    ["Mac, Spanish", "es", "c05175 8e207061 7397 206d61 96616e61 3f"],
    ["DOS, Finnish", "fi", "487976 8484 2070 8469 76 8484"],
    ["Mac, Ukrainian", "uk", "8ff0e8e2b4f22c20e4f0f3e7b421"],
    ["Latin-4, Estonian", "et", "a96f6b6f6c616164 206a61 20be616e72"],
    ["Korean of Windows 95 (Johab)", "ko", "b4e2 9161 8b61 90b7"],
    ["Polish as English", "en", "5a61bff3b3e62067ea9c6cb9206a619ff12e"],
    ["Russian as German", "de", "cff0e8e2e5f22c20e4f0f3e7fcff"],
  ])("are not sure where characters are odd: %s", async (_, language, hex) => {
    const media = await readHex(hex.replaceAll(" ", ""), language);

    expect(media.converted?.isDoubtful).toBe(true);
  });

  it.each([
    ["HZ", "7e7b34733c523a437e7d"],
    ["ISO-2022-KR", "1b2429430e3e48333667473c3c3f640f"],
  ])("are refused in %s, which looks like ASCII", async (_, hex) => {
    const data = Buffer.concat([Buffer.from(head), Buffer.from(hex, "hex")]);

    await expect(read(data)).rejects.toMatchObject({ code: "captions_encoding" });
  });

  it("show the line that says most about the encoding", async () => {
    const data = Buffer.from(
      `${head}Ja, ö

${head}Schöne Grüße
`,
      "latin1",
    );

    expect((await read(data, "a.srt", "de")).converted?.sample).toBe("Schöne Grüße");
  });

  it("are converted from the encoding that SAMI declares, against the language", async () => {
    const korean = Buffer.concat([
      Buffer.from("<SAMI><HEAD><META content='text/html; charset=euc-kr'></HEAD><SYNC Start=1><P>"),
      Buffer.from("bec8b3e7", "hex"),
      Buffer.from("</SAMI>"),
    ]);

    const media = await read(korean, "a.smi", "zh-CN");

    expect(textOf(media.data)).toContain("안녕");
    expect(media.converted?.from).toBe("EUC-KR");
  });

  it("are not taken for what their declaration can't mean", async () => {
    const tt = '<?xml version="1.0" encoding="UTF-16"?><tt><p begin="1s">Schöne Grüße</p></tt>';

    const media = await read(Buffer.from(tt, "latin1"), "a.ttml", "de");

    expect(textOf(media.data)).toBe(tt.replace("UTF-16", "UTF-8"));
    expect(media.converted).toMatchObject({ from: "Windows-1252", sample: "Schöne Grüße" });
  });

  it("are shown by a piece of a line, however long the line is", async () => {
    const line = `<SAMI>${"<SYNC Start=1><P>Hi there ".repeat(100)}Grüße ${"and so on ".repeat(500)}</SAMI>`;

    const { converted } = await read(Buffer.from(line, "latin1"), "a.smi", "de");

    expect(converted?.sample).toContain("Grüße and so on");
    expect(converted?.sample.length).toBeLessThan(100);
  });

  it("are UTF-8 wherever they can be", async () => {
    const media = await read(Buffer.from(`${head}ﾃﾞ Ã¤ Ð¿\n`), "a.srt", "ja");

    expect(media.converted).toBeUndefined();
  });

  it("are converted whole, however long they are", async () => {
    const many = Array.from({ length: 20_000 }, () => `${head}Grüße\n`).join("\n");

    const media = await read(Buffer.from(many, "latin1"), "a.srt", "de");

    expect(textOf(media.data)).toBe(many);
  });
});

describe("findCaptionEnding", () => {
  it.each([
    ["srt", `${head}Hi\n`],
    ["smi", "<SAMI><SYNC Start=1><P>Hi</SAMI>"],
    ["stl", `850STL25.01${" ".repeat(20)}`],
    ["txt", "no captions"],
    ["txt", "[Script Info]\n"],
  ])("is %s for %j", async (ending, text) => {
    expect(await findCaptionEnding(Buffer.from(text))).toBe(ending);
  });
});

describe("a document before whose element much stands", () => {
  it.each([
    ["a comment without end", "<!-- never closed <tt>"],
    ["an element in a comment", "<!-- <tt> --> <html>"],
    ["a declaration without end", `<?xml ${"<!---->".repeat(200)}`],
    ["comments before another element", `${"<!-- -->".repeat(5000)}<t`],
    ["comments alone", `${"<!---->\n".repeat(5000)}`],
    ["a document type without end", "<!DOCTYPE tt [ <!ENTITY a 'b'> <tt>"],
  ])("is no TTML: %s", async (_, text) => {
    await expect(read(Buffer.from(text))).rejects.toMatchObject({
      code: expect.stringMatching(/^captions_(?:without_times|unknown)$/u),
    });
  });
});
