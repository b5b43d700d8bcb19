import { describe, expect, it } from "vitest";
import { encodeForm } from "../../src/http/encode-form.ts";

async function readBack(form: FormData): Promise<FormData> {
  const { body, type = "" } = await encodeForm(form);
  const bytes = body as Uint8Array<ArrayBuffer>;
  return new Response(bytes, { headers: { "content-type": type } }).formData();
}

describe("encodeForm", () => {
  it("carries texts and files as they are, in their order, several of one name too", async () => {
    const form = new FormData();
    form.append("size", "auto");
    form.append("name", "Grüße, “quoted” \u{1f600}");
    form.append("size", "");
    form.append("image_file", new Blob([Buffer.from([0, 13, 10, 45, 45, 255])]), "a b.png");

    const back = await readBack(form);

    expect([...back.keys()]).toEqual(["size", "name", "size", "image_file"]);
    expect(back.getAll("size")).toEqual(["auto", ""]);
    expect(back.get("name")).toBe("Grüße, “quoted” \u{1f600}");
    const file = back.get("image_file") as File;
    expect([file.name, file.type]).toEqual(["a b.png", "application/octet-stream"]);
    expect([...new Uint8Array(await file.arrayBuffer())]).toEqual([0, 13, 10, 45, 45, 255]);
  });

  it("carries a large file whole, with its type", async () => {
    const bytes = Buffer.alloc(3_000_001, "abcdefg");
    const form = new FormData();
    form.append("image_file", new Blob([bytes], { type: "image/jpeg" }), "a.jpg");

    const file = (await readBack(form)).get("image_file") as File;

    expect(file.type).toBe("image/jpeg");
    expect(Buffer.from(await file.arrayBuffer()).equals(bytes)).toBe(true);
  });

  it("lets no name and no file name end its header", async () => {
    const form = new FormData();
    form.append('a"b\r\nc', "1\n2\r3");
    form.append("f", new Blob(["x"]), 'x"\r\nX-Header: 1.png');

    const text = Buffer.from((await encodeForm(form)).body as Uint8Array).toString();

    expect(text).toContain('name="a%22b%0D%0Ac"\r\n\r\n1\r\n2\r\n3\r\n');
    expect(text).toContain('filename="x%22%0D%0AX-Header: 1.png"\r\n');
  });

  it("writes what Node's own way writes, but for the boundary", async () => {
    const form = new FormData();
    form.append("format", "zip");
    form.append("image_file", new Blob(["bytes"], { type: "image/png" }), "ä.png");
    const own = await encodeForm(form);
    const other = new Response(form);

    const boundaryOf = (type: string) => type.slice(type.indexOf("boundary=") + 9);
    const theirs = (await other.text()).replaceAll(
      boundaryOf(other.headers.get("content-type") ?? ""),
      boundaryOf(own.type ?? ""),
    );

    expect(Buffer.from(own.body as Uint8Array).toString()).toBe(theirs);
  });

  it("gives each form a boundary of its own", async () => {
    const types = await Promise.all([encodeForm(new FormData()), encodeForm(new FormData())]);

    expect(types[0]?.type).not.toBe(types[1]?.type);
  });
});
