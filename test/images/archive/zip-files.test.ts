import JsZip from "jszip";
import { describe, expect, it } from "vitest";
import { zipFiles } from "../../../src/images/index.ts";
import { seed, seeded } from "../../support/random.ts";
import { noise, photo } from "../pictures.ts";

const text = (content: string) => new TextEncoder().encode(content);

/** The names as stored in the ZIP: jszip removes steps up from them. */
async function namesIn(zip: Buffer): Promise<string[]> {
  const { files } = await JsZip.loadAsync(zip);
  return Object.values(files).map((file) => file.unsafeOriginalName ?? file.name);
}

const packed = async (names: readonly string[]) =>
  namesIn(await zipFiles(names.map((name) => ({ name, data: text(name) }))));

describe("zipFiles", () => {
  it("gives the files back as they were, in order", async () => {
    const picture = await photo(40, 30).jpeg().toBuffer();
    const view = new Uint8Array(noise(1_000).buffer.slice(0), 100, 500);

    const zip = await zipFiles([
      { name: "字幕.srt", data: text("1\n00:00 --> 00:01\nß") },
      { name: "a.jpg", data: picture },
      { name: "empty.txt", data: new Uint8Array() },
      { name: "part.bin", data: view },
    ]);

    const read = await JsZip.loadAsync(zip, { checkCRC32: true });
    expect(Object.keys(read.files)).toEqual(["字幕.srt", "a.jpg", "empty.txt", "part.bin"]);
    expect(await read.file("字幕.srt")?.async("text")).toBe("1\n00:00 --> 00:01\nß");
    expect((await read.file("a.jpg")?.async("nodebuffer"))?.equals(picture)).toBe(true);
    expect((await read.file("part.bin")?.async("nodebuffer"))?.equals(view)).toBe(true);
  });

  it("gives the same bytes for the same files, whenever", async () => {
    const files = [{ name: "a.srt", data: text("a".repeat(5_000)) }];
    const [first, second] = [await zipFiles(files), await zipFiles(files)];

    expect(first.equals(second)).toBe(true);
    expect(first.length).toBeLessThan(500);
    expect((await JsZip.loadAsync(first)).file("a.srt")?.date).toEqual(new Date(Date.UTC(1980, 0)));
  });

  it.each([
    ["../../etc/passwd", "passwd"],
    ["..\\..\\boot.ini", "boot.ini"],
    ["/root/.bashrc", "bashrc"],
    ["C:\\a.txt", "a.txt"],
    ["..", "file"],
    ["", "file"],
    ["a/..", "a"],
    [".", "file"],
    ["a\0b\n.srt", "ab.srt"],
    ["a\u202egnp.exe", "agnp.exe"],
    ['What? "This": <that>|*.srt', "What This that.srt"],
    ["name. . .", "name"],
    ["nul.txt", "_nul.txt"],
    ["console.log", "console.log"],
    ["\ud800.txt", "\ufffd.txt"],
    ["e\u0301.srt", "é.srt"],
    [`${"👨‍👩‍👧".repeat(100)}.srt`, `${"👨‍👩‍👧".repeat(11)}.srt`],
  ])("calls %j %j", async (name, wanted) => {
    expect(await packed([name])).toEqual([wanted]);
  });

  it("numbers names that are the same, however they are written", async () => {
    expect(await packed(["a.srt", "A.srt", "x/a.srt", "a (2).srt", "..", ""])).toEqual([
      "a.srt",
      "A (2).srt",
      "a (3).srt",
      "a (2) (2).srt",
      "file",
      "file (2)",
    ]);
  });

  it("makes every name safe and unique", async () => {
    const random = seeded(seed);
    const letters = ["a", "A", ".", "..", "/", "\\", "ß", "\u202e", "\0", ":", " ", "(2)", "動"];
    const pick = () => letters[Math.floor(random() * letters.length)] ?? "";
    const names = Array.from({ length: 400 }, () =>
      Array.from({ length: Math.floor(random() * 6) }, pick).join(""),
    );

    const found = await packed(names);

    expect(new Set(found.map((name) => name.toLowerCase())).size, `seed ${seed}`).toBe(400);
    for (const name of found) {
      expect(name, `seed ${seed}`).not.toMatch(/[/\\\p{Cc}\u202e:]|^\.|^$|[. ]$/u);
    }
  });

  it("packs no files", async () => {
    expect(await packed([])).toEqual([]);
  });
});
