import { beforeAll, describe, expect, it } from "vitest";
import { isEphemeral, textOf } from "../../support/stage.ts";
import { useStage } from "../../support/use-stage.ts";

const { stage, owner, member } = useStage();
beforeAll(async () => {
  const asked = await owner.run("connect disconnect", { what: "background-key" });
  await owner.click(asked, "Disconnect");
});

describe("a form for something that is not connected", () => {
  it("does not open: owners read how to connect it, others whom to ask", async () => {
    const asOwner = await owner.run("background remove");
    const asMember = await member.run("background remove");

    expect([asOwner, asMember].every(isEphemeral)).toBe(true);
    expect(textOf(asOwner)).toContain("/connect background-key");
    expect(textOf(asMember)).toContain("Manage Server");
  });

  it("opens once it is connected", async () => {
    const form = await owner.runForm("connect background-key");
    await owner.submit(form, { key: stage.sandbox.background.key });

    expect(await member.runForm("background remove")).toBeDefined();
  });
});
