import { describe, expect, it } from "vitest";
import { encodeForm } from "../../src/http/encode-form.ts";
import type { MultipartForm } from "../../src/http/index.ts";

function encoded(form: MultipartForm) {
  const { body, type = "" } = encodeForm(form);
  // An encoded form always consists of bytes.
  return { bytes: body as Uint8Array<ArrayBuffer>, type };
}

async function readBack(form: MultipartForm): Promise<FormData> {
  const { bytes, type } = encoded(form);
  return new Response(bytes, { headers: { "content-type": type } }).formData();
}

describe("encodeForm", () => {
  it("carries texts and files as they are, in their order, several of one name too", async () => {
    const bytes = Buffer.from([0, 13, 10, 45, 45, 255]);

    const back = await readBack([
      ["size", "auto"],
      ["name", "Grüße, “quoted” \u{1f600}"],
      ["size", ""],
      ["image_file", { name: "a b.png", type: "image/png", bytes }],
    ]);

    expect([...back.keys()]).toEqual(["size", "name", "size", "image_file"]);
    expect(back.getAll("size")).toEqual(["auto", ""]);
    expect(back.get("name")).toBe("Grüße, “quoted” \u{1f600}");
    const file = back.get("image_file") as File;
    expect([file.name, file.type]).toEqual(["a b.png", "image/png"]);
    expect([...new Uint8Array(await file.arrayBuffer())]).toEqual([...bytes]);
  });

  it("lets no name and no file name end its header", () => {
    const bytes = Buffer.from("x");

    const { bytes: body } = encoded([
      ['a"b\r\nc', "1\n2\r3"],
      ["f", { name: 'x"\r\nX-Header: 1.png', type: "image/png", bytes }],
    ]);

    const text = Buffer.from(body).toString();
    expect(text).toContain('name="a%22b%0D%0Ac"\r\n\r\n1\r\n2\r\n3\r\n');
    expect(text).toContain('filename="x%22%0D%0AX-Header: 1.png"\r\n');
  });

  it("writes what Node's own way writes, but for the boundary", async () => {
    const bytes = Buffer.from("bytes");
    const form = new FormData();
    form.append("format", "zip");
    form.append("image_file", new Blob([bytes], { type: "image/png" }), "ä.png");
    const other = new Response(form);

    const own = encoded([
      ["format", "zip"],
      ["image_file", { name: "ä.png", type: "image/png", bytes }],
    ]);

    const boundaryOf = (type: string) => type.slice(type.indexOf("boundary=") + 9);
    const theirs = (await other.text()).replaceAll(
      boundaryOf(other.headers.get("content-type") ?? ""),
      boundaryOf(own.type),
    );
    expect(Buffer.from(own.bytes).toString()).toBe(theirs);
  });

  it("gives each form a boundary of its own", () => {
    expect(encodeForm([]).type).not.toBe(encodeForm([]).type);
  });
});
