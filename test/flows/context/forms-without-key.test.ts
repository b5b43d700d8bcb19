import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  asForm,
  asMessage,
  isEphemeral,
  openStage,
  type Stage,
  textOf,
} from "../../support/stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
  const { user } = stage.sandbox;
  const asked = await user("owner").command("connect disconnect", { what: "background-key" });
  await user("owner").click(asMessage(asked), "Disconnect");
});
afterAll(async () => {
  expect(await stage.violations()).toEqual([]);
  await stage.close();
});

describe("a form for something that is not connected", () => {
  it("does not open: owners read how to connect it, others whom to ask", async () => {
    const { user } = stage.sandbox;
    const owner = asMessage(await user("owner").command("background remove"));
    const member = asMessage(await user("member").command("background remove"));

    expect([owner, member].every(isEphemeral)).toBe(true);
    expect(textOf(owner)).toContain("/connect background-key");
    expect(textOf(member)).toContain("Manage Server");
  });

  it("opens once it is connected", async () => {
    const { user, background } = stage.sandbox;
    const form = asForm(await user("owner").command("connect background-key"));
    await user("owner").submit(form, { key: background.key });

    expect(asForm(await user("member").command("background remove"))).toBeDefined();
  });
});
