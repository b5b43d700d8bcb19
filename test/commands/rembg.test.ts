import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { asMessage, textOf } from "../support/stage.ts";
import { useStage } from "../support/use-stage.ts";

const cat = {
  name: "cat.jpg",
  type: "image/jpeg",
  data: await readFile(new URL("../../src/sandbox/samples/cat.jpg", import.meta.url)),
};

/** These tests depend on their order: each goes on with the engine that the earlier ones connected. */
describe("a server with rembg", () => {
  const { stage, owner, member } = useStage();

  const connect = async (address?: string) =>
    textOf(
      await owner.run("connect background-engine", {
        engine: "rembg",
        ...(address !== undefined && { address }),
      }),
    );

  it.each([
    [undefined, "The address is missing"],
    ["http://192.168.1.5:7000", "This address can’t be used"],
    ["https://name:word@rembg.example", "This address can’t be used"],
    ["https://10.0.0.5", "“10.0.0.5” can’t be used"],
    ["https://localhost:7000", "This address can’t be used"],
    ["http://127.0.0.1:1", "No rembg answers at this address. Check the address"],
  ])("does not connect %s", async (address, said) => {
    expect(await connect(address)).toContain(said);
  });

  it("does not connect another service", async () => {
    expect(await connect(stage.sandbox.background.url)).toContain(
      "No rembg answers at this address",
    );
  });

  it("connects rembg once it has answered, without a key", async () => {
    expect(await connect(stage.sandbox.background.rembgUrl)).toContain("rembg is connected");
    expect(textOf(await owner.run("connect status"))).toMatch(
      /🟢 \*\*Background removal \(rembg\)\*\* · .* · 127\.0\.0\.1:\d+ · no credits/u,
    );
  });

  it("removes backgrounds and speaks of no credits", async () => {
    const done = asMessage(await member.run("background remove", { image: cat, crop: true }));

    expect(done.attachments.map(({ filename }) => filename)).toContain("cat-cutout.png");
    expect(textOf(done)).toContain("Background removed");
    expect(textOf(done)).not.toMatch(/credit|charge/iu);
    const blurred = asMessage(
      await member.run("background remove", { image: cat, background: "blur" }),
    );
    expect(blurred.attachments.map(({ filename }) => filename)).toContain("cat-cutout.jpg");
    const uncropped = asMessage(await member.click(done, "Undo crop"));
    expect(textOf(uncropped)).not.toMatch(/credit|charge/iu);
  });

  it.each([
    [{ region: "0% 0% 50% 100%" }, "doesn’t support region"],
    [{ size: "preview", scale: "50%" }, "doesn’t support scale and size"],
  ])("refuses %j, which only remove.bg can do", async (options, said) => {
    expect(textOf(await member.run("background remove", { image: cat, ...options }))).toContain(
      said,
    );
  });

  it("says that there is no account", async () => {
    expect(textOf(await owner.run("background account"))).toContain("Only with remove.bg");
  });

  it("says what rembg answered, and offers to try again", async () => {
    const body = "Internal Server Error";
    stage.sandbox.background.faults.add({ kind: "answer", status: 500, body, times: 1 });
    const failed = asMessage(await member.run("background remove", { image: cat }));

    expect(textOf(failed)).toContain("“Internal Server Error”");
    expect(textOf(failed)).not.toMatch(/credit|charge/iu);
    expect(textOf(await member.click(failed, "Try again"))).toContain("Background removed");
  });

  it("speaks of no key when it is disconnected", async () => {
    const asked = await owner.run("connect disconnect", { what: "background-key" });

    expect(textOf(asked)).toContain("The address of rembg, which removes backgrounds");
    expect(textOf(asked)).not.toMatch(/\bkeys?\b/iu);
  });
});

describe("a server with a service that answers as remove.bg does", () => {
  const { stage, owner, member } = useStage();
  const enter = async (address: string, key: string) => {
    const options = { engine: "removebg", address };
    const form = await owner.runForm("connect background-engine", options);
    return textOf(await owner.submit(form, { key }));
  };

  it("connects it with its key, and uses it", async () => {
    const { url, key } = stage.sandbox.background;

    expect(await enter(url, "not-the-key")).toContain("This key was rejected");
    expect(await enter(url, key)).toContain("Background removal is connected");
    expect(textOf(await member.run("background remove", { image: cat }))).toContain("0.25 credits");
  });

  it("names it in the question about training", async () => {
    const { host } = new URL(stage.sandbox.background.url);

    const asked = textOf(await member.run("background improve", { image: cat }));

    expect(asked).toContain(`Send this picture to ${host}?`);
    expect(asked).not.toContain("remove.bg");
  });

  it("never sends a key into a private network", async () => {
    expect(await enter("https://localhost:7000", "some-long-key")).toContain(
      "This address can’t be used",
    );
  });
});

describe("a bot whose operator has rembg", () => {
  const { owner, member } = useStage({ env: { BACKGROUND_ENGINE: "rembg" } });

  it("needs no key on a server that has none", async () => {
    expect(textOf(await owner.run("connect status"))).toContain(
      "🟢 **Background removal (rembg)** · provided by whoever runs this bot · no credits",
    );
    const tried = await member.run("background remove", { image: cat });
    expect(textOf(tried)).not.toContain("key");
  });
});
