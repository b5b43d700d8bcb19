import { randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { gunzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { createAdmission } from "../../../src/discord/run/admission.ts";
import { makeFile } from "../../../src/discord/run/made-file.ts";
import { jsonEntries } from "../../../src/features/lists/json-list.ts";

const signal = new AbortController().signal;

/** The file ends with its test. */
const onClose = (end: () => void) => onTestFinished(end);

async function read(file: Awaited<ReturnType<typeof makeFile>>["file"]): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of file.onDisk.read()) parts.push(part);
  return Buffer.concat(parts);
}

const items = (count: number, bytes = 1_000) =>
  Array.from({ length: count }, () => randomBytes(bytes / 2).toString("hex"));

const name = "list.json";

describe("makeFile", () => {
  it("writes a file that can be read again and again", async () => {
    const list = items(300);

    const made = await makeFile(
      { name, entries: jsonEntries(list) },
      { attachmentLimit: 1_000_000, signal, onClose },
    );

    const text = JSON.stringify(list, null, 2);
    expect(made).toMatchObject({ count: 300, isCut: false, file: { name } });
    expect(made.file.onDisk.bytes).toBe(Buffer.byteLength(text));
    expect(`${await read(made.file)}`).toBe(text);
    expect(`${await read(made.file)}`).toBe(text);
  });

  it("ends before the entry that would make it too large, and reads no further", async () => {
    let taken = 0;
    function* endless() {
      for (const item of items(1_000)) {
        taken += 1;
        yield item;
      }
    }

    const made = await makeFile(
      { name, entries: jsonEntries(endless()) },
      { attachmentLimit: 100_000, signal, onClose },
    );

    const written = JSON.parse(`${await read(made.file)}`) as unknown[];
    expect(made).toMatchObject({ isCut: true, count: written.length, maxBytes: 100_000 });
    expect(made.file.onDisk.bytes).toBeLessThanOrEqual(100_000);
    expect(made.file.onDisk.bytes).toBeGreaterThan(98_000);
    expect(taken).toBe(written.length + 1);
  });

  it.each([100, 100_000])(
    "cuts a compressed file at a whole entry too, of %i bytes",
    async (bytes) => {
      const list = items(2_000_000 / bytes, bytes);

      const made = await makeFile(
        { name, entries: jsonEntries(list), isPacked: true },
        { attachmentLimit: 500_000, signal, onClose },
      );

      const packed = await read(made.file);
      const written = JSON.parse(`${gunzipSync(packed)}`) as unknown[];
      expect(written).toEqual(list.slice(0, made.count));
      expect(made.isCut).toBe(true);
      expect(packed.length).toBeLessThanOrEqual(500_000);
      expect(packed.length).toBeGreaterThan(300_000);
    },
  );

  it("takes an entry only when those before it are written", async () => {
    const { promise: mayGoOn, resolve } = Promise.withResolvers<void>();
    const { promise: isWaiting, resolve: waits } = Promise.withResolvers<void>();
    let taken = 0;
    async function* slow() {
      for (const item of items(3)) {
        taken += 1;
        yield item;
        waits();
        await mayGoOn;
      }
    }
    const making = makeFile(
      { name, entries: jsonEntries(slow()) },
      { attachmentLimit: 100_000, signal, onClose },
    );

    await isWaiting;
    expect(taken).toBe(1);
    resolve();
    expect(await making).toMatchObject({ count: 3 });
  });

  it("refuses a file whose head does not fit", async () => {
    const making = makeFile(
      { name, entries: [{ text: "x".repeat(2_000), end: "" }] },
      { attachmentLimit: 1_000, signal, onClose },
    );

    await expect(making).rejects.toMatchObject({ code: "answer_file_too_large" });
  });

  it("stops when its person cancels", async () => {
    const stop = new AbortController();
    function* entries() {
      for (const item of items(100)) {
        stop.abort(new Error("cancelled"));
        yield { text: item, end: "" };
      }
    }

    const making = makeFile(
      { name, entries: entries() },
      { attachmentLimit: 1_000_000, signal: stop.signal, onClose },
    );

    await expect(making).rejects.toThrow("cancelled");
  });

  it("has no name that outlives a process, and is gone when its work is over", async () => {
    const hold = createAdmission().hold({ tenant: "1", person: "2" });

    const made = await makeFile(
      { name, entries: jsonEntries(items(300)) },
      { attachmentLimit: 1_000_000, signal, onClose: hold.onClose },
    );

    expect(readdirSync(tmpdir()).filter((one) => one.startsWith("greenroom-file-"))).toEqual([]);
    hold.close();
    await expect(read(made.file)).rejects.toThrow("closed");
  });

  it("is closed at once where its work was over before", async () => {
    const hold = createAdmission().hold({ tenant: "1", person: "2" });
    hold.close();

    const making = makeFile(
      { name, entries: jsonEntries(items(300)) },
      { attachmentLimit: 1_000_000, signal, onClose: hold.onClose },
    );

    await expect(making).rejects.toThrow();
  });
});
